// `node scripts/mcp-agents.mjs DIR [program…]`: starts the agents of DIR/node_modules (Claude Code, codex) headless, with
// `t4a mcp` of this build and a model of a script, and prints what each says of itself over MCP, which tools it offers, and
// what it hands the model of a result. Nothing leaves the machine; their folders are temporary.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS } from './agents/programs.mjs';

const CLI = fileURLToPath(new URL('../dist/cli.cjs', import.meta.url));
const TASK = 'Run it.';
const DONE = 'It is done.';
const CALLS = [
  { tool: 'run', input: { command: 'echo from $((40 + 2))' } },
  { tool: 'create', input: { name: 'seen', command: 'echo picture; exec cat', observe: 'image' } },
  { tool: 'ask', input: { question: 'Which branch?' } },
];
const DEADLINE_MS = 120_000;

const HEADLESS = {
  claude: ({ config }) => ['-p', TASK, '--mcp-config', config, '--strict-mcp-config', '--allowedTools', 'mcp__t4a'],
  codex: () => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', TASK],
};

async function tryProgram(name) {
  const root = mkdtempSync(join(tmpdir(), 't4a-mcp-agent-'));
  const place = { home: join(root, 'home'), project: join(root, 'project') };
  for (const path of Object.values(place)) mkdirSync(path);
  const requests = [];
  const model = createServer((request, response) => answer(request, response, requests));
  await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${model.address().port}`;
  const { variables } = PROGRAMS[name]({ ...place, url });
  const socket = join(root, 's');
  const [sent, received] = ['sent', 'received'].map((file) => join(root, file));
  const line = `tee ${sent} | ${process.execPath} ${CLI} --socket ${socket} mcp | tee ${received}`;
  const server = { command: 'sh', args: ['-c', line] };
  const config = join(root, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { t4a: { type: 'stdio', ...server } } }));
  configure[name]?.(place.home, server);
  const program = join(directory, 'node_modules/.bin', name);
  const env = { PATH: process.env.PATH, HOME: place.home, TERM: 'dumb', ...variables };
  const version = execFileSync(program, ['--version'], { env, encoding: 'utf8' }).trim();
  const child = spawn(program, HEADLESS[name]({ config }), {
    cwd: place.project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const deadline = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
  const [status] = await once(child, 'exit');
  clearTimeout(deadline);
  console.log(`\n# ${name} ${version}: exit ${status}`);
  report(linesOf(sent), requests);
  if (status !== 0) console.log(output.slice(-2000));
  model.closeAllConnections();
  model.close();
  try {
    execFileSync(process.execPath, [CLI, '--socket', socket, 'shutdown'], { stdio: 'ignore' });
  } catch {
    // None was started.
  }
  rmSync(root, { recursive: true, force: true });
}

const configure = {
  codex(home, { command, args }) {
    const file = join(home, '.codex/config.toml');
    const table = `[mcp_servers.t4a]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n${table}`);
  },
};

function linesOf(file) {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

function report(sent, requests) {
  const first = sent.find(({ method }) => method === 'initialize' || method === 'server/discover');
  console.log('begins with', JSON.stringify(first?.params ?? null).slice(0, 600));
  console.log('methods', [...new Set(sent.map(({ method }) => method ?? 'reply'))].join(', '));
  const metas = sent.flatMap(({ method, params }) => (method === 'tools/call' ? Object.keys(params._meta ?? {}) : []));
  console.log('_meta of calls', [...new Set(metas)].join(', '));
  const offered = requests.flatMap(({ tools, text }) => [...tools, ...(text.match(/\bmcp__t4a__\w+/g) ?? [])]);
  console.log('tools', [...new Set(offered)].join(' ') || 'none');
  for (const { last } of requests) {
    if (/tool_result|_output/.test(JSON.stringify(last))) console.log('result', shortened(last));
  }
}

function shortened(message) {
  return JSON.stringify(message)
    .replaceAll(/[A-Za-z0-9+/=]{200,}/g, '…')
    .slice(0, 700);
}

function namesOf({ name = '', tools = [], functionDeclarations = [] }) {
  return [name, ...[...tools, ...functionDeclarations].map((inner) => `${name}/${inner.name}`)];
}

function answer(request, response, requests) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { pathname } = new URL(request.url, 'http://model');
    const isMessages = pathname === '/v1/messages';
    if (request.method !== 'POST' || !(isMessages || pathname.endsWith('/responses'))) {
      response.writeHead(pathname.includes('count_tokens') ? 200 : 404, { 'content-type': 'application/json' });
      response.end('{"input_tokens":10}');
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const said = body.messages ?? body.input ?? [];
    const names = (body.tools ?? []).flatMap(namesOf);
    if (names.length > 0)
      requests.push({
        text: JSON.stringify(body),
        tools: names.filter((name) => name.startsWith('mcp__t4a')),
        last: said.at(-1),
      });
    const count = JSON.stringify(said).split(isMessages ? '"tool_result"' : '_call_output"').length - 1;
    const call = names.length === 0 ? undefined : CALLS[count];
    (isMessages ? messages : responses)(response, call, body);
  });
}

let answers = 0;

function messages(response, call, { model }) {
  const id = ++answers;
  const send = (type, fields) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  const usage = { input_tokens: 10, output_tokens: 1 };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send('message_start', {
    message: { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage },
  });
  if (call === undefined) {
    send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
    send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: DONE } });
  } else {
    const block = { type: 'tool_use', id: `toolu_${id}`, name: `mcp__t4a__${call.tool}`, input: {} };
    send('content_block_start', { index: 0, content_block: block });
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(call.input) };
    send('content_block_delta', { index: 0, delta });
  }
  send('content_block_stop', { index: 0 });
  send('message_delta', {
    delta: { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null },
    usage,
  });
  send('message_stop', {});
  response.end();
}

function responses(response, call, { tools = [] }) {
  const id = ++answers;
  const send = (type, fields) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send('response.created', { response: { id: `resp_${id}` } });
  const group = tools.find(({ name, type }) => type === 'namespace' && /t4a/.test(name));
  const flat = tools.find(({ name = '' }) => name.endsWith(`t4a__${call?.tool}`));
  const item =
    call === undefined
      ? {
          type: 'message',
          role: 'assistant',
          id: `m_${id}`,
          content: [{ type: 'output_text', text: DONE, annotations: [] }],
        }
      : {
          type: 'function_call',
          id: `fc_${id}`,
          call_id: `call_${id}`,
          name: flat?.name ?? call.tool,
          ...(group && { namespace: group.name }),
          arguments: JSON.stringify(call.input),
        };
  send('response.output_item.done', { output_index: 0, item });
  const usage = { input_tokens: 10, output_tokens: 1, total_tokens: 11 };
  send('response.completed', { response: { id: `resp_${id}`, usage } });
  response.end();
}

const [directory = '', ...chosen] = process.argv.slice(2);
for (const name of chosen.length === 0 ? ['claude', 'codex'] : chosen) await tryProgram(name);
