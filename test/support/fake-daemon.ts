/** A program in the daemon's place that knows who it is, and answers everything else as the test says. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';
import { tempDir } from './temp-dir.js';

export type Answer = (socket: Socket, req: unknown) => void;

export interface FakeDaemon {
  readonly socketPath: string;
  /** Answers of the requests to come, in their order; without one, a request is answered as it should be. */
  readonly answers: Answer[];
}

const WHO = { version: '0.0.0-fake', protocol: PROTOCOL_VERSION, pid: process.pid, uptime_ms: 1, terminals: 0 };

export const asItShould: Answer = (socket, req) => void socket.write(replyLine(req));

export function replyLine(req: unknown, fields: object = { terminals: [] }): string {
  return `${JSON.stringify({ ok: true, req, ...fields })}\n`;
}

/** @param hello who it says that it is, in place of the truth */
export async function fakeDaemon(
  hello: Answer = (socket, req) => void socket.write(replyLine(req, WHO)),
): Promise<FakeDaemon> {
  const { socketPath } = tempDir();
  const answers: Answer[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {
      // EPIPE, ECONNRESET: the client has gone.
    });
    const lines = createInterface({ input: socket });
    lines.on('error', () => {
      // The same, which it passes on.
    });
    lines.on('line', (line) => {
      const { cmd, req } = JSON.parse(line) as { cmd: string; req?: unknown };
      const answer = cmd === 'ping' ? hello : (answers.shift() ?? asItShould);
      answer(socket, req);
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { socketPath, answers };
}
