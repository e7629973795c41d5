/** The cursor's line across changes of size: as tmux has it, but for the line of an editor, which draws it again. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { isSame, ownLines, resizeDraw, TmuxScreens } from '../../../trials/verdicts/resizes.js';
import { itNeeds } from '../../support/programs.js';
import { tempDir } from '../../support/temp-dir.js';
import { openScreen, show, textOf } from '../screens.js';

const QUESTION = 'Overwrite archive? [y/N] ';

test('a line that is being printed is whole after a narrower size, and the cursor behind it', async () => {
  const screen = openScreen({ cols: 30, rows: 4 });
  await show(screen, QUESTION);
  await screen.resize(10, 4);
  expect(textOf(await show(screen, 'y'))).toEqual(['Overwrite ', 'archive? [', 'y/N] y', '']);
  await screen.resize(30, 4);
  expect(textOf(await show(screen, '!'))).toEqual([`${QUESTION}y!`, '', '', '']);
});

test('the line of an editor is left to it', async () => {
  const screen = openScreen({ cols: 30, rows: 4 });
  await show(screen, `\x1b[?2004h${QUESTION}`);
  await screen.resize(10, 4);
  const { cursor } = screen.snapshot();
  expect([textOf(screen.snapshot()), cursor.row]).toEqual([['Overwrite ', '', '', ''], 0]);
});

test('that of a full-screen program in bracketed paste mode is none, and the text below it is laid out', async () => {
  const screen = openScreen({ cols: 30, rows: 4 });
  await show(screen, `${QUESTION}\x1b[?1049h\x1b[?2004hfull`);
  await screen.resize(10, 4);
  await screen.resize(30, 4);
  expect(textOf(await show(screen, '\x1b[?1049ly'))).toEqual([`${QUESTION}y`, '', '', '']);
});

test('text below the cursor is not cut: rows above it go to the scrollback', async () => {
  const screen = openScreen({ cols: 20, rows: 4 });
  await show(screen, '0123456789abcdef\r\nsecond\r\nthird\r\nfourth\x1b[3;1H');
  await screen.resize(10, 4);
  const { cursor } = screen.snapshot();
  expect([textOf(screen.snapshot()), cursor.row]).toEqual([['abcdef', 'second', 'third', 'fourth'], 2]);
  expect(screen.lineText(0)).toBe('0123456789');
});

test('a character behind a full row wraps after a size that fills it', async () => {
  const screen = openScreen({ cols: 20, rows: 4 });
  await show(screen, '0123456789');
  await screen.resize(10, 4);
  expect(textOf(await show(screen, 'x'))).toEqual(['0123456789', 'x', '', '']);
});

describe('drawn texts and sizes', () => {
  itNeeds('tmux')('leave the text that tmux has, and the cursor behind the same letter', async () => {
    const tmux = new TmuxScreens(tempDir().path);
    onTestFinished(() => tmux.stop());
    for (let number = 0; number < 20; number++) {
      const draw = resizeDraw(number);
      const [own, theirs] = await Promise.all([ownLines(draw), tmux.lines(draw)]);
      expect(isSame(own, theirs), JSON.stringify({ number, own, theirs })).toBe(true);
    }
  });
});
