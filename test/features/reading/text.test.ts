import { describe, expect, test } from 'vitest';
import { openRigOfFile } from '../../support/rig.js';

const rig = openRigOfFile();

const GRID = { cols: 20, rows: 4 };

describe('the range of text', () => {
  test.each([
    [{}, ['2', '3', '4', '5'], { region: 'viewport', start: 0, end: 4, total_lines: 4, first_line: 2 }],
    [{ region: 'scrollback' }, ['0', '1'], { region: 'scrollback', start: 0, end: 2, total_lines: 2, first_line: 0 }],
    [{ region: 'all', start: 1, end: 3 }, ['3', '4'], { start: 1, end: 3, total_lines: 6, first_line: 3 }],
    [{ start: 0, end: 1 }, ['5'], { start: 0, end: 1, first_line: 5 }],
    [{ start: 3 }, ['2'], { start: 3, end: 4, first_line: 2 }],
    [{ start: 2, end: 2 }, [], { start: 2, end: 2 }],
    [{ start: 9, end: 99 }, [], { region: 'all', start: 6, end: 6, total_lines: 6 }],
    [{ region: 'viewport', start: 9, end: 99 }, [], { region: 'viewport', start: 4, end: 4 }],
    [{ start: 4, end: 6 }, ['0', '1'], { region: 'all', start: 4, end: 6, total_lines: 6, first_line: 0 }],
    [{ start: 3, end: 4 }, ['2'], { region: 'viewport', total_lines: 4 }],
    [{ last: 3 }, ['3', '4', '5'], { region: 'all', start: 0, end: 3, total_lines: 6 }],
    [{ last: 99 }, ['0', '1', '2', '3', '4', '5'], { region: 'all', start: 0, end: 6 }],
    [{ last: 2, region: 'scrollback' }, ['0', '1'], { region: 'scrollback' }],
  ])('%j is counted from the bottom', async (fields, lines, told) => {
    const id = await rig.printed('0\r\n1\r\n2\r\n3\r\n4\r\n5', GRID);
    const reply = await rig.ask('text', { id, trim: true, ...fields });
    expect(reply).toMatchObject({ ok: true, lines, ...told });
    for (const field of ['numbers', 'complete', 'cells', 'html', 'omitted', 'highlights', 'links', 'lost_lines']) {
      expect(reply).not.toHaveProperty(field);
    }
  });

  test('of the last lines leaves out the blank ones below the text', async () => {
    const id = await rig.printed('a\r\n\r\nb\r\n', GRID);
    expect(await rig.ask('text', { id, trim: true, last: 2 })).toMatchObject({ lines: ['', 'b'], start: 1, end: 3 });
    expect(await rig.ask('text', { id, last: 2, end: 3 })).toMatchObject({ code: 'invalid_field', field: 'last' });
    expect(await rig.ask('text', { id, last: 0 })).toMatchObject({ code: 'invalid_field', field: 'last' });
  });

  test('must not end before its start', async () => {
    const id = await rig.printed('a', GRID);
    expect(await rig.ask('text', { id, start: 3, end: 2 })).toMatchObject({ code: 'invalid_field', field: 'end' });
  });

  test('keeps blanks at the ends of lines unless they are trimmed', async () => {
    const id = await rig.printed('a  \r\n\r\n b', GRID);
    expect(await rig.ask('text', { id })).toMatchObject({
      lines: [`a${' '.repeat(19)}`, ' '.repeat(20), ' b'.padEnd(20), ' '.repeat(20)],
    });
    expect(await rig.ask('text', { id, trim: true })).toMatchObject({
      lines: ['a', '', ' b', ''],
      cursor: { row: 2, col: 2, visible: true },
    });
  });

  test('joins wrapped rows under the number of the first', async () => {
    const id = await rig.printed(`x\r\n${'ab '.repeat(12)}  \r\ny`, GRID);
    expect(await rig.ask('text', { id, join_wrapped: true, trim: true })).toMatchObject({
      lines: ['x', 'ab '.repeat(12).trimEnd(), 'y'],
      numbers: [0, 1, 3],
    });
    expect(await rig.ask('text', { id, join_wrapped: true })).toMatchObject({
      lines: ['x', 'ab '.repeat(12).padEnd(38), 'y'].map((line) =>
        expect.stringMatching(new RegExp(`^${line.trimEnd()} *$`)),
      ),
    });
    expect(await rig.ask('text', { id, join_wrapped: true, region: 'scrollback' })).toMatchObject({
      lines: [],
      numbers: [],
    });
  });
});

describe('text since a revision', () => {
  test('holds a joined line if any of its rows has changed, and reports if it holds all lines', async () => {
    const id = await rig.echoing(`one\r\n${'w'.repeat(30)}\r\nlast`, GRID);
    const { rev } = (await rig.ask('text', { id })) as { rev: number };
    const since = { id, since: rev, trim: true };
    expect(await rig.ask('text', since)).toMatchObject({ lines: [], numbers: [], complete: false });
    await rig.print(id, '\x1b[3;1HW');
    expect(await rig.ask('text', { ...since, join_wrapped: true })).toMatchObject({
      lines: [`${'w'.repeat(20)}W${'w'.repeat(9)}`],
      numbers: [1],
      complete: false,
    });
    expect(await rig.ask('text', since)).toMatchObject({ lines: [`W${'w'.repeat(9)}`], numbers: [2] });
    await rig.ask('resize', { id, cols: 30, rows: 4 });
    const { complete, lines } = await rig.ask('text', since);
    expect({ complete, first: (lines as string[])[0] }).toEqual({ complete: true, first: 'one' });
    const floor = rig.terminal(id).screen.revisionFloor;
    expect(await rig.ask('text', { id, since: floor })).toMatchObject({ complete: false });
  });

  test('refuses a future revision, and accepts the present one', async () => {
    const id = await rig.printed('a', GRID);
    const { rev } = (await rig.ask('text', { id })) as { rev: number };
    expect(await rig.ask('text', { id, since: rev })).toMatchObject({ ok: true, lines: [] });
    expect(await rig.ask('text', { id, since: rev + 1 })).toMatchObject({ code: 'revision_unknown', field: 'since' });
  });
});

describe('a format of text', () => {
  const STYLED =
    '\x1b[1;38;5;1mA\x1b[0;2;48;5;2mB\x1b[0;3;38;2;1;2;3mC\x1b[0;5;4:3;58:5:7mD\x1b[0;7mE\x1b[0;8mF\x1b[0;9;4mG\x1b[0;53;21mH\x1b[0m世';

  test('cells has runs with their attributes and colours', async () => {
    const id = await rig.printed(STYLED, GRID);
    const reply = await rig.ask('text', { id, format: 'cells', start: 3 });
    const one = { cols: 1, width: 1 };
    expect(reply).toMatchObject({ lines: [] });
    const [runs] = reply['cells'] as object[][];
    expect(runs?.slice(0, 9)).toEqual([
      { ...one, col: 0, text: 'A', fg: 1, attributes: ['bold'] },
      { ...one, col: 1, text: 'B', bg: 2, attributes: ['dim'] },
      { ...one, col: 2, text: 'C', fg: '#010203', attributes: ['italic'] },
      { ...one, col: 3, text: 'D', attributes: ['blink'], underline: 'curly', underline_color: 7 },
      { ...one, col: 4, text: 'E', attributes: ['inverse'] },
      { ...one, col: 5, text: 'F', attributes: ['invisible'] },
      { ...one, col: 6, text: 'G', attributes: ['strikethrough'], underline: 'single' },
      { ...one, col: 7, text: 'H', attributes: ['overline'], underline: 'double' },
      { col: 8, cols: 2, width: 2, text: '世' },
    ]);
  });

  test('cells has the link, and ansi and html have the text in its look', async () => {
    const id = await rig.printed('\x1b]8;;http://x.test/\x1b\\L\x1b]8;;\x1b\\\x1b[31mr<\x1b[m', GRID);
    const cells = await rig.ask('text', { id, format: 'cells', start: 3 });
    expect((cells['cells'] as object[][])[0]?.[0]).toEqual({
      col: 0,
      cols: 1,
      width: 1,
      text: 'L',
      link: 'http://x.test/',
    });
    const ansi = await rig.ask('text', { id, format: 'ansi', start: 3 });
    expect(ansi['lines']).toEqual([expect.stringContaining('\x1b]8;')]);
    expect(ansi['lines']).toEqual([expect.stringContaining('31m')]);
    const html = await rig.ask('text', { id, format: 'html', start: 3 });
    expect(html).toMatchObject({ lines: [], html: expect.stringContaining('r&lt;') as string });
    expect(html).not.toHaveProperty('cells');
  });

  test('ansi joins the rows of a line without a gap', async () => {
    const id = await rig.printed(`${'a'.repeat(18)}  b\r\nc`, GRID);
    const reply = await rig.ask('text', { id, format: 'ansi', join_wrapped: true });
    expect(reply['lines']).toEqual([`${'a'.repeat(18)}  b`, 'c', '']);
  });

  test.each(['plain', 'ansi', 'cells', 'html'])('%s is cut to its head and tail within max_bytes', async (format) => {
    const id = await rig.printed(Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\r\n'), {
      cols: 20,
      rows: 40,
    });
    const whole = await rig.ask('text', { id, format, trim: true, links: true });
    const size = (reply: Record<string, unknown>): number =>
      format === 'html'
        ? String(reply['html']).length
        : JSON.stringify(reply[format === 'cells' ? 'cells' : 'lines']).length;
    const max = Math.floor(size(whole) / 2);
    const reply = await rig.ask('text', { id, format, trim: true, max_bytes: max, join_wrapped: true });
    const omitted = reply['omitted'] as { lines: number; bytes: number; after: number };
    const numbers = reply['numbers'] as number[];
    expect(numbers).toHaveLength(40 - omitted.lines);
    expect(numbers.slice(0, omitted.after)).toEqual(Array.from({ length: omitted.after }, (_, i) => i));
    expect(numbers.at(-1)).toBe(39);
    expect(numbers[omitted.after]).toBe(omitted.after + omitted.lines);
    expect(omitted.bytes).toBeGreaterThan(0);
    expect(size(reply)).toBeLessThanOrEqual(max + 200);
    expect(await rig.ask('text', { id, format, max_bytes: 1_000_000 })).not.toHaveProperty('omitted');
  });

  test('counts a byte for each line end, and the bytes of a character instead of its columns', async () => {
    const id = await rig.printed('é\r\nbb\r\nccc', { cols: 20, rows: 3 });
    expect(await rig.ask('text', { id, trim: true, max_bytes: 10 })).not.toHaveProperty('omitted');
    expect(await rig.ask('text', { id, trim: true, max_bytes: 9 })).toMatchObject({
      lines: ['é', 'ccc'],
      omitted: { lines: 1, bytes: 3, after: 1 },
    });
  });
});

describe('spans of text', () => {
  test('have the row of the viewport and the lasting number, for the returned lines only', async () => {
    const link = '\x1b]8;;http://x.test/\x1b\\go\x1b]8;;\x1b\\';
    const plain = 'some text here\r\n'.repeat(3);
    const id = await rig.printed(`${link}\r\n${plain}a \x1b[7mhot\x1b[m ${link}`, GRID);
    const links = (fields: object) => rig.ask('text', { id, links: true, ...fields });
    expect(await links({})).toMatchObject({
      links: [{ number: 4, row: 3, col: 6, cols: 2, text: 'go', url: 'http://x.test/' }],
    });
    expect(await links({ region: 'all' })).toMatchObject({
      links: [
        { number: 0, row: -1, col: 0 },
        { number: 4, row: 3 },
      ],
    });
    expect(await links({})).not.toHaveProperty('highlights');
    const marked = await rig.ask('text', { id, highlights: true });
    expect(marked).toMatchObject({ highlights: [{ number: 4, row: 3, col: 2, cols: 3, text: 'hot', inverse: true }] });
    expect(marked).not.toHaveProperty('links');
  });

  test('of a joined line have the row of each part', async () => {
    const id = await rig.printed(`${'x'.repeat(22)}\x1b]8;;http://x.test/\x1b\\go\x1b]8;;\x1b\\`, GRID);
    const reply = await rig.ask('text', { id, links: true, join_wrapped: true });
    expect(reply).toMatchObject({ numbers: [0, 2, 3], links: [{ number: 1, row: 1, col: 2 }] });
  });
});
