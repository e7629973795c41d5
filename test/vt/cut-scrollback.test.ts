/** A frozen screen whose scrollback was cut goes on as one that has lost the same lines. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutScrollback } from '../../src/vt/cut-scrollback.js';
import { Screen } from '../../src/vt/screen.js';
import { decodeWhole, encodeWhole } from '../../src/vt/whole-screen.js';
import { runsOf } from '../support/trial.js';
import { bytesOf, contentOf, openScreen, rowContent, THEME } from './screens.js';
import { choppedInput } from './terminal-input.js';

const OPTIONS = { colors: THEME, version: '1.2.3', answersStatus: true };
const SCROLLBACK = 12;

function stateOf(screen: Screen): object {
  const { rev, firstLineNumber, scrollbackLines, normalScrollbackLines, scrollbackLimit, totalLines } = screen;
  const lines = Array.from({ length: totalLines }, (_, index) => {
    const row = screen.row(index);
    return [row && rowContent(row), screen.continuesLine(index), screen.lineRevision(firstLineNumber + index)];
  });
  const numbers = { rev, firstLineNumber, scrollbackLines, normalScrollbackLines, scrollbackLimit };
  return { ...numbers, ...contentOf(screen.snapshot()), lines };
}

function thawed(screen: Screen, most: number): Screen {
  return Screen.thaw(OPTIONS, decodeWhole(encodeWhole(cutScrollback(screen.whole(), most))));
}

/** Drops lines of it; its limit stays. */
function drop(screen: Screen, most: number): void {
  screen.limitScrollback(most);
  screen.limitScrollback(SCROLLBACK);
}

const input = fc.array(choppedInput, { maxLength: 6 }).map((lists) => lists.flat());

test('it shows the same as one that has dropped them, and so does all that follows', async () => {
  await fc.assert(
    fc.asyncProperty(input, input, fc.integer({ min: 0, max: SCROLLBACK }), async (before, after, most) => {
      const screen = openScreen({ ...OPTIONS, cols: 20, rows: 4, scrollback: SCROLLBACK });
      for (const bytes of before) screen.write(bytes);
      await screen.settle(60_000);
      const other = thawed(screen, most);
      drop(screen, most);
      try {
        expect(stateOf(other)).toEqual(stateOf(screen));
        for (const bytes of after) {
          screen.write(bytes);
          other.write(bytes);
          await Promise.all([screen.settle(60_000), other.settle(60_000)]);
          expect(stateOf(other)).toEqual(stateOf(screen));
        }
      } finally {
        other.dispose();
        screen.dispose();
      }
    }),
    { numRuns: runsOf({ suite: 60, trial: 2000 }) },
  );
});

test('the newest lines stay, under their numbers, and those on the way to be parsed', async () => {
  const screen = openScreen({ ...OPTIONS, cols: 20, rows: 4, scrollback: SCROLLBACK });
  screen.write(bytesOf(Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\r\n')));
  await screen.settle(60_000);
  screen.write(bytesOf('\r\nlast'));
  const cut = thawed(screen, 3);
  await cut.settle(60_000);
  expect(cut.firstLineNumber).toBe(33);
  const texts = Array.from({ length: cut.totalLines }, (_, at) => cut.lineText(at, { trim: true }));
  expect(texts).toEqual([...Array.from({ length: 7 }, (_, at) => `line ${33 + at}`), 'last']);
  await screen.settle(60_000);
  expect(screen.firstLineNumber).toBe(25);
});
