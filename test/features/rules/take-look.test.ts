import { describe, expect, test } from 'vitest';
import { Engine } from '../../../src/activity/engine.js';
import type { Look } from '../../../src/activity/look.js';
import { Looker, takeLook, type LookOptions } from '../../../src/features/rules/take-look.js';
import type { ReadableScreen } from '../../../src/vt/readable-screen.js';
import { finish } from '../../../src/search/work.js';
import { brief, profileOf } from '../../activity/watched.js';
import { openScreen, show } from '../../vt/screens.js';

const EACH_LINE = profileOf({ id: 'each', start: '(?P<text>.+)', unfinished: true, emit: { kind: 'line' } });

/** `number+rows text` of each line. */
function linesOf({ lines }: Look): string[] {
  return lines.map(({ number, rows, text }) => `${number}+${rows} ${text}`);
}

function lookAt(screen: ReadableScreen, options: Partial<LookOptions> = {}): Look {
  return takeLook(screen, { from: 0, maxLines: 500, ts: 7, renumbered: false, ...options });
}

describe('a look', () => {
  test('has the written lines from the first one asked for, and the whole viewport', async () => {
    const screen = openScreen({ cols: 10, rows: 4, scrollback: 3 });
    await show(screen, 'a\r\nb\r\nc\r\nd\r\ne\r\nf \r\n\r\ng\r\n\x1b]2;t\x07');
    // Two lines are gone. Of nine, the last one is blank.
    expect(linesOf(lookAt(screen))).toEqual(['2+1 c', '3+1 d', '4+1 e', '5+1 f', '6+1 ', '7+1 g']);
    expect(linesOf(lookAt(screen, { from: 4 }))).toEqual(['4+1 e', '5+1 f', '6+1 ', '7+1 g']);
    const last = lookAt(screen, { from: 99 });
    expect(linesOf(last)).toEqual(['5+1 f', '6+1 ', '7+1 g']);
    expect(last).toMatchObject({ ts: 7, title: 't', top: 5, cursor: 8, altScreen: false, more: false });
    expect(last.viewport).toHaveLength(4);
  });

  test('stops at its most lines, and says that more follow; the viewport is never cut', async () => {
    const screen = openScreen({ cols: 10, rows: 2, scrollback: 9 });
    await show(screen, 'a\r\nb\r\nc\r\nd\r\ne');
    const first = lookAt(screen, { maxLines: 3 });
    expect([linesOf(first), first.more]).toEqual([['0+1 a', '1+1 b', '2+1 c'], true]);
    const second = lookAt(screen, { from: 3, maxLines: 1 });
    expect([linesOf(second), second.more]).toEqual([['3+1 d', '4+1 e'], false]);
  });

  test('begins with the whole of a line that goes on over rows', async () => {
    const screen = openScreen({ cols: 4, rows: 2, scrollback: 9 });
    await show(screen, 'top\r\nab  cd  ef\r\nend');
    const all = ['0+1 top', '1+3 ab  cd  ef', '4+1 end'];
    expect(linesOf(lookAt(screen))).toEqual(all);
    expect(linesOf(lookAt(screen, { from: 2 }))).toEqual(all.slice(1));
    expect(linesOf(lookAt(screen, { from: 3 }))).toEqual(all.slice(1));
    expect(linesOf(lookAt(screen, { from: 4 }))).toEqual(all.slice(1));
  });

  test('has a space for an empty cell within a line, and nothing of rows that are blank to the end', async () => {
    const screen = openScreen({ cols: 4, rows: 6 });
    await show(screen, 'a\x1b[Cbc中d\r\nabc中d\r\nabcd  ');
    expect(linesOf(lookAt(screen))).toEqual(['0+2 a bc中d', '2+2 abc中d', '4+1 abcd']);
  });

  test('of a line without end has the first 200 rows, and goes up by as many', async () => {
    const screen = openScreen({ cols: 2, rows: 2, scrollback: 600 });
    await show(screen, 'ab'.repeat(401));
    expect(linesOf(lookAt(screen))).toEqual([`0+401 ${'ab'.repeat(200)}`]);
    // The viewport begins with row 399.
    expect(linesOf(lookAt(screen, { from: 999 }))).toEqual([`199+202 ${'ab'.repeat(200)}`]);
  });

  test('has what is left of a line whose first rows are gone', async () => {
    const screen = openScreen({ cols: 2, rows: 2, scrollback: 2 });
    await show(screen, 'abcdefghijkl');
    expect(linesOf(lookAt(screen))).toEqual(['2+4 efghijkl']);
    expect(linesOf(lookAt(screen, { from: 5 }))).toEqual(['2+4 efghijkl']);
  });

  test('of the alternate screen has nothing of the scrollback', async () => {
    const screen = openScreen({ cols: 10, rows: 2, scrollback: 9 });
    await show(screen, 'a\r\nb\r\nc\r\nd\x1b[?1049h\x1b[Hfull');
    const look = lookAt(screen, { from: 1 });
    expect([linesOf(look), look.altScreen, look.top, look.cursor]).toEqual([['0+1 full'], true, 0, 0]);
  });

  test.each([
    ['ab', true],
    ['ab\x1b[D', false],
    ['ab\r\n', false],
    ['ab\r\ncd\x1b[A', false],
    ['\x1b[2Hab\x1b[1;5H', false],
    ['a\r\nb\r\nc\r\nd', true],
  ])('of %j is unfinished: %s', async (text, unfinished) => {
    expect(lookAt(await shown(text)).unfinished).toBe(unfinished);
  });

  async function shown(text: string): Promise<ReadableScreen> {
    const screen = openScreen({ cols: 10, rows: 3, scrollback: 9 });
    await show(screen, text);
    return screen;
  }
});

describe('looks of one engine', () => {
  const now = { ts: 1, isLast: false };

  test('skip the oldest lines that no look has read, and count them', async () => {
    const screen = openScreen({ cols: 8, rows: 2, scrollback: 6000 });
    const looker = new Looker();
    const engine = new Engine(EACH_LINE, 't1');
    await show(screen, `${'x\r\n'.repeat(5000)}end`);
    // One of them is in the viewport.
    expect(linesOf(looker.take(screen, engine, now))[0]).toBe('0+1 x');
    expect(looker.skippedLines).toBe(0);
    await show(screen, '\r\nmore\r\nmore');
    const look = looker.take(screen, engine, now);
    expect([linesOf(look)[0], look.lines.length, look.more]).toEqual(['1+1 x', 500, true]);
    expect([looker.skippedLines, engine.from]).toEqual([1, 1]);
    await show(screen, '\r\nmore\r\nmore');
    looker.take(screen, engine, now);
    expect([looker.skippedLines, engine.from]).toEqual([3, 3]);
  });

  test('leave an entry open that may go on, where no line is skipped', async () => {
    const screen = openScreen({ cols: 8, rows: 2, scrollback: 9 });
    const looker = new Looker();
    const engine = new Engine(EACH_LINE, 't1');
    const found = (): readonly string[] => finish(engine.look(looker.take(screen, engine, now))).map(brief);
    await show(screen, 'one');
    expect(found()).toEqual(['upsert line 1 one']);
    await show(screen, ' two');
    expect(found()).toEqual(['upsert line 2 one two']);
  });

  test('skip lines that the scrollback has lost', async () => {
    const screen = openScreen({ cols: 8, rows: 2, scrollback: 3 });
    const looker = new Looker();
    const engine = new Engine(EACH_LINE, 't1');
    await show(screen, '0\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7');
    expect(linesOf(looker.take(screen, engine, now))[0]).toBe('3+1 3');
    expect([looker.skippedLines, engine.from]).toEqual([3, 3]);
  });

  test('find lines under other numbers once the width has changed', async () => {
    const screen = openScreen({ cols: 8, rows: 2 });
    const looker = new Looker();
    const engine = new Engine(EACH_LINE, 't1');
    const isRenumbered = (): boolean => looker.take(screen, engine, now).renumbered;
    expect([isRenumbered(), isRenumbered()]).toEqual([false, false]);
    await screen.resize(9, 2);
    expect([isRenumbered(), isRenumbered()]).toEqual([true, false]);
    await screen.resize(9, 3);
    expect(isRenumbered()).toBe(false);
  });

  test('have a finished line at the end of the program', async () => {
    const screen = openScreen({ cols: 8, rows: 2 });
    const engine = new Engine(EACH_LINE, 't1');
    await show(screen, 'ab');
    expect(new Looker().take(screen, engine, now)).toMatchObject({ unfinished: true, cursor: 0 });
    const last = new Looker().take(screen, engine, { ts: 1, isLast: true });
    expect(last).toMatchObject({ unfinished: false, cursor: Infinity });
  });
});
