import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, contentOf, openScreen, show } from './screens.js';
import { choppedInput } from './terminal-input.js';
import { runsOf } from '../support/trial.js';

test('the revision grows by one for each parsed change and stays when nothing visible changed', async () => {
  const screen = openScreen();
  const steps: [string, number][] = [
    ['', 0],
    ['hello', 1],
    ['\rhello', 0],
    ['\x07', 0],
    ['\x1b[31m', 0],
    ['\x1b[A', 0],
    ['\x1b[H', 1],
    ['\x1b]2;title\x07', 1],
    ['\x1b]2;title\x07', 0],
    ['\x1b[?25l', 1],
    ['\x1b[?25l', 0],
    ['\x1b[5 q', 1],
    ['\x1b[?5h', 1],
    ['\x1b]11;#123456\x07', 1],
    ['\x1b]7;file:///\x07', 0],
    ['\x1b[?2004h', 0],
    ['\x1b#3', 1],
    ['\x1b#3', 0],
    ['\x1b[?1049h', 1],
    ['\x1b[?1049l', 1],
  ];
  for (const [text, growth] of steps) {
    const before = screen.rev;
    const { rev } = await show(screen, text);
    expect(rev - before, JSON.stringify(text)).toBe(growth);
  }
});

test('the revision grows exactly when the snapshot differs', async () => {
  await fc.assert(
    fc.asyncProperty(choppedInput, async (pieces) => {
      const screen = openScreen();
      let before = screen.snapshot();
      for (const piece of pieces) {
        screen.write(piece);
        await screen.settle(60_000);
        const after = screen.snapshot();
        if (after.rev === before.rev) expect(after).toBe(before);
        else {
          expect(after.rev).toBe(before.rev + 1);
          expect(contentOf(after)).not.toEqual(contentOf(before));
        }
        before = after;
      }
      screen.dispose();
    }),
    { numRuns: runsOf({ suite: 80, trial: 200 }) },
  );
});

test('writes of one turn of the event loop are parsed together: one change, one revision', async () => {
  const screen = openScreen();
  const events: unknown[] = [];
  screen.onParsed.on((event) => events.push(event));
  for (const letter of 'abcdefgh') screen.write(bytesOf(letter));
  expect(screen.pendingBytes).toBe(8);
  await screen.settle(60_000);
  expect(screen.pendingBytes).toBe(0);
  expect(events).toEqual([{ changed: true, rev: 1, bytes: 8 }]);
});
