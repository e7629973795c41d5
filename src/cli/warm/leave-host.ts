/** Leaves a host behind for the next calls of the native client, which has found none. */
import { lstatSync, writeSync } from 'node:fs';
import { callersPlaces, defaultCommandLine, namedSocketPath } from '../../client/paths.js';
import { ownSockets } from '../../client/socket-places.js';
import type { Host } from '../host.js';
import { refusesHost } from '../settings.js';
import { SMALL_HEAP } from './collector.js';
import { hostPath } from './host-path.js';

/** A path that a client binds under a passing name beside it, of the system's 107 bytes. */
const MOST_BYTES = 107;

/**
 * @param argv without Node and its program
 * @param to a pipe to a child of the client (`begin_host` of native/t4a.c), which runs what it reads once this process has ended
 */
export function leaveHost(argv: readonly string[], host: Pick<Host, 'env' | 'configFile'>, to: number): void {
  if (refusesHost(host)) return;
  try {
    const socketPath = argv[0] === '--socket' ? argv[1] : (namedSocketPath() ?? ownSockets(callersPlaces())[0]);
    if (socketPath === undefined || !isWanted(socketPath)) return;
    const command = [process.execPath, SMALL_HEAP, defaultCommandLine(), '__serve-cli', socketPath];
    writeSync(to, command.map((word) => `${word}\0`).join(''));
  } catch {
    // Without a host the next call does its work itself.
  }
}

function isWanted(socketPath: string): boolean {
  const path = hostPath(socketPath);
  if (Buffer.byteLength(path) > MOST_BYTES || lstatSync(socketPath, { throwIfNoEntry: false })?.isSocket() !== true)
    return false;
  const there = lstatSync(path, { throwIfNoEntry: false });
  return there === undefined || there.isSocket();
}
