/**
 * A model that answers from a script. Asked by a person, it says a sentence and calls the shell; given the result, it answers.
 */
import { createServer } from 'node:http';
import { interfaceOf, textsOf } from './interfaces.mjs';

const COMMAND = 'rm -f build.log && ls';
const WHY = 'Remove the log and list files';
const BEFORE = 'I will look at the files first.';
const ANSWER = 'There are two files. The build is ready.\n\n- a.txt\n- b.txt';
const TITLE = 'Files';
/** gemini asks who speaks next. */
const ASIDE_BY_SCHEMA = '{"next_speaker":"user","reasoning":"It has answered."}';

/** What a program shows while it waits for a model. */
const THINKING_MS = 300;

/**
 * @param onAsked is given the text of each request's last two messages @param answersOnly it calls no shell
 * @returns a server, which listens on the loopback
 */
export async function startModel({ onAsked = () => {}, answersOnly = false } = {}) {
  const turnOf = ({ tools, isResult, isAside }, body) => {
    if (isAside) return [{ text: body.generationConfig === undefined ? TITLE : ASIDE_BY_SCHEMA }];
    // A program may put a message of its own behind that of the person.
    onAsked(textsOf((body.messages ?? body.input ?? body.contents ?? []).slice(-2)).join(' '));
    if (answersOnly || isResult) return wordsOf(ANSWER);
    return [...wordsOf(BEFORE), { call: commandCall(tools, COMMAND, WHY) }];
  };
  return startModelOf(turnOf);
}

/**
 * @param turnOf is given what a request says (see interfaces.mjs), its body and the response, and returns the parts of a turn
 * @returns a server, which listens on the loopback
 */
export async function startModelOf(turnOf, thinkingMs = THINKING_MS) {
  const model = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname } = new URL(request.url, 'http://model');
      const spoken = interfaceOf(pathname);
      if (request.method !== 'POST' || spoken === undefined) {
        response.writeHead(pathname.includes('count_tokens') ? 200 : 404, { 'content-type': 'application/json' });
        response.end('{"input_tokens":10}');
        return;
      }
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const parts = turnOf(spoken.read(body), body, response);
      setTimeout(() => void spoken.write(response, parts, body).catch(() => response.destroy()), thinkingMs);
    });
  });
  await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
  return model;
}

/** @returns the call by which a program with these tools runs a command, and asks before */
export function commandCall(tools, command, why) {
  const name = ['Bash', 'bash', 'exec_command', 'shell_command', 'shell', 'run_shell_command'].find((each) =>
    tools.includes(each),
  );
  if (name === undefined) throw new Error(`No shell among the tools: ${tools.join(', ')}`);
  const isCodex = ['exec_command', 'shell_command', 'shell'].includes(name);
  const asked = isCodex ? { sandbox_permissions: 'require_escalated', justification: why } : { description: why };
  const key = name === 'exec_command' ? 'cmd' : 'command';
  return { name, input: { [key]: name === 'shell' ? ['bash', '-lc', command] : command, ...asked } };
}

function wordsOf(text) {
  return text.split(/(?<= )/).map((word) => ({ text: word }));
}
