/** Ways to a daemon from further away, each for somebody with some rights: what the judge of authority calls through. */
import { onTestFinished } from 'vitest';
import type { Client } from '../../src/client/client.js';
import { ReplyReader } from '../../src/client/reply-reader.js';
import { NatsLink } from '../../src/nats/link.js';
import { newToken } from '../../src/nats/subjects.js';
import type { KeyGrant } from '../../src/page/greeting.js';
import { enter, servedFor, type TestSocket, trade } from '../web/served.js';
import type { Door } from './authority.js';
import { streamCli } from './cli.js';
import { runCliHere } from './cli-in-process.js';
import { testFleet } from './fleet.js';
import { vtr } from './grpc.js';
import { askInterminai, interminai } from './interminai.js';
import { joined, natsServer } from './nats.js';
import type { AtEnd, Kept } from './of-file.js';
import { RawConnection } from './raw.js';
import type { Rights } from './rights.js';
import { tempDir } from './temp-dir.js';

/**
 * Several writings of one line: a byte order mark; a second command before or behind, for who reads the first or the last field;
 * escapes that hide names; blanks.
 */
export function written(req: number, cmd: string, input: unknown, { scope }: Pick<Rights, 'scope'>): string {
  const fields = JSON.stringify({ scope, ...(typeof input === 'object' ? input : {}), req }).slice(1, -1);
  const escaped = cmd.replace(/^./, (first) => `\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const line = `{"cmd":"list",${fields},"c\\u006dd":"${escaped}"}`;
  const plain = JSON.stringify({ ...JSON.parse(line) });
  return (
    [
      `\uFEFF${line}`,
      line,
      plain,
      `{${fields},"cmd":"${escaped}","\\u0063md":"list"}`,
      `\t ${plain.replaceAll('":', '"\t:')} \r`,
      `{${fields.replaceAll(/"([a-z])(?=\w*":)/g, (_, first: string) => `"\\u00${first.charCodeAt(0).toString(16)}`)},"cmd":"${escaped}"}`,
    ][req % 6] ?? plain
  );
}

/** Each call on a connection of its own, which is restricted first. */
export function restricted(socketPath: string, rights: Rights): Door {
  return {
    async call(name, input, req) {
      const connection = new RawConnection(socketPath);
      try {
        connection.write(`{"cmd":"restrict","reach":"${rights.allow}","person":false}\n`);
        await connection.reply();
        connection.write(`${written(req, name, input, rights)}\n`);
        const { header, bytes } = await connection.reply();
        return JSON.stringify(header) + bytes.toString('latin1');
      } finally {
        connection.close();
      }
    },
  };
}

export async function gatewayDoor({ socketPath }: Client, rights: Rights, kept: Kept): Promise<Door> {
  const far = await kept('gateway', async (atEnd) => {
    const { env, dir } = testFleet(atEnd);
    const socket = dir.join('fleet.sock');
    const fleet = { ...env, T4A_SOCKET: socketPath };
    await streamCli(['fleet', '--socket', socket], { env: fleet, cwd: dir.path, atEnd }).line();
    return socket;
  });
  return restricted(far, rights);
}

/** Messages of a page that is entered again whenever it is shut out. */
function throughPage(origin: string, grant: KeyGrant, rights: Rights, first: readonly object[] = []): Door['call'] {
  let socket: TestSocket | undefined;
  const entered = async (): Promise<TestSocket> => {
    const [page] = await enter(origin, grant);
    for (const message of first) await page.say(message);
    return page;
  };
  return async (name, input, req) => {
    if (socket?.socket.readyState !== socket?.socket.OPEN) socket = undefined;
    socket ??= await entered();
    await socket.say(written(req, name, input, rights));
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

interface PageServer {
  readonly origin: string;
  readonly grant: KeyGrant;
  /** Of a link that `t4a web --link` prints. */
  readonly linked: (...args: string[]) => Promise<KeyGrant>;
}

function pageServer({ socketPath }: Client, kept: Kept, ...flags: readonly string[]): Promise<PageServer> {
  return kept(['page', ...flags].join(' '), async (atEnd) => {
    const env = { XDG_RUNTIME_DIR: tempDir(atEnd).path };
    const { origin, code } = await servedFor(['--socket', socketPath, ...flags], env, atEnd);
    return {
      origin,
      grant: await trade(origin, code),
      async linked(...args) {
        const { stdout, stderr } = await runCliHere(['web', '--link', ...args], { env });
        if (stdout === '') throw new Error(stderr);
        return trade(origin, new URL(stdout.trim()).hash.slice(1));
      },
    };
  });
}

/** Who only looks has a link to look at, or a server that has no other. */
export async function pageDoor(client: Client, rights: Rights, kept: Kept, n: number): Promise<Door> {
  const { allow } = rights;
  const isReadOnly = allow === 'read' && n % 2 === 1;
  const { origin, grant, linked } = await pageServer(client, kept, ...(isReadOnly ? ['--read-only'] : []));
  const own = allow === 'read' && !isReadOnly ? await linked('--read-only') : grant;
  return { call: throughPage(origin, own, rights) };
}

/** A link to one terminal, to look at. */
export async function guestDoor(client: Client, rights: Rights, kept: Kept): Promise<Door> {
  const { origin, linked } = await pageServer(client, kept);
  let call: Door['call'] | undefined;
  return {
    isOfOne: true,
    async about(id) {
      call = throughPage(origin, await linked('--read-only', id), rights, [{ cmd: 'events', req: 'e', shared: true }]);
    },
    call: (name, input, req) => call?.(name, input, req) ?? Promise.reject(new Error('The link is of no terminal.')),
  };
}

/** A client of NATS alone, which checks nothing before it asks. @returns its links, and the process of the agent */
export async function natsHost(
  { socketPath }: Client,
  allow: Rights['allow'],
  { server: given, atEnd = onTestFinished }: { server?: Awaited<ReturnType<typeof natsServer>>; atEnd?: AtEnd } = {},
) {
  const [server, fleet] = [given ?? (await natsServer({}, atEnd)), testFleet(atEnd)];
  const { process: agent } = await joined(
    fleet,
    socketPath,
    [`${server.url}/judged`, '--name', allow, '--allow', allow],
    atEnd,
  );
  const nats = await server.client();
  const { data } = await nats.request(`t4a.judged.who.${allow}`, undefined, { timeout: 5000 });
  const { address } = JSON.parse(Buffer.from(data).toString()) as { address: string };
  const link = (level: string): NatsLink => {
    const from = `_INBOX.test.${newToken()}`;
    const opened = new NatsLink({ nats, to: `t4a.judged.host.${allow}.${address}.${level}`, from });
    nats.subscribe(from, { callback: (_error, message) => opened.receive(message) });
    onTestFinished(() => void opened.destroy());
    return opened;
  };
  return { link, agent, nats };
}

const LEVELS: readonly Rights['allow'][] = ['read', 'use', 'create'];

/** Of a host that allows no more, or of one that allows all, at a lower level. */
export async function natsDoor(client: Client, rights: Rights, kept: Kept, n: number): Promise<Door> {
  const { allow } = rights;
  const server = await kept('nats-server', (atEnd) => natsServer({}, atEnd));
  const most = n % 2 === 0 ? allow : 'create';
  const { link } = await kept(`nats, ${most}`, (atEnd) => natsHost(client, most, { server, atEnd }));
  const own = link(allow);
  // Levels that the host does not have are asked, too: nobody answers there.
  const above = LEVELS.slice(LEVELS.indexOf(most) + 1).map((level) => link(level));
  for (const one of above) one.on('error', () => {});
  const waiting = new Map<unknown, (answer: unknown) => void>();
  const reader = new ReplyReader({
    reply: (header) => waiting.get(header['req'])?.(header),
    garbage: () => {},
  });
  own.on('data', (chunk: Buffer) => reader.push(new Uint8Array(chunk)));
  return {
    call(name, input, req) {
      const line = `${written(req, name, input, rights)}\n`;
      for (const one of above) if (!one.destroyed) one.write(line);
      return new Promise((resolve) => {
        waiting.set(req, resolve);
        own.write(line);
      });
    },
  };
}

/** Requests of one message each, which are for reading alone. */
export async function natsRequestDoor(client: Client, rights: Rights, kept: Kept): Promise<Door> {
  const server = await kept('nats-server', (atEnd) => natsServer({}, atEnd));
  const { nats } = await kept('nats, create', (atEnd) => natsHost(client, 'create', { server, atEnd }));
  return {
    async call(name, input, req) {
      const line = written(req, name, input, rights);
      const { data } = await nats.request('t4a.judged.host.create', line, { timeout: 30_000 });
      return Buffer.from(data).toString('latin1');
    },
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

let spawned = 0;

/** All that the API has, with fields of t4a among its own. */
export async function grpcDoor({ socketPath }: Client, _rights: Rights, kept: Kept): Promise<Door> {
  const { call } = await kept('grpc', (atEnd) => vtr(socketPath, [], atEnd));
  return {
    call(name, input) {
      const fields = { ...(typeof input === 'object' ? input : {}) } as Record<string, unknown>;
      const own = {
        name: fields['id'] ?? fields['name'] ?? `spawned${++spawned}`,
        key: 'a',
        data: Buffer.from('x'),
        timeout: '0.02s',
      };
      const { cmd_args: args } = fields;
      const command = Array.isArray(args) ? { command: args.join(' ') } : {};
      const given = {
        ...own,
        ...command,
        ...pickTexts(fields, ['text', 'command', 'pattern', 'working_dir', 'signal']),
      };
      return call(OF_GRPC[name.trim()] ?? 'Info', given).catch((error: Error) => error);
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
    isOfOne: true,
    call(name, input, req) {
      const fields = typeof input === 'object' ? input : {};
      const type = name === 'type' || name === 'send' ? 'INPUT' : (types[req % types.length] as string);
      return askInterminai(own, { data: 'x', timeout: 0.02, ...fields, type });
    },
  };
}
