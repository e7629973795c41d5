/** Leaves a host behind for the next calls of the native client, which has found none. */
import { lstatSync } from 'node:fs';
import { callersPlaces, defaultCommandLine, namedSocketPath } from '../../client/paths.js';
import { ownSockets } from '../../client/socket-places.js';
import type { Host } from '../host.js';
import { refusesHost } from '../settings.js';
import { SMALL_HEAP } from './collector.js';
import { hostPath } from './host-path.js';

/** A path that a client binds under a passing name beside it, of the system's 107 bytes. */
const MOST_BYTES = 107;

/** @param argv without Node and its program */
export function leaveHost(argv: readonly string[], host: Pick<Host, 'env' | 'configFile'>): void {
  if (refusesHost(host)) return;
  try {
    const socketPath = argv[0] === '--socket' ? argv[1] : (namedSocketPath() ?? ownSockets(callersPlaces())[0]);
    if (socketPath === undefined || !isWanted(socketPath)) return;
    const { spawn } = process.getBuiltinModule('node:child_process');
    spawn(process.execPath, [SMALL_HEAP, defaultCommandLine(), '__serve-cli', socketPath], {
      cwd: '/',
      detached: true,
      stdio: 'ignore',
    })
      .on('error', () => {})
      .unref();
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
