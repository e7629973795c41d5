/** The cursor's line across changes of size: as tmux has it, but for the line of an editor, which draws it again. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { fullScreenDraw, isSame, ownLines, resizeDraw, TmuxScreens } from '../../../trials/verdicts/resizes.js';
import { itNeeds } from '../../support/programs.js';
import { tempDir } from '../../support/temp-dir.js';
import { keyframeOf, keyframeParts } from '../../../src/history/keyframe-bytes.js';
import { PastScreen } from '../../../src/vt/past-screen.js';
import { contentOf, openScreen, rowContent, show, textOf } from '../screens.js';

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

test('a row that was drawn anew or erased gets nothing back, and what was cut of links and colours comes back', async () => {
  const screen = openScreen({ cols: 20, rows: 3 });
  await show(
    screen,
    '\x1b[?1049h\x1b[1;1Hfirst 0123456789\x1b[2;1Hsecond 0123456789\x1b[3;1H\x1b[31mthird \x1b]8;;x:y\x07link\x1b]8;;\x07',
  );
  const shown = () => screen.snapshot().lines.map((row) => rowContent(row));
  const before = shown();
  await screen.resize(8, 3);
  await screen.resize(5, 3);
  expect(textOf(screen.snapshot())).toEqual(['first', 'secon', 'third']);
  await screen.resize(12, 3);
  await screen.resize(20, 3);
  expect(shown()).toEqual(before);
  await screen.resize(8, 3);
  await show(screen, '\x1b[m\x1b[1;1H\x1b[2K\x1b[2;1Hother');
  await screen.resize(20, 3);
  expect(textOf(screen.snapshot())).toEqual(['', 'otherd 0', 'third link']);
});

test('what was cut is in a screen that is frozen and thawed', async () => {
  const screen = openScreen({ cols: 20, rows: 2 });
  await show(screen, '\x1b[?1049h\x1b[Hone 0123456789\r\ntwo e\u0301\u6f22\u5b57');
  await screen.resize(5, 2);
  const keyframe = screen.freeze();
  const past = keyframe && new PastScreen(keyframeOf(Buffer.concat(keyframeParts(keyframe))), 1000);
  past?.resize(20, 2);
  await screen.resize(20, 2);
  expect(textOf(screen.snapshot())).toEqual(['one 0123456789', 'two e\u0301\u6f22\u5b57']);
  expect(past && contentOf(past.snapshot())).toEqual(contentOf(screen.snapshot()));
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

  itNeeds('tmux')('leave the rows of a full-screen program as tmux has them', async () => {
    const tmux = new TmuxScreens(tempDir().path);
    onTestFinished(() => tmux.stop());
    for (let number = 0; number < 8; number++) {
      const draw = fullScreenDraw(number);
      const [own, theirs] = await Promise.all([ownLines(draw), tmux.lines(draw)]);
      expect(own, JSON.stringify(draw)).toEqual(theirs);
    }
  });
});
