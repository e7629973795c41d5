/**
 * A model that answers from a script, over the four interfaces that the recorded programs speak: Messages, Responses, chat
 * completions, and generateContent. Asked by a person, it says a sentence and calls the shell; given the result, it answers.
 */
import { createServer } from 'node:http';

const COMMAND = 'rm -f build.log && ls';
const WHY = 'Remove the log and list files';
const BEFORE = 'I will look at the files first.';
const ANSWER = 'There are two files. The build is ready.\n\n- a.txt\n- b.txt';
const TITLE = 'Files';

/** What a program shows while it waits for a model. */
const THINKING_MS = 300;

/**
 * @param onAsked is given the text of each request's last two messages @param answersOnly it calls no shell
 * @returns a server, which listens on the loopback
 */
export async function startModel({ onAsked = () => {}, answersOnly = false } = {}) {
  if (answersOnly) opening = ANSWER;
  const model = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname } = new URL(request.url, 'http://model');
      const interface_ = INTERFACES.find(({ path }) => path.test(pathname));
      if (request.method !== 'POST' || interface_ === undefined) {
        response.writeHead(pathname.includes('count_tokens') ? 200 : 404, { 'content-type': 'application/json' });
        response.end('{"input_tokens":10}');
        return;
      }
      const body = JSON.parse(Buffer.concat(chunks).toString());
      // A program may put a message of its own behind that of the person.
      onAsked(textsOf((body.messages ?? body.input ?? body.contents ?? []).slice(-2)).join(' '));
      setTimeout(() => interface_.answer(response, body), THINKING_MS);
    });
  });
  await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
  return model;
}

const INTERFACES = [
  { path: /^\/v1\/messages$/, answer: messages },
  { path: /\/responses$/, answer: responses },
  { path: /\/chat\/completions$/, answer: completions },
  { path: /:(?:streamGenerateContent|generateContent)$/, answer: content },
];

/** All text within a message, whatever its form. */
function textsOf(value) {
  if (typeof value === 'string') return [value];
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(textsOf);
}

/** What it says to a person first. */
let opening = BEFORE;

let answers = 0;

function messages(response, { tools = [], messages: said, model }) {
  const last = said.at(-1)?.content;
  const isResult = Array.isArray(last) && last.some(({ type }) => type === 'tool_result');
  const call = { command: COMMAND, description: WHY };
  const text = !tools.some(({ name }) => name === 'Bash') ? TITLE : isResult ? ANSWER : opening;
  const id = ++answers;
  const send = (type, fields) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  const usage = { input_tokens: 10, output_tokens: 1 };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage };
  send('message_start', { message });
  send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  for (const word of wordsOf(text)) {
    send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: word } });
  }
  send('content_block_stop', { index: 0 });
  if (text === BEFORE) {
    send('content_block_start', {
      index: 1,
      content_block: { type: 'tool_use', id: `toolu_${id}`, name: 'Bash', input: {} },
    });
    send('content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: JSON.stringify(call) } });
    send('content_block_stop', { index: 1 });
  }
  send('message_delta', {
    delta: { stop_reason: text === BEFORE ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage,
  });
  send('message_stop', {});
  response.end();
}

function responses(response, { input = [], tools = [] }) {
  const id = ++answers;
  const send = (type, fields) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const isResult = input.at(-1)?.type?.endsWith('_output') === true;
  const names = tools.map(({ name }) => name);
  const text = names.length === 0 ? TITLE : isResult ? ANSWER : opening;
  send('response.created', { response: { id: `resp_${id}` } });
  const message = { type: 'message', role: 'assistant', id: `msg_${id}`, content: [] };
  send('response.output_item.added', { output_index: 0, item: message });
  for (const delta of wordsOf(text)) {
    send('response.output_text.delta', { item_id: message.id, output_index: 0, content_index: 0, delta });
  }
  const done = { ...message, content: [{ type: 'output_text', text, annotations: [] }] };
  send('response.output_item.done', { output_index: 0, item: done });
  if (text === BEFORE) {
    const name = ['exec_command', 'shell_command', 'shell'].find((each) => names.includes(each));
    if (name === undefined) throw new Error(`No shell among the tools: ${names.join(', ')}`);
    const asked = { sandbox_permissions: 'require_escalated', justification: WHY };
    const key = name === 'exec_command' ? 'cmd' : 'command';
    const args = { [key]: name === 'shell' ? ['bash', '-lc', COMMAND] : COMMAND, ...asked };
    const call = {
      type: 'function_call',
      id: `fc_${id}`,
      call_id: `call_${id}`,
      name,
      arguments: JSON.stringify(args),
    };
    send('response.output_item.done', { output_index: 1, item: call });
  }
  const usage = { input_tokens: 10, output_tokens: 1, total_tokens: 11 };
  send('response.completed', { response: { id: `resp_${id}`, usage } });
  response.end();
}

function completions(response, { messages: said, tools = [], model }) {
  const id = ++answers;
  const text = tools.length === 0 ? TITLE : said.at(-1)?.role === 'tool' ? ANSWER : opening;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta, reason = null) => {
    const choices = [{ index: 0, delta, finish_reason: reason }];
    const chunk = { id: `chat_${id}`, object: 'chat.completion.chunk', created: 1, model, choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  for (const word of wordsOf(text)) send({ role: 'assistant', content: word });
  if (text === BEFORE) {
    const args = JSON.stringify({ command: COMMAND, description: WHY });
    const call = { index: 0, id: `call_${id}`, type: 'function', function: { name: 'bash', arguments: args } };
    send({ tool_calls: [call] });
  }
  send({}, text === BEFORE ? 'tool_calls' : 'stop');
  response.end('data: [DONE]\n\n');
}

function content(response, { contents, tools = [], generationConfig = {} }) {
  const parts = contents.at(-1)?.parts ?? [];
  const isPlain = tools.length === 0 || generationConfig.responseJsonSchema !== undefined;
  const isResult = parts.some(({ functionResponse }) => functionResponse !== undefined);
  const text = isPlain ? '{"next_speaker":"user","reasoning":"It has answered."}' : isResult ? ANSWER : opening;
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 1, totalTokenCount: 11 };
  const chunk = (part, finishReason) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, ...(finishReason && { finishReason }) }],
    usageMetadata,
  });
  if (isPlain) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(chunk({ text }, 'STOP')));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (value) => response.write(`data: ${JSON.stringify(value)}\r\n\r\n`);
  for (const word of wordsOf(text)) send(chunk({ text: word }));
  const args = { command: COMMAND, description: WHY };
  send(
    text === BEFORE
      ? chunk({ functionCall: { name: 'run_shell_command', args } }, 'STOP')
      : chunk({ text: '' }, 'STOP'),
  );
  response.end();
}

function wordsOf(text) {
  return text.split(/(?<= )/);
}
