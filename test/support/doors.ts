/** Ways to a daemon from further away, each for somebody with some rights: what the judge of authority calls through. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { Client } from '../../src/client/client.js';
import type { KeyGrant } from '../../src/page/greeting.js';
import { ReplyReader } from '../../src/client/reply-reader.js';
import { CREW_TOOLS } from '../../src/crew/tools/tool-set.js';
import { Link } from '../../src/nats/link.js';
import { newToken } from '../../src/nats/subjects.js';
import { enter, servedFor, type TestSocket, trade } from '../web/served.js';
import type { Door, Rights } from './authority.js';
import { runCli, streamCli } from './cli.js';
import { testCrew } from './crew.js';
import { testFleet } from './fleet.js';
import { vtr } from './grpc.js';
import { askInterminai, interminai } from './interminai.js';
import { joined, natsServer } from './nats.js';
import { RawConnection } from './raw.js';
import { tempDir } from './temp-dir.js';

/** Two writings of one line: what is behind comes first for who reads the first field, and escapes hide a name. */
export function written(req: number, cmd: string, input: unknown): string {
  const fields = JSON.stringify({ ...(typeof input === 'object' ? input : {}), req });
  const escaped = cmd.replace(/^./, (first) => `\\u00${first.charCodeAt(0).toString(16)}`);
  const line = `{"cmd":"list",${fields.slice(1, -1)},"c\\u006dd":"${escaped}"}`;
  return req % 3 === 0 ? `\uFEFF${line}` : req % 3 === 1 ? line : JSON.stringify({ ...JSON.parse(line) });
}

/** Each call on a connection of its own, which is restricted first. */
export function restricted(socketPath: string, { allow }: Rights): Door {
  return {
    async call(name, input, req) {
      const connection = new RawConnection(socketPath);
      try {
        connection.write(`{"cmd":"restrict","reach":"${allow}","person":false}\n`);
        await connection.reply();
        connection.write(`${written(req, name, input)}\n`);
        return await connection.reply();
      } finally {
        connection.close();
      }
    },
  };
}

export async function gatewayDoor({ socketPath }: Client, rights: Rights): Promise<Door> {
  const { env, dir } = testFleet();
  const far = dir.join('fleet.sock');
  const fleet = { ...env, T4A_SOCKET: socketPath };
  const server = streamCli(['fleet', '--socket', far], { env: fleet, cwd: dir.path });
  await server.line();
  return restricted(far, rights);
}

/** Messages of a page that is entered again whenever it is shut out. */
function throughPage(origin: string, grant: KeyGrant, first: readonly object[] = []): Door['call'] {
  let socket: TestSocket | undefined;
  const entered = async (): Promise<TestSocket> => {
    const [page] = await enter(origin, grant);
    for (const message of first) await page.say(message);
    return page;
  };
  return async (name, input, req) => {
    if (socket?.socket.readyState !== socket?.socket.OPEN) socket = undefined;
    socket ??= await entered();
    await socket.say(written(req, name, input).replace('\uFEFF', ''));
    try {
      for (;;) {
        const message = await socket.next();
        if (message['req'] === req && !('event' in message)) return message;
      }
    } catch {
      // It was shut out, and is told why: that is an answer, too.
      return socket.closed();
    }
  };
}

export async function pageDoor({ socketPath }: Client, { allow }: Rights): Promise<Door> {
  const flags = allow === 'read' ? ['--read-only'] : [];
  const { origin, code } = await servedFor(['--socket', socketPath, ...flags]);
  return { call: throughPage(origin, await trade(origin, code)) };
}

/** A link to one terminal, to look at. */
export async function guestDoor({ socketPath }: Client): Promise<Door> {
  const env = { XDG_RUNTIME_DIR: tempDir().path };
  const { origin } = await servedFor(['--socket', socketPath], env);
  let call: Door['call'] | undefined;
  return {
    async about(id) {
      const { stdout } = await runCli(['web', '--link', '--read-only', id], { env });
      const grant = await trade(origin, new URL(stdout.trim()).hash.slice(1));
      call = throughPage(origin, grant, [{ cmd: 'events', req: 'e', shared: true }]);
    },
    call: (name, input, req) => call?.(name, input, req) ?? Promise.reject(new Error('The link is of no terminal.')),
  };
}

/** A client of NATS alone, which checks nothing before it asks. @returns its links, and the process of the agent */
export async function natsHost({ socketPath }: Client, allow: Rights['allow']) {
  const [server, fleet] = [await natsServer(), testFleet()];
  const { process: agent } = await joined(fleet, socketPath, [
    `${server.url}/judged`,
    '--name',
    'web1',
    '--allow',
    allow,
  ]);
  const nats = await server.client();
  const { data } = await nats.request('t4a.judged.who.web1', undefined, { timeout: 5000 });
  const { address } = JSON.parse(Buffer.from(data).toString()) as { address: string };
  const link = (level: string): Link => {
    const from = `_INBOX.test.${newToken()}`;
    const opened = new Link({ nats, to: `t4a.judged.host.web1.${address}.${level}`, from });
    nats.subscribe(from, { callback: (_error, message) => opened.receive(message) });
    onTestFinished(() => void opened.destroy());
    return opened;
  };
  return { link, agent };
}

export async function natsDoor(client: Client, { allow }: Rights): Promise<Door> {
  const { link } = await natsHost(client, allow);
  // Levels that the host does not have are asked, too: nobody answers there.
  const [own, highest] = [link(allow), link('create')];
  highest.on('error', () => {});
  const waiting = new Map<unknown, (answer: unknown) => void>();
  const reader = new ReplyReader({
    reply: (header) => waiting.get(header['req'])?.(header),
    garbage: () => {},
  });
  own.on('data', (chunk: Buffer) => reader.push(new Uint8Array(chunk)));
  return {
    call(name, input, req) {
      const line = `${written(req, name, input)}\n`;
      if (!highest.destroyed && allow !== 'create') highest.write(line);
      return new Promise((resolve) => {
        waiting.set(req, resolve);
        own.write(line);
      });
    },
  };
}

/** Requests of one message each, which are for reading alone. */
export async function natsRequestDoor({ socketPath }: Client): Promise<Door> {
  const [server, fleet] = [await natsServer(), testFleet()];
  await joined(fleet, socketPath, [`${server.url}/judged`, '--name', 'web1', '--allow', 'create']);
  const nats = await server.client();
  return {
    call: (name, input, req) => nats.request('t4a.judged.host.web1', written(req, name, input), { timeout: 30_000 }),
  };
}

const OF_GRPC: Readonly<Record<string, string>> = {
  list: 'List',
  text: 'GetScreen',
  status: 'Info',
  grep: 'Grep',
  wait: 'WaitForIdle',
  type: 'SendText',
  press: 'SendKey',
  paste: 'SendBytes',
  create: 'Spawn',
  run: 'Spawn',
  kill: 'Remove',
};

/** All that the API has, with fields of t4a among its own. */
export async function grpcDoor({ socketPath }: Client): Promise<Door> {
  const { call } = await vtr(socketPath);
  return {
    call(name, input) {
      const fields = { ...(typeof input === 'object' ? input : {}) } as Record<string, unknown>;
      const own = { name: fields['id'] ?? fields['name'], key: 'a', data: Buffer.from('x'), timeout: '0.02s' };
      const given = { ...own, ...pickTexts(fields, ['text', 'command', 'pattern', 'working_dir', 'signal']) };
      return call(OF_GRPC[name] ?? 'Info', given).catch((error: Error) => error);
    },
  };
}

function pickTexts(fields: Record<string, unknown>, names: readonly string[]): object {
  return Object.fromEntries(names.flatMap((name) => (typeof fields[name] === 'string' ? [[name, fields[name]]] : [])));
}

/** One terminal, which is its own: of others it knows nothing. */
export async function interminaiDoor({ socketPath }: Client): Promise<Door> {
  const { socketPath: own } = await interminai(socketPath, '--', 'cat');
  const types = ['INPUT', 'OUTPUT', 'RUNNING', 'RESIZE', 'STATUS', 'DEBUG', 'CURSOR'];
  return {
    call(name, input, req) {
      const fields = typeof input === 'object' ? input : {};
      const type = name === 'type' || name === 'send' ? 'INPUT' : (types[req % types.length] as string);
      return askInterminai(own, { data: 'x', timeout: 0.02, ...fields, type });
    },
  };
}

interface CrewInput {
  readonly [field: string]: unknown;
  readonly cmd_args?: unknown;
  readonly command?: unknown;
}

/** What is not of these is a call of any tool, with the fields as they are. */
const OF_CREW: Readonly<Record<string, (id: string, input: CrewInput) => readonly [string, object]>> = {
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
  run: (_, { cmd_args: argv, command }) => [
    'spawn_process',
    { kind: 'terminal', argv: argv ?? [command], shell: argv === undefined },
  ],
  kill: (id, { signal }) => ['stop_process', { process_id: id, ...(signal === undefined ? {} : { signal }) }],
  restart: (id) => ['restart_process', { process_id: id }],
  rename: (id) => ['rename_process', { process_id: id, name: 'x' }],
  publish: (id) => ['send_message', { target_process_id: id, message: 'x' }],
  shutdown: (id) => ['close_process', { process_id: id }],
  ask: (id) => ['request_human_attention', { process_id: id, reason: 'x' }],
};

/** Of the input of a command: those that a model may add to whatever tool. */
const ADDED = ['cmd', 'req', 'as', 'scope', 'host', 'traceparent', 'via', 'person', 'force', 'all', 'where'];

/** @returns the tool and its fields */
export function ofCrew(name: string, input: unknown, id: string, req: number): readonly [string, unknown] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return ['list_processes', input];
  const fields = input as CrewInput;
  const [tool, own] = OF_CREW[name]?.(id, fields) ?? [CREW_TOOLS[req % CREW_TOOLS.length]?.name ?? '', fields];
  return [tool, { ...own, ...Object.fromEntries(Object.entries(fields).filter(([field]) => ADDED.includes(field))) }];
}

/** Of a crew of its own: an agent, the terminal below it that the calls are about, and whom the caller's server runs as. */
export async function crewOf(client: Client, isAgent: boolean) {
  const crew = testCrew();
  writeFileSync(`${crew.env['XDG_CONFIG_HOME']}/t4a/crew.json`, '{"limits":{"children":256,"spawns_a_minute":600}}');
  const agent = `agent-${randomUUID().slice(0, 8)}`;
  const labels = (kind: string) => ({ 'crew.session': agent, 'crew.kind': kind });
  await client.call('create', { name: agent, cmd_args: ['cat'], labels: labels('agent') });
  return {
    made: { parent: agent, labels: labels('terminal') },
    cwd: crew.project,
    env: (id: string) => ({ ...crew.env, T4A_SOCKET: client.socketPath, T4A_TERMINAL: isAgent ? agent : id }),
  };
}
