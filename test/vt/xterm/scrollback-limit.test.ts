/** The scrollback is cut while the program runs: the rest of the screen must not change. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Screen } from '../../../src/vt/screen.js';
import { bytesOf, openScreen } from '../screens.js';
import { runsOf } from '../../support/trial.js';

const GRID = { cols: 12, rows: 5, scrollback: 40 };
const DEADLINE_MS = 60_000;

/** Whatever moves lines: text, wraps, regions, the alternate screen, insertion. */
const piece = fc.constantFrom(
  'a\r\n',
  'long line that wraps\r\n',
  '\r\n\r\n\r\n',
  'x'.repeat(12),
  '\x1b[2;4r',
  '\x1b[r',
  '\x1b[?1047h',
  '\x1b[?1047l',
  '\x1b[3L',
  '\x1b[2M',
  '\x1b[H',
  '\x1b[5;1H',
  '\x1b[S',
  '\x1b[2T',
  'e\u0301\u4e2d',
  '\x1b[41mred\x1b[m',
);

async function show(screen: Screen, text: string): Promise<void> {
  screen.write(bytesOf(text));
  await screen.settle(DEADLINE_MS);
}

function texts(screen: Screen): (string | undefined)[] {
  return Array.from({ length: screen.totalLines }, (_, index) => screen.lineText(index));
}

function shown(screen: Screen): unknown {
  return { ...screen.snapshot(), modes: screen.modes };
}

test('a cut drops only the oldest lines, for any output before and after it', async () => {
  const output = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(output, fc.integer({ min: 0, max: 45 }), output, async (before, limit, after) => {
      const [whole, cut] = [openScreen(GRID), openScreen(GRID)];
      await show(whole, before);
      await show(cut, before);
      const lines = whole.normalScrollbackLines;
      expect(cut.limitScrollback(limit)).toBe(Math.max(0, lines - limit));
      expect(cut.normalScrollbackLines).toBe(Math.min(lines, limit));
      expect(cut.scrollbackLimit).toBe(limit);
      expect(shown(cut)).toEqual(shown(whole));
      await show(whole, after);
      await show(cut, after);
      expect(shown(cut)).toEqual(shown(whole));
      const kept = texts(cut);
      expect(kept).toEqual(kept.length === 0 ? [] : texts(whole).slice(-kept.length));
      expect(cut.normalScrollbackLines).toBeLessThanOrEqual(limit);
      expect(cut.firstLineNumber + cut.normalScrollbackLines).toBe(whole.firstLineNumber + whole.normalScrollbackLines);
      whole.dispose();
      cut.dispose();
    }),
    { numRuns: runsOf({ suite: 100, trial: 300 }) },
  );
});

test('a cut lasts: output and a resize do not restore the old limit', async () => {
  const screen = openScreen(GRID);
  await show(screen, 'line\r\n'.repeat(100));
  expect(screen.scrollbackLines).toBe(40);
  expect(screen.limitScrollback(10)).toBe(30);
  await show(screen, 'line\r\n'.repeat(100));
  await screen.resize(20, 8);
  await show(screen, 'line\r\n'.repeat(100));
  expect(screen.scrollbackLines).toBe(10);
  screen.dispose();
});

test('an anchor in a line that is cut is lost, but not one in a line that stays', async () => {
  const screen = openScreen(GRID);
  await show(screen, Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\r\n'));
  const [old, recent] = [screen.anchorLine(3), screen.anchorLine(20)];
  screen.limitScrollback(10);
  expect(old.line).toBeUndefined();
  expect(screen.lineText((recent.line ?? 0) - screen.firstLineNumber)).toBe('line 20');
  screen.dispose();
});
