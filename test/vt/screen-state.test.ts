import { describe, expect, test } from 'vitest';
import { rowText } from '../../src/vt/rows/row-text.js';
import { openScreen, show, textOf } from './screens.js';

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `${i}`).join('\r\n');

describe('a screen reports', () => {
  test('its size, title, revision, modes and number of parsed bytes', async () => {
    const screen = openScreen({ cols: 30, rows: 4, scrollback: 7 });
    expect([screen.cols, screen.rows, screen.rev, screen.title, screen.parsedBytes]).toEqual([30, 4, 0, '', 0]);
    await show(screen, '\x1b]2;name\x07');
    expect([screen.rev, screen.title, screen.parsedBytes]).toEqual([1, 'name', 9]);
    await show(screen, '\x1b[?2004h');
    expect([screen.rev, screen.parsedBytes, screen.modes.bracketedPaste]).toEqual([1, 17, true]);
    expect(screen.snapshot()).toMatchObject({ cols: 30, rows: 4, rev: 1, title: 'name' });
  });

  test('its numbers of lines and of scrollback lines, and the limit of the scrollback', async () => {
    const screen = openScreen({ rows: 4, scrollback: 7 });
    const counts = (): number[] => [
      screen.totalLines,
      screen.scrollbackLines,
      screen.normalScrollbackLines,
      screen.firstLineNumber,
      screen.firstShownNumber,
    ];
    expect(counts()).toEqual([4, 0, 0, 0, 0]);
    await show(screen, lines(9));
    expect(counts()).toEqual([9, 5, 5, 0, 0]);
    await show(screen, '\r\n'.repeat(5));
    expect(counts()).toEqual([11, 7, 7, 3, 3]);
    expect(screen.scrollbackLimit).toBe(7);
    await show(screen, '\x1b[?1049h');
    expect(counts()).toEqual([4, 0, 7, 3, 0]);
    expect(screen.limitScrollback(2)).toBe(5);
    expect([screen.scrollbackLimit, ...counts()]).toEqual([2, 4, 0, 2, 8, 0]);
    await show(screen, '\x1b[?1049l');
    expect(counts()).toEqual([6, 2, 2, 8, 8]);
  });

  test('its lines by index, and no lines beyond them', async () => {
    const screen = openScreen({ cols: 5, rows: 3, scrollback: 10 });
    await show(screen, `abcdefg\r\n${lines(3)}`);
    const all = [0, 1, 2, 3, 4];
    const texts = ['abcde', 'fg', '0', '1', '2'];
    expect(all.map((index) => screen.lineText(index))).toEqual(texts);
    expect(all.map((index) => rowText(screen.row(index)!))).toEqual(texts);
    expect(all.map((index) => screen.continuesLine(index))).toEqual([false, true, false, false, false]);
    const target = new Uint8Array(10);
    expect(all.map((index) => screen.writeLineLatin1(index, true, target, 1))).toEqual([6, 3, 2, 2, 2]);
    expect(screen.writeLineLatin1(1, false, target, 0)).toBe(5);
    expect(screen.lineText(1, { trim: false })).toBe('fg   ');
    for (const index of [-1, 5, 0.5, Number.NaN]) {
      expect([screen.row(index), screen.lineText(index), screen.continuesLine(index)]).toEqual([
        undefined,
        undefined,
        false,
      ]);
      expect(screen.writeLineLatin1(index, true, target, 1)).toBe(-1);
    }
  });

  test('only the viewport of the alternate screen, even after that has become lower', async () => {
    const screen = openScreen({ rows: 6 });
    await show(screen, `${lines(20)}\x1b[?1049h\x1b[H${lines(6)}`);
    await screen.resize(20, 3);
    expect([screen.totalLines, screen.scrollbackLines]).toEqual([3, 0]);
    const shown = textOf(screen.snapshot());
    expect(Array.from({ length: 4 }, (_, index) => screen.lineText(index))).toEqual([...shown, undefined]);
    expect(rowText(screen.row(0)!)).toBe(shown[0]);
    await show(screen, '\x1b[Hnew');
    expect([screen.lineRevision(0), screen.lineText(0)?.slice(0, 3)]).toEqual([screen.rev, 'new']);
  });
});

describe('a snapshot', () => {
  test('is new exactly when something visible has changed', async () => {
    const screen = openScreen();
    let before = screen.snapshot();
    const steps: readonly (readonly [output: string, isNew: boolean])[] = [
      ['a', true],
      ['\x1b[1m', false],
      ['\x1b[5;5H', true],
      ['\x1b[5;6H', true],
      ['\x1b[4;6H', true],
      ['\x1b[4;6H', false],
      ['\x1b[2 q', false],
      ['\x1b[1 q', true],
      ['\x1b[3 q', true],
      ['\x1b[?25l', true],
      ['\x1b[?5h', true],
      ['\x1b]2;t\x07', true],
      ['\x1b]10;#000001\x07', true],
      ['\x1b]11;#000001\x07', true],
      ['\x1b]12;#000001\x07', true],
      ['\x1b]4;3;#000001\x07', true],
      ['\x1b]4;3;#000002\x07', true],
      ['\x1b]4;3;#000002\x07', false],
      ['\x1b[?47h', true],
    ];
    for (const [output, isNew] of steps) {
      const after = await show(screen, output);
      expect(after !== before, JSON.stringify(output)).toBe(isNew);
      expect(after.rev - before.rev, JSON.stringify(output)).toBe(isNew ? 1 : 0);
      expect(after.rev).toBe(screen.rev);
      before = after;
    }
    await screen.resize(20, 6);
    expect(screen.snapshot()).not.toBe(before);
  });
});

describe('a query about the screen', () => {
  test.each([
    ['the default size of a cell in pixels', '\x1b[16t', {}, '\x1b[6;16;8t'],
    ['the given size of a cell in pixels', '\x1b[16t', { cellWidth: 9, cellHeight: 20 }, '\x1b[6;20;9t'],
    ['a colour of the theme', '\x1b]10;?\x07', {}, '\x1b]10;rgb:c0c0/caca/f5f5\x1b\\'],
    ['a mode', '\x1b[?2026$p', {}, '\x1b[?2026;2$y'],
  ])('is answered: %s', async (_, question, options, answer) => {
    const screen = openScreen(options);
    const replies: string[] = [];
    screen.onReply.on((bytes) => replies.push(bytes));
    await show(screen, question);
    expect(replies).toEqual([answer]);
  });
});

describe('a screen', () => {
  test('of another width, or after a switch of screens, must be read completely again', async () => {
    const screen = openScreen();
    await show(screen, 'a\r\nb');
    const floors = [screen.revisionFloor];
    await screen.resize(30, 5);
    floors.push(screen.revisionFloor, screen.rev);
    await show(screen, '\x1b[?1049h');
    floors.push(screen.revisionFloor, screen.rev);
    expect(floors).toEqual([0, 2, 2, 3, 3]);
    await show(screen, 'editor');
    expect(screen.revisionFloor).toBe(3);
  });

  test('of another height need not be read again', async () => {
    const screen = openScreen();
    await show(screen, 'a\r\nb');
    await screen.resize(20, 9);
    expect([screen.rev, screen.revisionFloor]).toEqual([2, 0]);
  });
});
