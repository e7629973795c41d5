import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FakeClock } from '../../src/base/clock.js';
import { waitFirst } from '../../src/terminal/wait-first.js';
import { waitShape } from '../../src/protocol/conditions.js';
import { ownTerminal, print } from '../support/own-terminal.js';

const SYNCHRONIZED = '\x1b[?2026h';
const END = '\x1b[?2026l';
const BELL = '\x07';

/** Its clock stands still, so that an update lasts until the program ends it. */
function started() {
  const clock = new FakeClock();
  const terminal = ownTerminal({ clock });
  const waiting = (fields: z.input<z.ZodObject<typeof waitShape>>) => {
    const params = z.strictObject(waitShape).parse(fields);
    return waitFirst(terminal, params, { signal: new AbortController().signal }, (reply) => reply);
  };
  /** By now the wait has ended, or its deadline ends it. */
  const late = async (): Promise<void> => {
    await nextRound();
    clock.advance(60_000);
  };
  return { terminal, waiting, late };
}

describe('a wait that begins during a synchronized update', () => {
  test('counts an event that is published before the update ends', async () => {
    const { terminal, waiting, late } = started();
    await print(terminal, SYNCHRONIZED);
    const outcome = waiting({ until: { event: 'bell' } });
    await print(terminal, BELL);
    await print(terminal, END);
    await late();
    expect(await outcome).toMatchObject({ outcome: 'matched', event: { event: 'bell' } });
  });

  test('does not count an event from before the request', async () => {
    const { terminal, waiting, late } = started();
    await print(terminal, `${SYNCHRONIZED}${BELL}`);
    const outcome = waiting({ until: [{ event: 'bell' }, { text: 'later' }] });
    await print(terminal, END);
    await print(terminal, 'later');
    await late();
    expect(await outcome).toMatchObject({ index: 1 });
  });

  test('checks the whole update, and if it is fresh only later output', async () => {
    const { terminal, waiting, late } = started();
    await print(terminal, `${SYNCHRONIZED}old`);
    const settled = waiting({ until: { gone: 'new' }, fail: { text: 'new' } });
    const fresh = waiting({ until: { text: 'new' }, fail: { text: 'old' }, fresh: true });
    await print(terminal, '\nnew');
    await print(terminal, END);
    await late();
    expect(await fresh).toMatchObject({ outcome: 'matched', match: { row: 1, text: 'new' }, elapsed_ms: 0 });
    expect(await settled).toMatchObject({ outcome: 'failed' });
  });

  test('does not wait for its end if it is fresh', async () => {
    const { terminal, waiting, late } = started();
    await print(terminal, SYNCHRONIZED);
    const fresh = waiting({ until: { text: 'new' }, fresh: true });
    await print(terminal, 'new');
    const ended = await Promise.race([fresh, nextRound('not yet')]);
    await print(terminal, END);
    await late();
    expect(ended).toMatchObject({ outcome: 'matched' });
  });
});

test('of many waits for the same output few are armed in one turn of the event loop', async () => {
  const { terminal, waiting } = started();
  let [most, ofTurn, armed] = [0, 0, 0];
  // Thirty-two expressions take as long, or longer.
  terminal.waits.start = () => {
    for (const endMs = performance.now() + 1; performance.now() < endMs;);
    if (ofTurn++ === 0) setImmediate(() => (ofTurn = 0));
    [most, armed] = [Math.max(most, ofTurn), armed + 1];
    return Promise.resolve() as Promise<never>;
  };
  await print(terminal, SYNCHRONIZED);
  const waits = Array.from({ length: 50 }, () => waiting({ until: { text: 'x' } }));
  await print(terminal, END);
  await Promise.all(waits);
  expect(armed).toBe(50);
  expect(most).toBeLessThan(25);
});
