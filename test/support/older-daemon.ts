/** A daemon of the version before `features`: it announces none, and refuses every field that it does not know. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';
import { lockPath } from '../../src/protocol/socket-path.js';
import { tempDir } from './temp-dir.js';

export interface OlderDaemon {
  readonly socketPath: string;
  /** All that it was asked. */
  readonly requests: readonly Readonly<Record<string, unknown>>[];
}

const WHO = { version: '0.1.0', protocol: PROTOCOL_VERSION, pid: process.pid, uptime_ms: 1, terminals: 0 };

const REPLIES: Readonly<Record<string, object>> = {
  ping: WHO,
  list: { terminals: [] },
  create: { id: 't1', cols: 80, rows: 24, pid: process.pid },
  events: { seq: 0 },
};

const LATER = ['scope', 'as', 'host', 'features'];

/** @param features what it announces after all, in its lock and in its `pong` */
export async function olderDaemon(features?: readonly string[]): Promise<OlderDaemon> {
  const { socketPath } = tempDir();
  const requests: Record<string, unknown>[] = [];
  const announced = features === undefined ? {} : { features };
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {
      // The client has gone.
    });
    createInterface({ input: socket }).on('line', (line) => {
      const request = JSON.parse(line) as Record<string, unknown> & { cmd: string; req?: unknown };
      requests.push(request);
      const { cmd, req } = request;
      const unknown = LATER.find((field) => field in request && features?.includes(field) !== true);
      const reply =
        unknown === undefined
          ? { ok: true, req, ...REPLIES[cmd], ...(cmd === 'ping' ? announced : {}) }
          : { ok: false, req, code: 'unknown_field', error: `"${cmd}" has no field "${unknown}".` };
      socket.write(`${JSON.stringify(reply)}\n`);
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  const lock = { pid: process.pid, started: started(), nonce: 'a', protocol: PROTOCOL_VERSION, ...announced };
  writeFileSync(lockPath(socketPath), JSON.stringify(lock));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { socketPath, requests };
}

/** So that a client finds that the process is not stopped. */
function started(): string | null {
  if (process.platform !== 'linux') return null;
  const stat = readFileSync('/proc/self/stat', 'latin1');
  return `boot/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''}`;
}
