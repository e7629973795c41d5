import { describe, expect, test } from 'vitest';
import { type Grid, ParseBudget } from '../../../src/vt/parsing/cost.js';

const GRID = { cols: 80, rows: 24 };
/** So large that one sequence which may touch every cell is a slice. */
const LARGE_GRID = { cols: 1000, rows: 1000 };

function taken(text: string, grid: Grid): number {
  return new ParseBudget(grid).take(Buffer.from(text, 'latin1'));
}

/** How many of them one slice takes. */
function inOneSlice(unit: string, grid: Grid): number {
  return taken(unit.repeat(20_000), grid) / unit.length;
}

describe('one slice', () => {
  test.each([
    ['an erased display', '\x1b[2J'],
    ['a display erased except protected cells', '\x1b[?2J'],
    ['inserted lines', '\x1b[9L'],
    ['deleted lines', '\x1b[9M'],
    ['a scroll up', '\x1b[9S'],
    ['a scroll down', '\x1b[9T'],
    ['inserted characters', '\x1b[9@'],
    ['a scroll to the left, with a blank in the sequence', '\x1b[9 @'],
    ['deleted characters', '\x1b[9P'],
    ['a repeat', '\x1b[9b'],
    ['a mode', '\x1b[?1049h'],
    ['a mode switched off', '\x1b[?1049l'],
    ['a full reset', '\x1bc'],
    ['a reverse index', '\x1bM'],
    ['an index', '\x1bD'],
    ['a next line', '\x1bE'],
    ['an alignment pattern, up to its digit', '\x1b#'],
    ['a scroll up with the one-byte introducer', '\x9b9S'],
  ])('takes no more than %s on a large grid, since that may touch every cell', (_, sequence) => {
    expect(taken(sequence.repeat(3), LARGE_GRID)).toBe(sequence.length);
    const onSmallGrid = inOneSlice(sequence, GRID);
    expect(onSmallGrid).toBeGreaterThan(1);
    expect(onSmallGrid).toBeLessThan(1000);
  });

  test.each([
    ['colours', '\x1b[1;31m'],
    ['cursor positions', '\x1b[10;20H'],
    ['erased lines', '\x1b[2K'],
    ['saved cursors', '\x1b7'],
    ['character sets', '\x1b(B'],
  ])('takes thousands of %s, and the same number on a large grid', (_, sequence) => {
    expect(inOneSlice(sequence, GRID)).toBeGreaterThan(5000);
    expect(inOneSlice(sequence, LARGE_GRID)).toBe(inOneSlice(sequence, GRID));
  });

  test.each([
    ['attributes', '\x1b[c'],
    ['the cursor position', '\x1b[6n'],
    ['a mode', '\x1b[?1$p'],
    ['the version', '\x1b[>q'],
    ['a size', '\x1b[18t'],
    ['kitty flags', '\x1b[?u'],
    ['a colour in OSC', '\x1b]'],
    ['a setting in DCS', '\x1bP'],
  ])('takes some hundred queries for %s, since each is reported', (_, sequence) => {
    for (const grid of [GRID, LARGE_GRID]) {
      expect(inOneSlice(sequence, grid)).toBeGreaterThan(50);
      expect(inOneSlice(sequence, grid)).toBeLessThan(1000);
    }
  });

  test('takes fewer lines on a grid with more rows or columns', () => {
    const lines = (cols: number, rows: number): number => inOneSlice('y\n', { cols, rows });
    expect(lines(80, 1000)).toBeLessThan(lines(80, 24) / 10);
    expect(lines(1000, 1)).toBeLessThan(lines(80, 1) / 5);
    expect(lines(1000, 24)).toBeLessThan(lines(80, 24) / 2);
  });

  test('takes the same text on any grid, and nothing after its budget is spent', () => {
    expect(taken('x'.repeat(200_000), LARGE_GRID)).toBe(taken('x'.repeat(200_000), GRID));
    const budget = new ParseBudget(GRID);
    const text = Buffer.alloc(200_000, 'x');
    expect(budget.take(text)).toBeGreaterThan(10_000);
    expect(budget.take(text)).toBe(0);
    expect(budget.take(Buffer.from('\x1b[m'))).toBe(0);
  });

  test('has one budget for all its pieces', () => {
    const budget = new ParseBudget(GRID);
    const whole = taken('y\n'.repeat(50_000), GRID);
    let sum = 0;
    for (let piece = 0; piece < 500; piece++) sum += budget.take(Buffer.from('y\n'.repeat(100)));
    expect(sum).toBe(whole);
  });

  test.each(['', '\x1b', '\x1b[', '\x1b[12;', '\x9b', '\x9b1', 'text\x1b', 'text\x1b[?', '\x1b]', 'a\x1b[mb\x1bcd\n'])(
    'takes all of %j, even with an unfinished sequence',
    (text) => {
      expect(taken(text, GRID)).toBe(text.length);
    },
  );

  test('ends after an expensive sequence, before the text that follows', () => {
    expect(taken('text\x1b[9Stext\x1b[9S', LARGE_GRID)).toBe('text\x1b[9S'.length);
  });
});
