/** `t4a grpc` of a test's or a file's own, and a client of vtr's API. */
import {
  type Client,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { streamCli } from './cli.js';
import type { AtEnd } from './of-file.js';
import { tempDir } from './temp-dir.js';
import { cacheHome } from './daemon.js';

export const PROTO = fileURLToPath(new URL('../../docs/vtr.proto', import.meta.url));

/** As JSON has them: names of the proto file. */
// eslint-disable-next-line typescript/no-explicit-any
export type Message = Record<string, any>;

/** Several values of a name as a list. */
export type Said = Readonly<Record<string, string | readonly string[]>>;

export interface Vtr {
  readonly socketPath: string;
  /** @param said metadata of the call */
  readonly call: (method: string, request?: object, said?: Said) => Promise<Message>;
  /** Code and details of an answer that must be an error. */
  readonly refusal: (method: string, request?: object, said?: Said) => Promise<{ code: number; details: string }>;
  readonly subscribe: (request: object) => AsyncIterable<Message> & { cancel: () => void };
}

export async function vtr(
  daemonSocket: string,
  args: readonly string[] = [],
  atEnd: AtEnd = onTestFinished,
): Promise<Vtr> {
  const dir = tempDir(atEnd);
  const socketPath = dir.join('vtr.sock');
  const env = { T4A_SOCKET: daemonSocket, HOME: dir.path, XDG_CONFIG_HOME: dir.path, XDG_CACHE_HOME: cacheHome };
  const server = streamCli(['grpc', '--socket', socketPath, ...args], { env, cwd: dir.path, atEnd });
  atEnd(() => void server.process.kill('SIGTERM'));
  await server.line();
  const definition = loadSync(PROTO, { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true });
  const loaded = loadPackageDefinition(definition) as unknown as { vtr: { VTR: ServiceClientConstructor } };
  const client = new loaded.vtr.VTR(`unix:${socketPath}`, credentials.createInsecure()) as Client &
    Record<string, (...given: unknown[]) => unknown>;
  atEnd(() => client.close());
  const call = (method: string, request: object = {}, said: Said = {}): Promise<Message> =>
    new Promise((resolve, reject) => {
      const metadata = new Metadata();
      for (const [name, values] of Object.entries(said)) for (const value of [values].flat()) metadata.add(name, value);
      client[method]?.(request, metadata, (error: Error | null, reply: Message) =>
        error === null ? resolve(reply) : reject(error),
      );
    });
  return {
    socketPath,
    call,
    async refusal(method, request, said) {
      try {
        await call(method, request, said);
      } catch (error) {
        const { code, details } = error as { code: number; details: string };
        return { code, details };
      }
      throw new Error(`${method} was not refused`);
    },
    subscribe: (request) => client['Subscribe']?.(request) as ReturnType<Vtr['subscribe']>,
  };
}
