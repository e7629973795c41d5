/** A real server with handlers of the test's, in the test's process, on a socket in its own directory. */
import { EventEmitter } from 'node:events';
import { onTestFinished } from 'vitest';
import { Log } from '../../src/base/log.js';
import { RpcServer, type RpcServerOptions } from '../../src/rpc/server.js';
import type { Handlers } from '../../src/rpc/service.js';
import { RawConnection } from './raw.js';
import { tempDir } from './temp-dir.js';
import { testHandlers } from './test-handlers.js';

export interface Served {
  readonly server: RpcServer;
  readonly socketPath: string;
  /** Entries of the server's log, warnings and errors only. */
  readonly log: readonly string[];
  readonly connect: () => RawConnection;
}

export async function serve(
  overrides: Partial<Handlers> = {},
  options: Pick<RpcServerOptions, 'mostHeldBytes'> = {},
): Promise<Served> {
  const { socketPath } = tempDir();
  const log: string[] = [];
  const server = new RpcServer({
    handlers: testHandlers(overrides),
    log: new Log((line) => log.push(line), 'warn'),
    closeGraceMs: 500,
    ...options,
  });
  await server.listen(socketPath);
  onTestFinished(() => server.close());
  return {
    server,
    socketPath,
    log,
    connect() {
      const connection = new RawConnection(socketPath);
      onTestFinished(() => connection.close());
      return connection;
    },
  };
}

/** A promise that the test settles. */
export interface Gate<T = void> {
  readonly promise: Promise<T>;
  readonly open: (value: T) => void;
}

export function gate<T = void>(): Gate<T> {
  const opened = new EventEmitter();
  const promise = new Promise<T>((resolve) => {
    opened.once('open', resolve);
  });
  return { promise, open: (value) => void opened.emit('open', value) };
}
