/** A daemon whose place others take. */
import { expect, onTestFinished } from 'vitest';
import { request, startDaemon, type TestDaemon } from './daemon.js';
import { isRunning } from './processes.js';

type Answer = Record<string, unknown>;

export interface Replaceable {
  readonly daemon: TestDaemon;
  readonly ask: (fields: object) => Promise<Answer>;
  /** Resolves once another has taken its place, to its pid. */
  readonly replace: () => Promise<unknown>;
}

export async function replaceable(options: Parameters<typeof startDaemon>[0] = {}): Promise<Replaceable> {
  const daemon = await startDaemon(options);
  const ask = (fields: object): Promise<Answer> => request(daemon, fields);
  const replace = async (): Promise<unknown> => {
    const done = await ask({ cmd: 'replace' });
    expect(done).toMatchObject({ ok: true });
    return (done['to'] as Answer)['pid'];
  };
  // What has taken its place is no child of the test.
  onTestFinished(async () => {
    await ask({ cmd: 'shutdown' });
    await expect.poll(() => isRunning(daemon.process.pid ?? 0)).toBe(false);
    await daemon.stop();
  });
  return { daemon, ask, replace };
}

/** A fence: the daemon has begun so many requests, and answered none of them. */
export async function underWay({ ask }: Pick<Replaceable, 'ask'>, requests: number): Promise<void> {
  const inFlight = async (): Promise<unknown> => {
    const { connections } = await ask({ cmd: 'stats' });
    return (connections as { readonly in_flight: number }).in_flight - 1;
  };
  await expect.poll(inFlight, { timeout: 10_000 }).toBe(requests);
}
