/** A daemon as a process of one test or file, started as that says, and ended with it. */
import { spawn, type ChildProcessByStdio, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { AtEnd } from './of-file.js';

export type OwnDaemon = ChildProcessByStdio<null, null, Readable>;

/** Resolves once it has logged its first line, by which it listens. */
export async function startOwnDaemon(
  entry: string,
  socketPath: string,
  options: Omit<SpawnOptions, 'stdio'>,
  atEnd: AtEnd = onTestFinished,
): Promise<OwnDaemon> {
  const args = [entry, '--socket', socketPath];
  const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  atEnd(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  await once(child.stderr, 'data');
  return child;
}
