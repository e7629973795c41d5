/** The output for a reply: its lines on standard output, and notes about them on standard error. */
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/cli/argv/invocation.js';
import { presented } from '../support/presented.js';
import { onTerminal, host } from '../support/host.js';

describe('the lines of text', () => {
  const CURSOR = { row: 0, col: 0, visible: true };
  const textReply = (fields: Fields): Fields => ({ cursor: CURSOR, rev: 1, ...fields });

  async function lines(argv: readonly string[], fields: Fields, params: Fields = {}): Promise<string> {
    const sent = { trim: true, ...params };
    return (await presented(['text', 't1', ...argv], textReply(fields), { params: sent })).printed;
  }

  test('omit trailing blank lines, unless rows are named or trimming is off', async () => {
    const reply = { lines: ['', 'a', '', 'b', '', ''] };
    expect(await lines([], reply)).toBe('\na\n\nb\n');
    expect(await lines([], reply, { format: 'plain' })).toBe('\na\n\nb\n');
    const whole = '\na\n\nb\n\n\n';
    expect(await lines([], reply, { trim: false })).toBe(whole);
    expect(await lines([], reply, { format: 'ansi' })).toBe(whole);
    expect(await lines([], reply, { start: 0 })).toBe(whole);
    expect(await lines([], reply, { end: 9 })).toBe(whole);
    expect(await lines([], { lines: ['', ''] })).toBe('');
  });

  test('that changed have their numbers before them with --since', async () => {
    const reply = { lines: ['a', ''], numbers: [7, 9] };
    expect(await lines([], reply, { since: 0 })).toBe('7:a\n9:\n');
    expect(await lines([], { lines: ['a'] }, { since: 0 })).toBe(':a\n');
    expect(await lines([], reply)).toBe('a\n');
  });

  test('are JSON in the format cells, and are replaced by the page in the format html', async () => {
    expect(await lines([], { lines: ['ab'], cells: [[{ text: 'ab', bold: true }]] })).toBe(
      '[{"text":"ab","bold":true}]\n',
    );
    expect(await lines([], { lines: ['ab'], html: '<pre>ab</pre>' }, { format: 'html' })).toBe('<pre>ab</pre>');
  });

  test('that were left out are counted at their place', async () => {
    const order: string[] = [];
    const where = host({ out: (text) => order.push(String(text)), note: (text) => order.push(`! ${text}`) });
    const reply = textReply({ lines: ['a', 'b', 'c'], omitted: { after: 1, lines: 5, bytes: 50 } });
    await presented(['text', 't1'], reply, { params: { trim: true }, where });
    expect(order).toEqual(['a\n', '! … 5 lines (50 bytes) left out (--max-bytes) …\n', 'b\nc\n']);
    expect((await presented(['text', 't1'], textReply({ lines: ['a'] }))).noted).toBe('');
  });

  test('of a command whose first lines are lost have a note before them, and others have none', async () => {
    const reply = { lines: ['a'], lost_lines: 7 };
    const said = '… 7 lines of the output are lost: the terminal does not hold them …\n';
    expect((await presented(['text', 't1'], textReply({ ...reply, region: 'command' }))).noted).toBe(said);
    expect((await presented(['text', 't1'], textReply({ ...reply, region: 'viewport' }))).noted).toBe('');
  });

  test('come with their highlights and links, escaped, on standard error', async () => {
    const reply = textReply({
      lines: ['a'],
      highlights: [{ number: 3, col: 4, text: 'h\x1b' }],
      links: [{ number: 5, col: 6, text: 'l\x07', url: 'http://x/\x9b' }],
    });
    expect(await presented(['text', 't1'], reply, { params: { trim: true } })).toEqual({
      printed: 'a\n',
      noted: 'highlight 3:4 h\\x1b\nlink 5:6 l\\x07 http://x/\\x9b\n',
    });
  });
});

describe('the output of run', () => {
  test('is printed as lines', async () => {
    expect(await presented(['run', 'ls'], { lines: ['a', 'b'], omitted_lines: 0 })).toEqual({
      printed: 'a\nb\n',
      noted: '',
    });
  });

  test('that is lost at its beginning is counted before it', async () => {
    const lost = (lines: number | null) =>
      presented(['run', 'ls'], { lines: ['b'], omitted_lines: 0, lost_lines: lines });
    expect((await lost(7)).noted).toBe('… 7 lines of the output are lost: the terminal does not hold them …\n');
    expect((await lost(null)).noted).toContain('unknown whether lines before these are lost');
    expect(await lost(0)).toEqual({ printed: 'b\n', noted: '' });
  });

  test.each([
    [
      ['a', 'b'],
      ['a\n', '! … 9 lines left out (--max-lines) …\n', 'b\n'],
    ],
    [
      ['a', 'b', 'c'],
      ['a\nb\n', '! … 9 lines left out (--max-lines) …\n', 'c\n'],
    ],
  ])('has a note at the place of lines left out of %j', async (lines, expected) => {
    const order: string[] = [];
    const where = host({ out: (text) => order.push(String(text)), note: (text) => order.push(`! ${text}`) });
    await presented(['run', 'ls'], { lines, omitted_lines: 9 }, { where });
    expect(order).toEqual(expected);
  });
});

describe('a command that acts', () => {
  const TURNS = [
    ['send', 't1', 'x'],
    ['press', 't1', 'Tab'],
    ['type', 't1', 'x'],
    ['mouse', 't1', 'click'],
    ['focus', 't1'],
    ['resize', 't1', '80', '24'],
  ];

  test.each(TURNS)('prints nothing, or the requested lines: %s', async (...argv) => {
    expect(await presented(argv, {})).toEqual({ printed: '', noted: '' });
    expect(await presented(argv, { observed: { lines: ['a', ''] } })).toEqual({ printed: 'a\n\n', noted: '' });
  });

  test('reports how an unmet wait ended, with the last lines if no text was requested', async () => {
    const wait = { outcome: 'timeout', elapsed_ms: 12, tail: ['x\x1b', 'y'] };
    const said = 't4a: The wait ended as timeout after 12 ms.\n';
    expect(await presented(['press', 't1', 'Tab'], { wait })).toEqual({ printed: '', noted: `${said}  x\\x1b\n  y\n` });
    expect(await presented(['press', 't1', 'Tab'], { wait, observed: { lines: ['a'] } })).toEqual({
      printed: 'a\n',
      noted: said,
    });
    const met = { ...wait, outcome: 'matched' };
    expect(await presented(['press', 't1', 'Tab'], { wait: met })).toEqual({ printed: '', noted: '' });
  });

  test('reports removed control characters: paste', async () => {
    const paste = ['paste', 't1', 'x'];
    expect(await presented(paste, { removed: 0, observed: { lines: ['a'] } })).toEqual({ printed: 'a\n', noted: '' });
    expect(await presented(paste, { removed: 1, observed: { lines: ['a'] } })).toEqual({
      printed: 'a\n',
      noted: 't4a: 1 control characters were removed.\n',
    });
  });

  test('prints the id first, and on a terminal a suggested command: create', async () => {
    const reply = { id: 't7', observed: { lines: ['a'] } };
    expect(await presented(['create'], reply)).toEqual({ printed: 't7\na\n', noted: '' });
    const { printed, noted } = await presented(['create'], reply, { where: onTerminal() });
    expect(printed).toBe('t7\na\n');
    expect(noted).toContain('t4a text t7');
  });

  test('reports surviving processes: kill', async () => {
    expect(await presented(['kill', 't1'], {})).toEqual({ printed: '', noted: '' });
    const ended = [{ id: 't1', exit_code: 3, signal: null }];
    expect(await presented(['kill', 't1'], { ended })).toEqual({ printed: 't1: exit code 3\n', noted: '' });
    const { printed, noted } = await presented(['kill', 't1'], { survivors: [3, 4] });
    expect(printed).toBe('');
    expect(noted).toContain('pids 3, 4.');
  });
});

test.each([['status'], ['cursor'], ['ping'], ['stats']])(
  'the fields of %s are printed one per line',
  async (command) => {
    expect(await presented([command], { id: 't1', cursor: { row: 1 } })).toEqual({
      printed: 'id          t1\ncursor.row  1\n',
      noted: '',
    });
  },
);

test('the reply to wait is printed as fields, then escaped last lines', async () => {
  const reply = { outcome: 'matched', elapsed_ms: 5, tail: ['$ \x1b'] };
  expect(await presented(['wait', 't1', '--done'], reply)).toEqual({
    printed: 'outcome     matched\nelapsed_ms  5\n  | $ \\x1b\n',
    noted: '',
  });
});

test.each([
  [['wait', 't1', '--input'], (wait: Fields) => wait],
  [['type', 't1', 'a', '--wait', 'input'], (wait: Fields) => ({ bytes_sent: 1, wait })],
])('%j notes a reader that is only likely, and no certain one', async (argv, replyOf) => {
  const waits = (certain: boolean): Fields => ({
    outcome: 'matched',
    elapsed_ms: 5,
    awaiting_input: { process: 's\x1bsh', kind: 'raw', pid: 7, certain, secrecy: 'unknown' },
    tail: [],
  });
  expect((await presented(argv, replyOf(waits(false)))).noted).toBe('t4a: s\\x1bsh probably waits for input (raw).\n');
  expect((await presented(argv, replyOf(waits(true)))).noted).toBe('');
});

test('the schema is one line in a pipe, and indented on a terminal', async () => {
  expect((await presented(['schema'], { schema: { a: 1 } })).printed).toBe('{"a":1}\n');
  expect((await presented(['schema'], { schema: { a: 1 } }, { where: onTerminal() })).printed).toBe('{\n  "a": 1\n}\n');
});
