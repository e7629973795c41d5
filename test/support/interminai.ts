/** `t4a interminai` of a test's own, and its socket as clients of the original see it. */
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type CliStream, streamCli } from './cli.js';
import { tempDir } from './temp-dir.js';

export interface Interminai {
  readonly server: CliStream;
  readonly socketPath: string;
  readonly isGenerated: string;
  /** Everything that the server writes until it closes the connection. */
  readonly ask: (request: object | string) => Promise<string>;
  /** Asks until the reply satisfies. */
  readonly askUntil: (request: object, satisfies: (reply: string) => boolean) => Promise<string>;
}

/** @param args without `--socket`: the server then makes one */
export async function interminai(daemonSocket: string, ...args: string[]): Promise<Interminai> {
  const dir = tempDir();
  const env = { T4A_SOCKET: daemonSocket, TMPDIR: dir.path };
  const server = streamCli(['interminai', ...args], { env, cwd: dir.path });
  onTestFinished(() => void server.process.kill('SIGTERM'));
  const socketPath = (await server.line()).replace('Socket: ', '');
  await server.line();
  const isGenerated = await server.line();
  const ask = (request: object | string): Promise<string> => askInterminai(socketPath, request);
  return {
    server,
    socketPath,
    isGenerated,
    ask,
    askUntil: async (request, satisfies) => {
      for (;;) {
        const reply = await ask(request);
        if (satisfies(reply)) return reply;
      }
    },
  };
}

/** A string is sent as it is; an object as a line. */
export async function askInterminai(socketPath: string, request: object | string): Promise<string> {
  const socket = createConnection({ path: socketPath });
  const reply = text(socket);
  socket.write(typeof request === 'string' ? request : `${JSON.stringify(request)}\n`);
  return reply;
}
