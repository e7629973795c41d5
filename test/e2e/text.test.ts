/** Text of the screen and the scrollback, in every form in which it can be read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { TestTerminal } from '../support/screen-fence.js';

/** Prints its argument, which is base64, and then every line that it is sent in base64; rings after each. */
const PRINTER = `show() { printf %s "$1" | base64 -d; printf '\\007'; }
stty raw -echo; show "$1"; while read -r line; do show "$line"; done`;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** A terminal in which this was printed, by a program that goes on printing what it is sent, base64 in lines. */
async function printer(printed: string, fields: object = {}): Promise<TestTerminal> {
  const command = ['sh', '-c', PRINTER, 'sh', Buffer.from(printed).toString('base64')];
  const terminal = await TestTerminal.start(daemon, command, { cols: 20, rows: 5, ...fields });
  await terminal.until('bell');
  return terminal;
}

async function print(terminal: TestTerminal, printed: string): Promise<void> {
  await terminal.do('send', { input: `${Buffer.from(printed).toString('base64')}\n` });
  await terminal.until('bell');
}

const numbered = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, i) => `line ${from + i}`).join('\r\n');

describe('text', () => {
  it('is read from the main screen and its scrollback also while the alternate one is shown', async () => {
    const long = 'a line of thirty-one characters';
    const terminal = await printer(`${numbered(7)}\r\n${long}\r\n\x1b[31mred\x1b[m`);
    const read = async (fields: object) => terminal.do('text', fields);
    const before = await read({ region: 'all', format: 'ansi' });
    expect(await read({ region: 'all', format: 'ansi', screen: 'main' })).toEqual(before);
    expect(await terminal.ask('text', { screen: 'alternate' })).toMatchObject({ ok: false, code: 'screen_not_shown' });
    await print(terminal, '\x1b[?1049h\x1b[Hother');
    expect(await read({ screen: 'alternate' })).toEqual(await read({}));
    const { lines, cursor, total_lines: total } = before;
    const behind = { lines, cursor, total_lines: total };
    expect(await read({ region: 'all', format: 'ansi', screen: 'main' })).toMatchObject(behind);
    expect(await read({ screen: 'main', last: 2, trim: true, join_wrapped: true })).toMatchObject({
      lines: [long.slice(20), 'red'],
      numbers: [8, 9],
    });
    expect(await read({ screen: 'main', from_line: 7, max_lines: 2, trim: true })).toMatchObject({
      lines: [long.slice(0, 20), long.slice(20)],
    });
    await terminal.do('resize', { cols: 40, rows: 5 });
    expect((await read({ screen: 'main', last: 2, trim: true }))['lines']).toEqual([long, 'red']);
    for (const field of [{ at: '0' }, { since: 0 }, { changed: true }, { highlights: true }, { command: 1 }])
      expect(await terminal.ask('text', { screen: 'main', ...field })).toMatchObject({
        code: 'invalid_field',
        error: expect.stringContaining('of "text" does not go with'),
      });
    await print(terminal, '\x1b[?1049l');
    expect((await read({ last: 1 }))['lines']).toEqual([expect.stringMatching(/^red *$/)]);
  });

  it('is read from the viewport, from the scrollback, or from both', async () => {
    const terminal = await printer(numbered(8));
    const read = async (fields: object) => (await terminal.do('text', { trim: true, ...fields }))['lines'];
    expect(await read({})).toEqual(['line 3', 'line 4', 'line 5', 'line 6', 'line 7']);
    expect(await read({ region: 'scrollback' })).toEqual(['line 0', 'line 1', 'line 2']);
    expect(await read({ region: 'all', start: 6 })).toEqual(['line 0', 'line 1']);
    expect(await read({ region: 'all', start: 0, end: 2 })).toEqual(['line 6', 'line 7']);
    expect(await terminal.do('text')).toMatchObject({ first_line: 3, total_lines: 5 });
    await terminal.end();
  });

  it('joins the rows of a line that wrapped', async () => {
    const long = 'abcdefghij'.repeat(3);
    const terminal = await printer(`${long}\r\nshort`);
    const reply = await terminal.do('text', { join_wrapped: true, trim: true });
    expect(reply).toMatchObject({ lines: [long, 'short', '', ''], numbers: [0, 2, 3, 4] });
    await terminal.end();
  });

  it('comes with colours and links as escape sequences', async () => {
    const terminal = await printer('\x1b[1;31mred\x1b[m and \x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\');
    const { lines } = (await terminal.do('text', { format: 'ansi', start: 4 })) as { lines: string[] };
    expect(lines).toEqual(['\x1b[0;1;31mred\x1b[m and \x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\']);
    await terminal.end();
  });

  it('comes as runs of cells', async () => {
    const terminal = await printer('ab\x1b[4:3;38;2;1;2;3;58;5;9mcd\x1b[m世');
    const { cells, lines } = (await terminal.do('text', { format: 'cells', start: 4 })) as Record<string, unknown[][]>;
    expect(lines).toEqual([]);
    expect(cells?.[0]).toEqual([
      { col: 0, cols: 2, width: 1, text: 'ab' },
      { col: 2, cols: 2, width: 1, text: 'cd', fg: '#010203', underline: 'curly', underline_color: 9 },
      { col: 4, cols: 2, width: 2, text: '世' },
    ]);
    await terminal.end();
  });

  it('comes as the runs of watch', async () => {
    const terminal = await printer(`a\x1b[1;31mb\x1b[m世${'x'.repeat(20)}`);
    expect(await terminal.do('text', { format: 'runs', start: 3 })).toMatchObject({
      lines: [],
      rows: [{ runs: [['a'], ['b', '1;31'], ['世', '', 2], ['x'.repeat(16)]] }, { runs: [['xxxx']], wrapped: true }],
    });
    await terminal.end();
  });

  it('is read from a lasting number on, which names the same rows after more output', async () => {
    const terminal = await printer(numbered(8), { scrollback: 10 });
    const read = (fields: object) => terminal.do('text', { trim: true, ...fields });
    const two = { from_line: 4, max_lines: 2 };
    expect(await read(two)).toMatchObject({
      lines: ['line 4', 'line 5'],
      region: 'all',
      first_line: 4,
      start: 2,
      end: 4,
      total_lines: 8,
      lost_lines: 0,
    });
    await print(terminal, `\r\n${numbered(9, 8)}`);
    // 17 lines, of which the last 15 are kept.
    expect(await read(two)).toMatchObject({ lines: ['line 4', 'line 5'], first_line: 4, lost_lines: 0 });
    expect(await read({ from_line: 0, max_lines: 3 })).toMatchObject({
      lines: ['line 2'],
      first_line: 2,
      lost_lines: 2,
    });
    expect(await read({ from_line: 0, max_lines: 1 })).toMatchObject({ lines: [], lost_lines: 1 });
    expect((await read({ from_line: 0 }))['lines']).toHaveLength(15);
    expect(await read({ from_line: 16 })).toMatchObject({ lines: ['line 16'], first_line: 16 });
    expect(await read({ from_line: 1e6 })).toMatchObject({ lines: [], first_line: 17 });
    await terminal.end();
  });

  it.each([
    [{ from_line: 0, start: 1 }, 'start'],
    [{ from_line: 0, end: 1 }, 'end'],
    [{ from_line: 0, command: -1 }, 'command'],
    [{ max_lines: 1 }, 'max_lines'],
    [{ from_line: -1 }, 'from_line'],
    [{ from_line: 0, max_lines: 10_001 }, 'max_lines'],
    [{ format: 'runs', join_wrapped: true }, 'join_wrapped'],
  ])('is refused with a range that has two meanings or none: %j', async (fields, field) => {
    const terminal = await printer('a');
    expect(await request(daemon, { cmd: 'text', id: terminal.id, ...fields })).toMatchObject({
      code: 'invalid_field',
      field,
    });
    await terminal.end();
  });

  it('comes as HTML in which text of the program is escaped', async () => {
    const terminal = await printer(
      '\x1b[1m<b>&\x1b[m \x1b]8;;javascript:alert(1)\x1b\\bad\x1b]8;;https://example.org/?a=1&b="2"\x1b\\good\x1b]8;;\x1b\\',
    );
    const html = String((await terminal.do('text', { format: 'html' }))['html']);
    expect(html).toMatch(/^<pre style="color:#[\da-f]{6};background:#[\da-f]{6}">/);
    expect(html).toContain('<span style="font-weight:bold">&lt;b&gt;&amp;</span> bad');
    expect(html).toContain('<a href="https://example.org/?a=1&amp;b=&quot;2&quot;">good</a>');
    expect(html).not.toContain('javascript');
    await terminal.end();
  });

  it('is cut to its head and tail, and the lines between are counted', async () => {
    const terminal = await printer(numbered(100));
    const reply = await terminal.do('text', { region: 'all', trim: true, max_bytes: 40 });
    expect(reply).toMatchObject({
      lines: ['line 0', 'line 1', 'line 97', 'line 98', 'line 99'],
      // Ten lines of 7 bytes and 90 of 8, without the five that are told.
      omitted: { lines: 95, after: 2, bytes: 10 * 7 + 90 * 8 - (2 * 7 + 3 * 8) },
    });
    await terminal.end();
  });

  it('comes with its highlights and links', async () => {
    const terminal = await printer(
      'plain \x1b[7mselected\x1b[m\r\n\x1b[44m button \x1b[m \x1b]8;;https://example.org\x1b\\here\x1b]8;;\x1b\\',
    );
    const { highlights, links } = await terminal.do('text', { highlights: true, links: true });
    expect(highlights).toEqual([
      { number: 0, row: 0, col: 6, cols: 8, text: 'selected', inverse: true },
      { number: 1, row: 1, col: 0, cols: 8, text: ' button ', inverse: false, bg: 4 },
    ]);
    expect(links).toEqual([{ number: 1, row: 1, col: 9, cols: 4, text: 'here', url: 'https://example.org' }]);
    await terminal.end();
  });
});

describe('text since a revision', () => {
  it('has the changed lines with their numbers, or no lines', async () => {
    const terminal = await printer(numbered(5));
    const { rev } = await terminal.do('text');
    expect(await terminal.do('text', { since: rev })).toMatchObject({ lines: [], numbers: [], complete: false });
    await print(terminal, '\x1b[2;1Hchanged');
    const reply = await terminal.do('text', { since: rev, trim: true });
    expect(reply).toMatchObject({ lines: ['changed'], numbers: [1], complete: false });
    await terminal.end();
  });

  it('has lines that scrolled by, but not lines that only moved', async () => {
    const terminal = await printer(numbered(5));
    const { rev } = await terminal.do('text');
    await print(terminal, `\r\n${numbered(8, 5)}`);
    const all = await terminal.do('text', { since: rev, region: 'all', trim: true });
    expect(all).toMatchObject({ lines: numbered(8, 5).split('\r\n'), numbers: [5, 6, 7, 8, 9, 10, 11, 12] });
    const visible = await terminal.do('text', { since: rev, trim: true });
    expect(visible['numbers']).toEqual([8, 9, 10, 11, 12]);
    await terminal.end();
  });

  it('has every line after a change of width or of the screen, and is marked as complete', async () => {
    const terminal = await printer('abc');
    const { rev } = await terminal.do('text');
    await terminal.do('resize', { cols: 30, rows: 5 });
    expect(await terminal.do('text', { since: rev, trim: true })).toMatchObject({
      lines: ['abc', '', '', '', ''],
      complete: true,
    });
    const { rev: wide } = await terminal.do('text');
    await print(terminal, '\x1b[?1049h\x1b[Hother');
    const other = await terminal.do('text', { since: wide, trim: true });
    expect(other).toMatchObject({ lines: ['other', '', '', '', ''], numbers: [0, 1, 2, 3, 4], complete: true });
    await terminal.end();
  });

  it('is refused for a future revision', async () => {
    const terminal = await printer('');
    const reply = await terminal.ask('text', { since: 999_999 });
    expect(reply).toMatchObject({ ok: false, code: 'revision_unknown', field: 'since', hint: expect.any(String) });
    await terminal.end();
  });
});

/** At 10x20 pixels a cell, with 3 around. */
const box = (row: number, col: number, cols: number) => ({
  row,
  col,
  cols,
  box: { x: 3 + col * 10, y: 3 + row * 20, width: cols * 10, height: 20 },
});

const line = (number: number) => ({ line: number, number, text: `line ${number}` });

const numbers = (reply: Record<string, unknown>) => (reply['matches'] as { number: number }[]).map((one) => one.number);

describe('find', () => {
  it('returns the cells of matches, also over two rows, and their pixels in a picture', async () => {
    const terminal = await printer('世界 needle needle and more');
    const reply = await terminal.do('find', { text: 'needle', scale: 100, pad: 3 });
    expect(reply).toMatchObject({ total: 2, cell_width: 10, cell_height: 20 });
    expect(reply['matches']).toEqual([
      { row: 0, col: 5, text: 'needle', spans: [box(0, 5, 6)] },
      { row: 0, col: 12, text: 'needle', spans: [box(0, 12, 6)] },
    ]);
    const wrapped = await terminal.do('find', { regex: 'and.more' });
    expect(wrapped['matches']).toMatchObject([
      {
        row: 0,
        col: 19,
        spans: [
          { row: 0, cols: 1 },
          { row: 1, col: 0, cols: 7 },
        ],
      },
    ]);
    expect(await terminal.do('find', { text: 'NEEDLE', ignore_case: true, max: 1 })).toMatchObject({
      total: 2,
      matches: [{}],
    });
    await terminal.end();
  });
});

describe('grep', () => {
  it('returns matching lines with their numbers and context, each line once', async () => {
    const terminal = await printer(numbered(30));
    const reply = await terminal.do('grep', { pattern: 'line (1|3|12)$', context: 1 });
    expect(reply).toMatchObject({ total: 3, lines: 30, first_line: 0 });
    expect(reply['matches']).toEqual([
      { ...line(1), spans: [{ start: 0, end: 6 }], before: [line(0)], after: [line(2)] },
      { ...line(3), spans: [{ start: 0, end: 6 }], before: [], after: [line(4)] },
      { ...line(12), spans: [{ start: 0, end: 7 }], before: [line(11)], after: [line(13)] },
    ]);
    await terminal.end();
  });

  it('returns the same as a check of every line, for any distance of matches and any context', async () => {
    const words = (i: number): string => [`x${i}`, i % 3 === 0 ? 'a' : '', i % 41 < 2 ? 'a b' : ''].join(' ').trim();
    const texts = Array.from({ length: 700 }, (_, i) => words(i));
    const terminal = await printer(texts.join('\r\n'));
    for (const pattern of [
      'a b',
      'a',
      '[ab] *b$',
      '^x(1|69)[^b]*$',
      'x',
      '^$',
      'x5[^x]*x',
      '\\bb\\b',
      '\\Ax41',
      'x699$',
    ]) {
      const isMatch = (text: string) => new RegExp(pattern.replace('\\A', '^')).test(text);
      for (const [before, after] of [
        [0, 0],
        [2, 0],
        [0, 3],
        [4, 4],
        [300, 20],
      ] as const) {
        const reply = await terminal.do('grep', { pattern, before, after, max: 10_000 });
        const found = reply['matches'] as { number: number; before: object[]; after: object[] }[];
        const matching = texts.flatMap((text, i) => (isMatch(text) ? [i] : []));
        expect(
          found.map(({ number }) => number),
          pattern,
        ).toEqual(matching);
        expect(reply['total']).toBe(matching.length);
        const told = found.flatMap((match) => [...match.before, match, ...match.after]) as { number: number }[];
        const near = texts.flatMap((_, i) => (matching.some((at) => i >= at - before && i <= at + after) ? [i] : []));
        expect(
          told.map(({ number }) => number),
          `${pattern} -B${before} -A${after}`,
        ).toEqual(near);
      }
    }
    await terminal.end();
  });

  it('returns the same lasting number of a line while the scrollback grows and is cut', async () => {
    const terminal = await printer(numbered(12), { scrollback: 10 });
    const find = async () => ((await terminal.do('grep', { pattern: '^line 11$' }))['matches'] as object[])[0];
    expect(await find()).toMatchObject({ line: 11, number: 11 });
    await print(terminal, `\r\n${numbered(8, 12)}`);
    expect(await find()).toMatchObject({ line: 6, number: 11 });
    expect(await terminal.do('grep', { pattern: 'x' })).toMatchObject({ first_line: 5, total: 0 });
    await terminal.end();
  });

  it('finds text that wraps over rows, under the number of its first row', async () => {
    const terminal = await printer(`one\r\n${'x'.repeat(18)}needle${'y'.repeat(10)}\r\nlast`);
    expect((await terminal.do('grep', { pattern: 'needle' }))['matches']).toMatchObject([
      { line: 1, text: `${'x'.repeat(18)}needle${'y'.repeat(10)}`, spans: [{ start: 18, end: 24 }] },
    ]);
    expect((await terminal.do('grep', { pattern: 'last' }))['matches']).toMatchObject([{ line: 3 }]);
    await terminal.end();
  });

  it('counts all matches, and returns the first or the last ones', async () => {
    const terminal = await printer(numbered(100));
    const first = await terminal.do('grep', { pattern: 'LINE', ignore_case: true, max: 3 });
    expect([numbers(first), first['total']]).toEqual([[0, 1, 2], 100]);
    const last = await terminal.do('grep', { pattern: 'line', max: 3, last: true });
    expect([numbers(last), last['total']]).toEqual([[97, 98, 99], 100]);
    expect((await terminal.do('grep', { pattern: '.', fixed: true }))['total']).toBe(0);
    await terminal.end();
  });

  it('answers for a pattern that takes backtracking engines exponential time', async () => {
    const terminal = await printer(`${'a'.repeat(5000)}!`, { cols: 200 });
    expect(await terminal.do('grep', { pattern: '(a+)+$' })).toMatchObject({ total: 0 });
    await terminal.end();
  });

  it('of a long scrollback does not delay other requests', async () => {
    const terminal = await TestTerminal.start(daemon, ['sh', '-c', "seq 1 100000; printf '\\a'; read x"], {
      scrollback: 100_000,
    });
    await terminal.until('bell');
    const answered: string[] = [];
    const searching = terminal.do('grep', { pattern: '9+8', max: 1 }).then((reply) => {
      answered.push('grep');
      return reply;
    });
    await terminal.do('status').then(() => answered.push('status'));
    expect(await searching).toMatchObject({ total: expect.any(Number), lines: 100_001 });
    expect(answered).toEqual(['status', 'grep']);
    await terminal.end();
  });
});

describe('debug', () => {
  it('returns unknown sequences and queries, readable and in hex, until they are cleared', async () => {
    const terminal = await printer('\x1b[?9999h\x1b[5;6+z\x1b[5;6+z\x1b[6n\x1bP+q544e\x1b\\\x1b]9999;hello\x07');
    const debug = await terminal.do('debug', { clear: true });
    expect(debug['unhandled']).toMatchObject({
      sequences: [
        { kind: 'csi', text: 'CSI ?9999h', hex: '1b5b3f3939393968', count: 1 },
        { kind: 'csi', text: 'CSI 5;6+z', hex: '1b5b353b362b7a', count: 2 },
        { kind: 'osc', text: 'OSC 9999;hello' },
      ],
      dropped: 0,
    });
    expect(debug['queries']).toMatchObject({
      seen: [
        { text: 'CSI 6n', answered: true, answer: '\\e[1;1R' },
        { text: 'DCS +q544e', answered: false },
      ],
    });
    const again = await terminal.do('debug');
    expect(again).toMatchObject({ unhandled: { sequences: [] }, queries: { seen: [] } });
    await terminal.end();
  });

  it('returns the head of a sequence that is too long', async () => {
    const terminal = await printer(`\x1b]9;build done ${'.'.repeat(66_000)}\x07\x1b]9;short\x07shown`);
    expect((await terminal.do('debug'))['unhandled']).toMatchObject({
      sequences: [{ kind: 'osc', text: `OSC ${'9;build done '.padEnd(256, '.')}`, count: 1 }],
    });
    expect(await terminal.lines()).toEqual(['shown', '', '', '', '']);
    await terminal.end();
  });

  it('returns the last bytes of the output unchanged', async () => {
    // No bell: the one at the end is a fence.
    const terminal = await printer('\x1b[31mred\\ é\x0f\r\n');
    const { output } = await terminal.do('debug', { tail_bytes: 12 });
    expect(output).toEqual({
      text: String.raw`mred\\ \xc3\xa9\x0f\r\n\x07`,
      base64: Buffer.from('mred\\ é\x0f\r\n\x07').toString('base64'),
      bytes: 16,
    });
    await terminal.end();
  });

  it('returns the line discipline, and the threads in the foreground', async () => {
    const terminal = await TestTerminal.start(daemon, [
      'sh',
      '-c',
      "stty -echo -icanon intr ^X; printf '\\a'; exec cat",
    ]);
    await terminal.until('bell');
    const { termios, foreground } = (await terminal.do('debug')) as Record<string, Record<string, unknown>>;
    expect(termios).toMatchObject({
      mode: 'cbreak',
      flags: { echo: false, icanon: false, isig: true, opost: true },
      characters: { intr: { text: '^X', byte: 24 }, eof: { text: '^D', byte: 4 }, swtch: null },
      min: 1,
      time: 0,
      hex: { lflag: expect.stringMatching(/^0x[\da-f]+$/) },
    });
    expect(foreground).toMatchObject({ threads: [{ process: expect.stringMatching(/cat|sh/) }] });
    await terminal.end();
  });

  it('returns null for line discipline and foreground after the process has exited', async () => {
    const terminal = await TestTerminal.start(daemon, ['true']);
    await terminal.exited();
    expect(await terminal.do('debug')).toMatchObject({ termios: null, foreground: null });
    await terminal.end();
  });
});
