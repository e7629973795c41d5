/** Where the daemon is: its socket, its log, its program; and where the caller is. The client's only look at the environment. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALLOCATOR_ENVIRONMENT } from '../base/allocator.js';

export const DEFAULT_SOCKET_PATH = '/tmp/t4a.sock';

/** An absolute path: the option given, else `$T4A_SOCKET`, else {@link DEFAULT_SOCKET_PATH}. */
export function resolveSocketPath(given?: string): string {
  return resolve(given ?? (process.env['T4A_SOCKET'] || DEFAULT_SOCKET_PATH));
}

export function logPath(socketPath: string): string {
  return `${socketPath}.log`;
}

/** The daemon's bundle lies beside the one that this file was bundled into. */
export function defaultDaemonEntry(): string {
  return fileURLToPath(new URL('daemon.js', import.meta.url));
}

/** What the daemon inherits: the caller's environment, and where to listen. */
export function daemonEnvironment(socketPath: string): NodeJS.ProcessEnv {
  return { ...ALLOCATOR_ENVIRONMENT, ...process.env, T4A_SOCKET: socketPath };
}

export function callersEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** @throws where the directory was removed */
export function callersDirectory(): string {
  return process.cwd();
}
