/** A daemon as a process of one test, started as the test says, and ended with it. */
import { spawn, type ChildProcessByStdio, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';

export type OwnDaemon = ChildProcessByStdio<null, null, Readable>;

/** Resolves once it has logged its first line, by which it listens. */
export async function startOwnDaemon(
  entry: string,
  socketPath: string,
  options: Omit<SpawnOptions, 'stdio'>,
): Promise<OwnDaemon> {
  const args = [entry, '--socket', socketPath];
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  await once(child.stderr, 'data');
  return child;
}
