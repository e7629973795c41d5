import { describe, expect, test } from 'vitest';
import { WorkSchedule } from '../../../src/search/work-schedule.js';
import { capture, findMarks } from '../../../src/features/pictures/capture.js';
import type { Terminal } from '../../../src/terminal/terminal.js';
import { defaultPicture, type PictureParams } from '../../../src/protocol/picture.js';
import type { Screen } from '../../../src/vt/screen.js';
import { openScreen, show, textOf } from '../../vt/screens.js';

/** What a picture takes of a terminal. */
function captureOf(screen: Screen, fields: Partial<PictureParams>) {
  const terminal = { screen, snapshot: () => screen.snapshot() } as unknown as Terminal;
  return capture(terminal, { ...defaultPicture(), ...fields });
}

const marksOf = async (screen: Screen, mark: PictureParams['mark']) =>
  (await findMarks(captureOf(screen, { mark }), new WorkSchedule(), new AbortController().signal)).marks;

async function tenLines(): Promise<Screen> {
  const screen = openScreen({ cols: 20, rows: 4 });
  await show(screen, Array.from({ length: 10 }, (_, i) => `line ${i}`).join('\r\n'));
  return screen;
}

describe('the rows of a picture', () => {
  test('are those of the viewport, and above it as many existing rows as requested', async () => {
    const screen = await tenLines();
    expect(captureOf(screen, {}).snapshot).toBe(screen.snapshot());
    const { snapshot } = captureOf(screen, { scrollback: 2 });
    expect(textOf(snapshot)).toEqual([4, 5, 6, 7, 8, 9].map((i) => expect.stringMatching(`^line ${i} *$`) as string));
    expect(snapshot).toMatchObject({ rows: 6, cursor: { row: 5, col: 6 } });
    expect(captureOf(screen, { scrollback: 100 }).snapshot).toMatchObject({ rows: 10, cursor: { row: 9 } });
  });

  test.each([
    [{ row: 0, col: 0, rows: 4, cols: 20 }, 0, { row: 0 }],
    [{ row: 3, col: 19, rows: 1, cols: 1 }, 0, { row: 3 }],
    [{ row: -2, col: 0, rows: 6, cols: 20 }, 2, { row: 0 }],
    [{ row: 1, col: 0, rows: 1, cols: 1 }, 2, { row: 3 }],
  ])('may be a region of them: %j with %i lines above', async (region, scrollback, place) => {
    expect(captureOf(await tenLines(), { region, scrollback }).region).toEqual({ ...region, ...place });
  });

  test.each([
    [{ row: 0, col: 0, rows: 5, cols: 1 }, 0],
    [{ row: 0, col: 0, rows: 1, cols: 21 }, 0],
    [{ row: 0, col: 20, rows: 1, cols: 1 }, 0],
    [{ row: 4, col: 0, rows: 1, cols: 1 }, 2],
    [{ row: -3, col: 0, rows: 1, cols: 1 }, 2],
    [{ row: -1, col: 0, rows: 1, cols: 1 }, 0],
  ])('cannot be a region that reaches outside: %j with %i lines above', async (region, scrollback) => {
    const screen = await tenLines();
    expect(() => captureOf(screen, { region, scrollback })).toThrow(
      expect.objectContaining({
        code: 'region_outside',
        details: expect.objectContaining({ field: 'region' }) as object,
      }),
    );
    const mark = ['line', region];
    expect(() => captureOf(screen, { mark, scrollback })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field: 'mark.1' }) as object }),
    );
  });
});

describe('marks', () => {
  test('are regions, texts, patterns and changed rows, in their order', async () => {
    const screen = openScreen({ cols: 20, rows: 5 });
    const { rev } = await show(screen, 'a.b a.b\r\nacb\r\n');
    await show(screen, 'new\r\nx\r\n\x1b[1;20H!');
    const region = { row: 2, col: 1, rows: 2, cols: 3 };
    expect(await marksOf(screen, [{ changed_since: rev }, 'a.b', { regex: 'a[c]b' }, region])).toEqual([
      { row: 0, rows: 1, col: 0, cols: 20 },
      { row: 2, rows: 2, col: 0, cols: 20 },
      { row: 0, rows: 1, col: 0, cols: 3 },
      { row: 0, rows: 1, col: 4, cols: 3 },
      { row: 1, rows: 1, col: 0, cols: 3 },
      region,
    ]);
  });

  test('with an invalid pattern are refused with the index of the mark', async () => {
    const screen = openScreen();
    expect(() => captureOf(screen, { mark: ['fine', { regex: '(' }] })).toThrow(
      expect.objectContaining({ code: 'bad_regex', details: expect.objectContaining({ field: 'mark.1' }) as object }),
    );
  });

  test('are bounded in number', async () => {
    const screen = openScreen({ cols: 100, rows: 101 });
    await show(screen, 'x'.repeat(10_000));
    expect(await marksOf(screen, ['x'])).toHaveLength(10_000);
    await show(screen, 'x');
    await expect(marksOf(screen, ['x'])).rejects.toMatchObject({ code: 'invalid_field', details: { field: 'mark.0' } });
  });
});

describe('unchanged rows', () => {
  test('are found by revision, also above the viewport, and only on request', async () => {
    const screen = openScreen({ cols: 20, rows: 3 });
    const { rev } = await show(screen, 'a\r\nb\r\nc');
    await show(screen, '\r\nd\x1b[1;5H!');
    const unchanged = (fields: Partial<PictureParams>) => captureOf(screen, fields).unchangedRows;
    expect(unchanged({})).toBeUndefined();
    expect(unchanged({ since: rev })).toEqual(new Set([1]));
    expect(unchanged({ since: rev, scrollback: 1 })).toEqual(new Set([0, 2]));
    expect(unchanged({ since: screen.rev })).toEqual(new Set([0, 1, 2]));
    expect(() => captureOf(screen, { since: screen.rev + 1 })).toThrow(
      expect.objectContaining({ code: 'revision_unknown' }),
    );
  });

  test('are none if the revision is older than the last new layout', async () => {
    const screen = openScreen({ cols: 20, rows: 3 });
    const { rev } = await show(screen, 'a\r\nb');
    await screen.resize(30, 3);
    expect(captureOf(screen, { since: rev }).unchangedRows).toEqual(new Set());
    expect(captureOf(screen, { since: screen.revisionFloor }).unchangedRows).toEqual(new Set([0, 1, 2]));
  });
});
