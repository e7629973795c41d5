/** A daemon that others take the place of. */
import { expect, onTestFinished } from 'vitest';
import { request, startDaemon, type TestDaemon } from './daemon.js';
import { isRunning } from './processes.js';

type Answer = Record<string, unknown>;

export interface ReplaceableDaemon {
  readonly daemon: TestDaemon;
  ask(fields: object): Promise<Answer>;
}

export async function replaceable(): Promise<ReplaceableDaemon> {
  const daemon = await startDaemon();
  const ask = (fields: object): Promise<Answer> => request(daemon, fields);
  // What has taken its place is no child of the test.
  onTestFinished(async () => {
    await ask({ cmd: 'shutdown' });
    await expect.poll(() => isRunning(daemon.process.pid ?? 0)).toBe(false);
    await daemon.stop();
  });
  return { daemon, ask };
}
