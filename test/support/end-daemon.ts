/**
 * The end of a daemon that a test has started by a client, of whatever version it is: by its process id, because a test that
 * failed may have left neither a client nor a build that could ask it to end.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { lockPath } from '../../src/protocol/socket-path.js';
import { isRunning } from './processes.js';

/** Of a daemon with terminals that do not end. */
const KILL_AFTER_MS = 10_000;

/** Resolves when it has ended. Without a daemon at this socket nothing happens. */
export async function endDaemonAt(socketPath: string): Promise<void> {
  const pid = daemonPid(socketPath);
  // A test may be its own daemon.
  if (pid === undefined || pid === process.pid || !isRunning(pid)) return;
  process.kill(pid, 'SIGTERM');
  const killAt = performance.now() + KILL_AFTER_MS;
  while (isRunning(pid)) {
    if (performance.now() > killAt) process.kill(pid, 'SIGKILL');
    await delay(5);
  }
}

function daemonPid(socketPath: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(lockPath(socketPath), 'utf8')) as { pid: number }).pid;
  } catch {
    return undefined; // ENOENT
  }
}
