/**
 * Paths of the daemon (socket, log, program) and of the caller. The only file of the client that reads the environment.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALLOCATOR_ENVIRONMENT } from '../base/allocator.js';
import { callerHere } from '../base/caller.js';
import { homeDirectory } from '../base/home-directory.js';
import { readSettingsFile } from '../base/settings-file.js';
import { quote } from '../protocol/errors.js';
import {
  configFileError,
  configFilePath,
  readConfigFile,
  type ConfigFile,
  type OnRefused,
} from '../protocol/config-file.js';
import { DEFAULT_SOCKET_PATH } from '../protocol/socket-path.js';
import { socketPlaces, type SocketPlaces } from './socket-places.js';

/**
 * An absolute path: the option, else `$T4A_SOCKET`, else `socket` in the configuration file. Undefined if none is
 * given: then the daemon is at one of {@link callersPlaces}.
 * @throws T4aError `usage` if the file is needed and wrong
 */
export function namedSocketPath(given?: string): string | undefined {
  const named = given ?? (callersEnvironment()['T4A_SOCKET'] || socketOfFile());
  const path = named === undefined ? undefined : absolute(named);
  const caller = callerHere();
  return caller?.socket === undefined ? path : caller.socket(path);
}

export function callersPlaces(): SocketPlaces {
  return socketPlaces({
    uid: process.getuid?.() ?? -1,
    runtimeDirectory: callersEnvironment()['XDG_RUNTIME_DIR'],
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

/** @throws T4aError `usage` if it cannot be read, or is not JSON */
export function callersConfigFile(onRefused?: OnRefused): ConfigFile | undefined {
  return readConfigFile(callersConfigPath(), (path) => readSettings(path), onRefused);
}

export function callersConfigPath(): string {
  const env = callersEnvironment();
  return configFilePath(env, homeDirectory(env));
}

/** The list of hosts, beside the configuration file. */
export function callersHostsFile(): string {
  return join(dirname(callersConfigPath()), 'hosts.json');
}

/** Whether there is a list of hosts. If not, no other host is thought of. */
export function hasHostsFile(): boolean {
  const path = callersHostsFile();
  return callerHere()?.isThere?.(path) ?? existsSync(path);
}

/** The daemon's bundle, beside the bundle of this file. */
export function defaultDaemonEntry(): string {
  return fileURLToPath(new URL('daemon.cjs', import.meta.url));
}

/** The command line, beside the bundle of this file. */
export function defaultCommandLine(): string {
  return fileURLToPath(new URL('cli.cjs', import.meta.url));
}

/** URL of the bundle with the routes to other hosts. */
export function defaultFleetEntry(): string {
  return new URL('fleet.js', import.meta.url).href;
}

/** The daemon's environment: the caller's, with the socket path. */
export function daemonEnvironment(socketPath: string): NodeJS.ProcessEnv {
  return { ...ALLOCATOR_ENVIRONMENT, ...callersEnvironment(), T4A_SOCKET: socketPath };
}

export function callersEnvironment(): Readonly<Record<string, string | undefined>> {
  return callerHere()?.env ?? process.env;
}

function absolute(path: string): string {
  return path.startsWith('/') ? resolve(path) : resolve(callersDirectory(), path);
}

function readSettings(path: string): string {
  return callerHere()?.readSettings?.(path) ?? readSettingsFile(path);
}

/** @throws if the directory was removed */
export function callersDirectory(): string {
  return callerHere()?.cwd() ?? process.cwd();
}
