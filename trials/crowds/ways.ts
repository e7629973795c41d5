/** Ways to a daemon by which a crowd comes, and another client beside it: bytes or messages, as a client without any library sends them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import type { Client } from '../../src/client/client.js';
import { ReplyReader } from '../../src/client/reply-reader.js';
import { streamCli } from '../../test/support/cli.js';
import { DIST } from '../../test/support/daemon.js';
import { natsHost } from '../../test/support/doors.js';
import { testFleet } from '../../test/support/fleet.js';
import { enter, servedFor, TestSocket, trade } from '../../test/web/served.js';

/** Of the main thread of each: other threads hold nobody up. */
export function workedMs(pids: readonly number[]): number {
  const ns = pids.map((pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]));
  return ns.reduce((sum, each) => sum + each, 0) / 1e6;
}

export type Level = 'read' | 'use' | 'create';

/** One client. */
export interface Pipe {
  /** Resolves once more can be taken. False: it was shut out. */
  readonly write: (chunk: string) => Promise<boolean>;
  /** The answer to a request, whose `req` is given. */
  readonly ask: (request: object) => Promise<Record<string, unknown>>;
  /** Codes of what was asked in another way, where the door has them. */
  readonly refusals: () => readonly unknown[];
  /** What comes from now on stays with those who send it. */
  readonly stopReading: () => void;
  readonly close: () => void;
}

export interface Way {
  /** Beside that of the daemon. */
  readonly pids: readonly number[];
  readonly takesLines: boolean;
  readonly open: () => Promise<Pipe>;
}

interface Opener {
  readonly levels: readonly Level[];
  readonly open: (client: Client, level: Level) => Promise<Way>;
}

/** Answers that nobody asked for are dropped. */
function pipeOf(stream: { readable: Duplex | NodeJS.ReadableStream; writable: Duplex | NodeJS.WritableStream }): Pipe {
  const { readable, writable } = stream;
  const waiting = new Map<unknown, (answer: Record<string, unknown>) => void>();
  const refused: unknown[] = [];
  let isClosed = false;
  for (const each of new Set<NodeJS.EventEmitter>([readable, writable])) {
    each.on('error', () => (isClosed = true));
    each.on('close', () => (isClosed = true));
    each.on('end', () => (isClosed = true));
  }
  const reader = new ReplyReader({
    reply(header) {
      waiting.get(header['req'])?.(header);
      if (header['ok'] === false && refused.length < MOST_REFUSALS) refused.push(header['code']);
    },
    garbage: () => (isClosed = true),
  });
  readable.on('data', (chunk: Buffer) => reader.push(new Uint8Array(chunk)));
  const closed = once(readable, 'close').catch(() => {});
  return {
    async write(chunk) {
      if (isClosed) return false;
      if (!writable.write(chunk)) await Promise.race([once(writable, 'drain').catch(() => {}), closed]);
      return !isClosed;
    },
    ask(request) {
      const req = `ask ${++asked}`;
      return new Promise((resolve) => {
        waiting.set(req, resolve);
        writable.write(`${JSON.stringify({ ...request, req })}\n`);
      });
    },
    refusals: () => refused,
    stopReading: () => void readable.pause(),
    close: () => ('destroy' in writable ? writable.destroy() : writable.end()),
  };
}

let asked = 0;
const MOST_REFUSALS = 100;

function overSocket(path: string, level: Level): () => Promise<Pipe> {
  return async () => {
    const socket = createConnection(path);
    await once(socket, 'connect');
    const pipe = pipeOf({ readable: socket, writable: socket });
    await pipe.ask({ cmd: 'restrict', reach: level });
    return pipe;
  };
}

function overPage(origin: string, grant: Awaited<ReturnType<typeof trade>>): () => Promise<Pipe> {
  return async () => {
    const [{ socket }] = await enter(origin, grant, undefined, new TestSocket(origin));
    const waiting = new Map<unknown, (answer: Record<string, unknown>) => void>();
    // Its own listener keeps all that comes.
    socket.removeAllListeners('message');
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary || waiting.size === 0) return;
      const text = data.toString();
      if (!text.includes('"ask ')) return;
      const answer = JSON.parse(text) as Record<string, unknown>;
      waiting.get(answer['req'])?.(answer);
      waiting.delete(answer['req']);
    });
    return {
      async write(chunk) {
        // In pieces: the other client is in this process, too.
        const messages = chunk.split('\n').filter((line) => line !== '');
        for (let at = 0; at < messages.length && socket.readyState === socket.OPEN; at += MESSAGES_AT_ONCE) {
          for (const message of messages.slice(at, at + MESSAGES_AT_ONCE)) socket.send(message);
          do await turn();
          while (socket.bufferedAmount > 0 && socket.readyState === socket.OPEN);
        }
        return socket.readyState === socket.OPEN;
      },
      ask(request) {
        const req = `ask ${++asked}`;
        return new Promise((resolve) => {
          waiting.set(req, resolve);
          socket.send(JSON.stringify({ ...request, req }));
        });
      },
      refusals: () => [],
      stopReading: () => socket.pause(),
      close: () => socket.terminate(),
    };
  };
}

const MESSAGES_AT_ONCE = 64;

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const ALL: readonly Level[] = ['read', 'use', 'create'];

export const WAYS: Readonly<Record<string, Opener>> = {
  socket: {
    levels: ALL,
    open: async ({ socketPath }, level) => ({ pids: [], takesLines: true, open: overSocket(socketPath, level) }),
  },
  't4a stdio': {
    levels: ['read', 'create'],
    open: async ({ socketPath }, level) => ({
      pids: [],
      takesLines: true,
      async open() {
        const args = [path.join(DIST, 'cli.cjs'), 'stdio', '--allow', level, '--socket', socketPath];
        const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'] });
        const { stdin: writable, stdout: readable } = child;
        const pipe = pipeOf({ readable, writable });
        await pipe.ask({ cmd: 'ping' });
        return { ...pipe, close: () => void child.kill('SIGKILL') };
      },
    }),
  },
  gateway: {
    levels: ['read', 'create'],
    async open({ socketPath }, level) {
      const { env, dir } = testFleet();
      const far = dir.join('fleet.sock');
      const server = streamCli(['fleet', '--socket', far], { env: { ...env, T4A_SOCKET: socketPath }, cwd: dir.path });
      await server.line();
      return { pids: [Number(server.process.pid)], takesLines: true, open: overSocket(far, level) };
    },
  },
  NATS: {
    levels: ['read', 'create'],
    async open(client, level) {
      const { link, agent } = await natsHost(client, level);
      return {
        pids: [Number(agent.pid)],
        takesLines: true,
        async open() {
          const opened = link(level);
          const pipe = pipeOf({ readable: opened, writable: opened });
          await pipe.ask({ cmd: 'ping' });
          return pipe;
        },
      };
    },
  },
  page: {
    levels: ['read', 'create'],
    async open({ socketPath }, level) {
      const { cli, origin, code } = await servedFor([
        '--socket',
        socketPath,
        ...(level === 'read' ? ['--read-only'] : []),
      ]);
      return {
        pids: [Number(cli.process.pid)],
        takesLines: false,
        open: overPage(origin, await trade(origin, code)),
      };
    },
  },
};
