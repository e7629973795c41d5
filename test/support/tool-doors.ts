/** Ways of a model to a daemon, each for somebody with some rights: what the judge of authority calls through. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type Client, connect } from '../../src/client/client.js';
import { ReplyReader } from '../../src/client/reply-reader.js';
import { CREW_TOOLS } from '../../src/crew/tools/tool-set.js';
import { callTool } from '../../src/tools/call-tool.js';
import type { Door } from './authority.js';
import { CLI, environmentOf } from './cli.js';
import { testCrew } from './crew.js';
import { written } from './doors.js';
import type { AtEnd, Kept } from './of-file.js';
import { REVISIONS, type Rights } from './rights.js';

type Ask = (req: number, line: string) => Promise<unknown>;

interface Pending {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Program {
  readonly command?: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A program of lines of JSON, whose answers have the number of their call. */
export function linesOf(
  { command = process.execPath, args, env = {}, cwd }: Program,
  atEnd: AtEnd = onTestFinished,
): Ask {
  const child = spawn(command, args, {
    env: { ...environmentOf({}), ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  atEnd(() => void child.kill('SIGKILL'));
  const waiting = new Map<unknown, Pending>();
  const answered = (answer: { readonly req?: unknown; readonly id?: unknown }): void =>
    waiting.get(answer.req ?? answer.id)?.resolve(answer);
  // What is written to a program that has ended fails here, and not as an error of the stream.
  let ended: Error | undefined;
  child.once('close', (status) => {
    ended = new Error(`${args.join(' ')} has ended with ${status}`);
    for (const one of waiting.values()) one.reject(ended);
  });
  child.stdin.on('error', () => {});
  // Pictures follow their line.
  const reader = new ReplyReader({ reply: answered, garbage: () => child.kill() });
  child.stdout.on('data', (chunk: Buffer) => reader.push(new Uint8Array(chunk)));
  return async (req, line) => {
    if (ended !== undefined) throw ended;
    return new Promise((resolve, reject) => {
      waiting.set(req, { resolve, reject });
      child.stdin.write(`${line}\n`);
    });
  };
}

/** Begins with a handshake, or says its revision with each call, as later ones do. */
export async function toolsOverMcp(revision: string, program: Program): Promise<Door['call']> {
  const ask = linesOf({ ...program, args: [CLI, 'mcp', ...program.args] });
  const clientInfo = { name: 'judge', version: '1' };
  const isLater = revision === REVISIONS.at(-1);
  const of = 'io.modelcontextprotocol';
  const meta = {
    _meta: {
      [`${of}/protocolVersion`]: revision,
      [`${of}/clientInfo`]: clientInfo,
      [`${of}/clientCapabilities`]: {},
    },
  };
  if (!isLater) {
    const params = { protocolVersion: revision, capabilities: {}, clientInfo };
    await ask(0, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
  }
  return async (name, input, id) => {
    const params = JSON.stringify({ name, arguments: input, ...(isLater ? meta : {}) });
    // Another tool before it, for who reads the first field.
    const twice = id % 3 === 0 ? params.replace(/^\{"name"/, '{"name":"list","n\\u0061me"') : params;
    const answer = await ask(id, `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${twice}}`);
    const { error } = answer as { error?: { code: number } };
    // An internal error is no answer.
    if (error?.code === -32_603) throw new Error(JSON.stringify(error));
    return answer;
  };
}

export async function stdioDoor({ socketPath }: Client, rights: Rights, kept: Kept): Promise<Door> {
  const { allow } = rights;
  const args = [CLI, 'stdio', '--allow', allow, '--socket', socketPath];
  const ask = await kept(`stdio, ${allow}`, async (atEnd) => linesOf({ args }, atEnd));
  return { call: (name, input, req) => ask(req, written(req, name, input, rights)) };
}

type Offer = Pick<Rights, 'allow' | 'profile' | 'tools'>;

const offerOf = ({ allow, profile, tools }: Rights): Offer => ({
  allow,
  profile,
  ...(tools === undefined ? {} : { tools }),
});

/** Of a client of its own: the observer has named terminals in its scope. */
export async function callToolDoor({ socketPath }: Client, rights: Rights): Promise<Door> {
  const client = await connect({ socketPath, autoStart: false });
  onTestFinished(() => client.close());
  return { call: (name, input) => callTool(client, name, input, offerOf(rights)) };
}

export async function servedToolsDoor({ socketPath }: Client, rights: Rights, kept: Kept): Promise<Door> {
  const args = [CLI, 'tools', '--serve', '--json', '--socket', socketPath];
  const ask = await kept('tools --serve', async (atEnd) => linesOf({ args }, atEnd));
  return { call: (name, input, req) => ask(req, JSON.stringify({ ...offerOf(rights), name, input, req })) };
}

const PYTHON_CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url));
const PYTHON = `
import json, sys, t4a
client = t4a.connect(sys.argv[1], t4a_command=json.loads(sys.argv[2]))
for line in sys.stdin:
    call = json.loads(line)
    result = client.call_tool(call["name"], call["input"], **call["rights"])
    print(json.dumps({"req": call["req"], "is_error": result.is_error, "content": str(result.content)}), flush=True)
`;

export async function pythonDoor({ socketPath }: Client, rights: Rights, kept: Kept): Promise<Door> {
  const args = ['-Bc', PYTHON, socketPath, JSON.stringify([process.execPath, CLI])];
  const env = { PYTHONPATH: PYTHON_CLIENT };
  const ask = await kept('python', async (atEnd) => linesOf({ command: 'python3', args, env }, atEnd));
  return { call: (name, input, req) => ask(req, JSON.stringify({ rights: offerOf(rights), name, input, req })) };
}

export async function mcpDoor({ socketPath }: Client, rights: Rights): Promise<Door> {
  const { allow, profile, tools, revision } = rights;
  const offer = ['--allow', allow, '--profile', profile, ...(tools === undefined ? [] : ['--tools', tools.join(',')])];
  return { call: await toolsOverMcp(revision, { args: [...offer, '--socket', socketPath] }) };
}

/** Of a program in a terminal of a crew, and of an agent above it. */
export async function crewDoor(client: Client, rights: Rights): Promise<Door> {
  const { made, env, cwd, beyond } = await crewOf(client, rights);
  let call: Door['call'] | undefined;
  return {
    isOfOne: true,
    made,
    beyond,
    async about(id) {
      const ask = await toolsOverMcp(rights.revision, { args: ['--profile', 'crew'], env: env(id), cwd });
      call = (name, input, req) => ask(...ofCrew(name, input, id, req), req);
    },
    call: (name, input, req) => call?.(name, input, req) ?? Promise.reject(new Error('The crew has no terminal.')),
  };
}

interface CrewInput {
  readonly [field: string]: unknown;
  readonly id?: unknown;
  readonly cmd_args?: unknown;
  readonly command?: unknown;
}

/** A preset of the project, which makes a file named after the folder in which it runs. */
const PRESET = 'judged';

/** What is not of these is a call of any tool, with the fields as they are. */
const OF_CREW: Readonly<Record<string, (id: unknown, input: CrewInput, req: number) => readonly [string, object]>> = {
  list: () => ['list_processes', {}],
  text: (id) => ['get_process_output', { process_id: id }],
  status: (id) => ['get_process_status', { process_id: id }],
  grep: (id, { pattern }) => ['search_output', { process_id: id, pattern }],
  wait: (id) => ['wait_for_pattern', { process_id: id, pattern: 'ready', timeout_seconds: 0.1 }],
  type: (id, { text }) => ['send_input', { process_id: id, kind: 'text', text, submit: false }],
  press: (id) => ['send_input', { process_id: id, kind: 'key', key: 'a' }],
  paste: (id, { text }) => ['send_input', { process_id: id, kind: 'paste', text }],
  create: (_, { cmd_args: argv, command }) => [
    'spawn_process',
    { kind: 'command', argv: argv ?? [command], shell: argv === undefined },
  ],
  run: (_, { cmd_args: argv, command }, req) =>
    command === undefined || argv !== undefined
      ? ['spawn_process', { kind: 'terminal', argv: argv ?? [] }]
      : ['spawn_process', { kind: 'command', preset: PRESET, ...ABOUT_PRESET[req % ABOUT_PRESET.length] }],
  kill: (id, { signal }) => ['stop_process', { process_id: id, ...(signal === undefined ? {} : { signal }) }],
  restart: (id) => ['restart_process', { process_id: id }],
  rename: (id) => ['rename_process', { process_id: id, name: 'x' }],
  publish: (id) => ['send_message', { target_process_id: id, message: 'x' }],
  shutdown: (id) => ['close_process', { process_id: id }],
  ask: (id) => ['request_human_attention', { process_id: id, reason: 'x' }],
};

const ABOUT_PRESET: readonly object[] = [
  {},
  { working_dir: '../clone' },
  { env: { PATH: '/nowhere' } },
  { env: { LD_PRELOAD: 'x' } },
];

/** Of the input of a command: those that a model may add to whatever tool. */
const ADDED = ['cmd', 'req', 'as', 'scope', 'host', 'traceparent', 'via', 'person', 'force', 'all', 'where'];

/** @returns the tool and its fields */
function ofCrew(name: string, input: unknown, about: string, req: number): readonly [string, unknown] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return ['list_processes', input];
  const fields = input as CrewInput;
  const { id = about } = fields;
  const [tool, own] = OF_CREW[name]?.(id, fields, req) ?? [CREW_TOOLS[req % CREW_TOOLS.length]?.name ?? '', fields];
  return [tool, { ...own, ...Object.fromEntries(Object.entries(fields).filter(([field]) => ADDED.includes(field))) }];
}

/** Of a crew of its own: an agent, the terminal below it that the calls are about, and whom the caller's server runs as. */
async function crewOf(client: Client, { allow, isTrusted }: Rights) {
  const isAgent = allow === 'create';
  const crew = testCrew();
  const limits = { children: 256, spawns_a_minute: 600 };
  writeFileSync(`${crew.env['XDG_CONFIG_HOME']}/t4a/crew.json`, JSON.stringify({ limits }));
  const script = `touch '${crew.dir.path}/ran-in-'"\${PWD##*/}"`;
  mkdirSync(crew.dir.join('clone'));
  crew.preset('processes', `${PRESET}.json`, { name: PRESET, argv: ['/bin/sh', '-c', script] });
  if (isTrusted) await crew.t4a(['crew', 'trust', PRESET]);
  const agent = `agent-${randomUUID().slice(0, 8)}`;
  const labels = (kind: string) => ({ 'crew.session': agent, 'crew.kind': kind });
  await client.call('create', { name: agent, cmd_args: ['cat'], labels: labels('agent') });
  const mayRun = isAgent && isTrusted ? ['shop'] : [];
  return {
    made: { parent: agent, labels: labels('terminal') },
    cwd: crew.project,
    env: (id: string) => ({ ...crew.env, T4A_SOCKET: client.socketPath, T4A_TERMINAL: isAgent ? agent : id }),
    beyond: () =>
      ['shop', 'clone']
        .filter((folder) => !mayRun.includes(folder) && existsSync(crew.dir.join(`ran-in-${folder}`)))
        .map((folder) => `started a preset that is not trusted in ${folder}`),
  };
}
