/** A long scrollback that is read later is what it was, or the read is refused and made anew. */
import { expect, test } from 'vitest';
import { captureLines, cut, ScreenMoved } from '../../../src/features/reading/captured-lines.js';
import { ansiLine } from '../../../src/features/reading/line-formats.js';
import { linesIn, regionRange } from '../../../src/vt/region.js';
import { finish } from '../../../src/search/work.js';
import type { Screen } from '../../../src/vt/screen.js';
import { bytesOf, openScreen } from '../../vt/screens.js';

const LINES = 4000;

async function show(screen: Screen, text: string): Promise<void> {
  screen.write(bytesOf(text));
  await screen.settle(60_000);
}

/** Full, so that further lines drop the oldest. */
async function longScreen(scrollback = LINES): Promise<Screen> {
  const screen = openScreen({ cols: 40, rows: 10, scrollback });
  await show(screen, Array.from({ length: LINES }, (_, i) => `\x1b[3${i % 8}mline ${i}\r\n`).join(''));
  return screen;
}

function captured(screen: Screen, isLater: boolean, format: 'ansi' | 'plain' = 'ansi') {
  const lines = linesIn(screen, regionRange(screen, 'all'), false);
  const fields = { format, trim: true, highlights: false, links: false, isLater };
  const all = captureLines(screen, lines, fields, () => ({}));
  return (): string[] =>
    finish(
      cut(
        all,
        undefined,
        (line) => (format === 'plain' ? line.plain() : ansiLine(line.rows)),
        () => 0,
      ),
    ).lines;
}

test.each(['ansi', 'plain'] as const)(
  'lines above the viewport are read later, though the program prints on: %s',
  async (format) => {
    const screen = await longScreen(2 * LINES);
    const atOnce = captured(screen, false, format);
    const later = captured(screen, true, format);
    await show(screen, `\x1b[Hchanged${'more\r\n'.repeat(500)}`);
    expect(later()).toEqual(atOnce());
    expect(later()).toContainEqual(expect.stringContaining('line 0'));
  },
);

test('nothing of them is built before', async () => {
  const screen = await longScreen();
  let built = 0;
  const row = screen.row.bind(screen);
  screen.row = (index) => {
    built++;
    return row(index);
  };
  const later = captured(screen, true);
  expect(built).toBe(10);
  later();
  expect(built).toBe(screen.totalLines);
});

test.each<[string, (screen: Screen) => Promise<unknown> | void]>([
  ['scrolls out of the scrollback', (screen) => show(screen, 'more\r\n'.repeat(200))],
  ['is cleared', (screen) => show(screen, '\x1b[3J')],
  ['is reset', (screen) => show(screen, '\x1bc')],
  ['is hidden by the alternate screen', (screen) => show(screen, '\x1b[?1049h')],
  ['is laid out anew', (screen) => screen.resize(30, 10)],
  ['is limited', (screen) => void screen.limitScrollback(100)],
])('what %s in between is no text of another instant', async (_name, change) => {
  const screen = await longScreen();
  const later = captured(screen, true);
  await change(screen);
  expect(later).toThrow(ScreenMoved);
});
