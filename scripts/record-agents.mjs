// Records the fixture of the profile "claude" from the real program, which talks to a model that answers from a script: nothing
// leaves this machine. `node scripts/record-agents.mjs PROGRAM`, after a build; PROGRAM is the path of `claude`, installed anywhere
// (npm install --prefix DIR @anthropic-ai/claude-code). Writes test/activity/fixtures/claude.out.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [program] = process.argv.slice(2);
if (program === undefined) throw new Error('usage: node scripts/record-agents.mjs PROGRAM');

/** Always the same, since programs print it. */
const directory = '/tmp/t4a-fixture';
const KEY = 'sk-ant-none-00000000000000000000';

const ASK = [
  { type: 'text', text: 'I will look at the files first.' },
  {
    type: 'tool_use',
    name: 'Bash',
    input: { command: 'rm -f build.log && ls', description: 'Remove the log and list files' },
  },
];
const ANSWER = [{ type: 'text', text: 'There are two files. The build is ready.\n\n- a.txt\n- b.txt' }];
const TITLE = [{ type: 'text', text: 'Files' }];

/** A model of the Messages API. */
const model = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (!request.url.startsWith('/v1/messages') || request.url.includes('count_tokens')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"input_tokens":10}');
      return;
    }
    const { tools = [], messages, model: name } = JSON.parse(Buffer.concat(chunks).toString());
    const last = messages.at(-1)?.content;
    const isResult = Array.isArray(last) && last.some(({ type }) => type === 'tool_result');
    const blocks = !tools.some((tool) => tool.name === 'Bash') ? TITLE : isResult ? ANSWER : ASK;
    respond(response, name, blocks);
  });
});

let answers = 0;

function respond(response, name, blocks) {
  const id = ++answers;
  const send = (type, fields) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  const usage = { input_tokens: 10, output_tokens: 1 };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send('message_start', {
    message: {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: name,
      content: [],
      stop_reason: null,
      usage,
    },
  });
  for (const [index, block] of blocks.entries()) {
    if (block.type === 'text') {
      send('content_block_start', { index, content_block: { type: 'text', text: '' } });
      for (const text of block.text.split(/(?<= )/)) {
        send('content_block_delta', { index, delta: { type: 'text_delta', text } });
      }
    } else {
      const tool = { type: 'tool_use', id: `toolu_${id}_${index}`, name: block.name, input: {} };
      send('content_block_start', { index, content_block: tool });
      const delta = { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
      send('content_block_delta', { index, delta });
    }
    send('content_block_stop', { index });
  }
  const reason = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  send('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}

const socket = join('/tmp', `t4a-record-${process.pid}.s`);

/** In a process of its own, while this one answers. */
async function t4a(...args) {
  const child = spawn(process.execPath, [join(root, 'dist/cli.cjs'), '--socket', socket, ...args], { cwd: directory });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (status === null || status >= 124) throw new Error(`t4a ${args.join(' ')}: status ${status}`);
  return Buffer.concat(chunks);
}

rmSync(directory, { recursive: true, force: true });
for (const folder of ['home', 'project']) mkdirSync(join(directory, folder), { recursive: true });
for (const file of ['a.txt', 'b.txt']) writeFileSync(join(directory, 'project', file), 'text\n');
const project = join(directory, 'project');
const settings = {
  hasCompletedOnboarding: true,
  theme: 'dark',
  customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
  projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
};
writeFileSync(join(directory, 'home/.claude.json'), JSON.stringify(settings));

await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
const variables = {
  HOME: join(directory, 'home'),
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.address().port}`,
  ANTHROPIC_API_KEY: KEY,
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
};
const env = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
await t4a('create', '--name', 'claude', '--cols', '80', '--rows', '40', '--cwd', project, ...env, '--', program);
const settled = (ms) => t4a('wait', 'claude', '--settled', String(ms), '--timeout', '30s');
await settled(1500);
await t4a('type', 'claude', 'List the files and clean the log');
await settled(300);
await t4a('press', 'claude', 'Enter');
await t4a('wait', 'claude', '--text', 'Do you want to proceed?', '--timeout', '30s');
await settled(300);
await t4a('press', 'claude', 'Enter');
await t4a('wait', 'claude', '--text', 'The build is ready.', '--timeout', '30s');
await settled(1500);
await t4a('type', 'claude', 'Thanks, that is all');
await settled(300);
await t4a('press', 'claude', 'Enter');
await settled(1500);
await t4a('press', 'claude', 'Escape');
await settled(1000);
writeFileSync(join(root, 'test/activity/fixtures/claude.out'), await t4a('output', 'claude'));
await t4a('shutdown');
model.close();
rmSync(directory, { recursive: true, force: true });
