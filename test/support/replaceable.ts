/** A daemon whose place others take. */
import { expect, onTestFinished } from 'vitest';
import { request, startDaemon, type TestDaemon } from './daemon.js';
import { isRunning } from './processes.js';
import { rawRequest } from './raw.js';

type Answer = Record<string, unknown>;

export interface Replaceable {
  readonly daemon: TestDaemon;
  readonly ask: (fields: object) => Promise<Answer>;
  /** Resolves once another has taken its place, to its pid. @param entry of the other one, if not the same */
  readonly replace: (entry?: string) => Promise<number>;
}

export async function replaceable(options: Parameters<typeof startDaemon>[0] = {}): Promise<Replaceable> {
  const daemon = await startDaemon(options);
  const ask = (fields: object): Promise<Answer> => request(daemon, fields);
  const replace = async (entry?: string): Promise<number> => {
    const done = await ask({ cmd: 'replace', ...(entry === undefined ? {} : { entry }) });
    expect(done).toMatchObject({ ok: true });
    return (done['to'] as { readonly pid: number }).pid;
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

/** All that a client sees of a terminal: each cell, above the viewport too, the cursor, the title, revision and end, and its picture. */
export async function seenOf({ socketPath }: Pick<TestDaemon, 'socketPath'>, id: string): Promise<Answer> {
  const look = async (fields: object): Promise<Answer> => {
    const { header, bytes } = await rawRequest(socketPath, { id, ...fields });
    expect(header).toMatchObject({ ok: true });
    return { ...header, bytes };
  };
  const main = { cmd: 'text', format: 'cells', region: 'all', screen: 'main', links: true };
  const { rev, cells: viewport, cursor } = await look({ cmd: 'text', format: 'cells' });
  const { cells: all, first_line: first, total_lines: lines, links } = await look(main);
  const status = await look({ cmd: 'status' });
  const { title, output_bytes: output, alive, exit_code: code, alt_screen: alternate, modes } = status;
  const picture = (await look({ cmd: 'screenshot' }))['bytes'] as Buffer;
  expect(picture.length).toBeGreaterThan(100);
  const text = { rev, viewport, cursor, all, first, lines, links };
  return { ...text, title, output, alive, code, alternate, modes, picture: picture.toString('base64') };
}
