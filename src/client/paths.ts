/** Where the daemon is: its socket, its log, its program; and where the caller is. The client's only look at the environment. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALLOCATOR_ENVIRONMENT } from '../base/allocator.js';
import { quote } from '../protocol/errors.js';
import { configFileError, configFilePath, readConfigFile, type ConfigFile } from '../protocol/config-file.js';
import { DEFAULT_SOCKET_PATH } from '../protocol/socket-path.js';
import { socketPlaces, type SocketPlaces } from './socket-places.js';

/**
 * An absolute path: the option given, else `$T4A_SOCKET`, else `socket` in the configuration file. Undefined where nobody
 * names one: then the daemon is at one of {@link callersPlaces}.
 * @throws T4aError `usage` where the file is needed and wrong
 */
export function namedSocketPath(given?: string): string | undefined {
  const named = given ?? (process.env['T4A_SOCKET'] || socketOfFile());
  return named === undefined ? undefined : resolve(named);
}

export function callersPlaces(): SocketPlaces {
  return socketPlaces({
    uid: process.getuid?.() ?? -1,
    runtimeDirectory: process.env['XDG_RUNTIME_DIR'],
    tmp: dirname(DEFAULT_SOCKET_PATH),
    run: '/run/user',
  });
}

function socketOfFile(): string | undefined {
  const file = callersConfigFile();
  const socket = file?.fields['socket'];
  if (file === undefined || socket === undefined) return undefined;
  if (typeof socket === 'string' && socket.startsWith('/')) return socket;
  throw configFileError(file, 'socket', `"socket" is ${quote(socket)}: expected an absolute path.`);
}

/** @throws T4aError `usage` where it cannot be read, or is not JSON */
export function callersConfigFile(): ConfigFile | undefined {
  return readConfigFile(configFilePath(process.env, homeDirectory()), (path) => readFileSync(path, 'utf8'));
}

/** The module is loaded only where the environment does not say: that takes a quarter of a millisecond. */
function homeDirectory(): string {
  if (process.env['HOME']) return process.env['HOME'];
  try {
    return process.getBuiltinModule('node:os').homedir();
  } catch {
    return '/'; // A user of whom the machine has no entry.
  }
}

/** The daemon's bundle lies beside the one that this file was bundled into. */
export function defaultDaemonEntry(): string {
  return fileURLToPath(new URL('daemon.cjs', import.meta.url));
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
