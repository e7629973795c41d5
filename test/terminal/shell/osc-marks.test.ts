/** The meaning of each dialect of shell marks. */
import { describe, expect, test } from 'vitest';
import { MAX_COMMAND_LENGTH, parseShellMark } from '../../../src/terminal/shell/osc-marks.js';

function parse(code: number, data: string) {
  return parseShellMark({ code, data });
}

/** The command line of a start, as `printf %q` or kitty's shells write it. */
function commandOf(options: string): string | undefined {
  const { mark } = parse(133, `C;${options}`) ?? {};
  return mark?.mark === 'command_start' ? mark.command : undefined;
}

test.each([
  [133, 'A', { source: '133', mark: { mark: 'prompt_start' } }],
  [133, 'A;cl=line', { source: '133', mark: { mark: 'prompt_start' } }],
  [133, 'B;aid=7', { source: '133;7', mark: { mark: 'input_start' } }],
  [133, 'C', { source: '133', mark: { mark: 'command_start', command: undefined } }],
  [133, 'D', { source: '133', mark: { mark: 'command_done', code: null } }],
  [133, 'D;0;aid=7', { source: '133;7', mark: { mark: 'command_done', code: 0 } }],
  [633, 'A', { source: '633', mark: { mark: 'prompt_start' } }],
  [633, 'B;aid=7', { source: '633', mark: { mark: 'input_start' } }],
  [633, 'C', { source: '633', mark: { mark: 'command_start', command: undefined } }],
  [633, 'D;130', { source: '633', mark: { mark: 'command_done', code: 130 } }],
  [633, 'E;ls -l;nonce', { source: '633', mark: { mark: 'command_line', command: 'ls -l' } }],
  [7777, 'done;-1', { source: '7777', mark: { mark: 'command_done', code: -1 } }],
  [7777, 'shell;fish', { source: '7777', mark: { mark: 'shell', name: 'fish', off: undefined } }],
  [7777, 'shell;fish;off=no hooks', { source: '7777', mark: { mark: 'shell', name: 'fish', off: 'no hooks' } }],
])('OSC %i;%s is a mark', (code, data, expected) => {
  expect(parse(code, data)).toEqual(expected);
});

test.each([
  [133, ''],
  [133, 'E;ls'],
  [133, 'toString'],
  [633, 'E'],
  [633, 'P;Cwd=/'],
  [7777, 'shell'],
  [7777, 'A'],
  [7, 'A'],
])('OSC %i;%s is not a mark', (code, data) => {
  expect(parse(code, data)).toBeUndefined();
});

test.each([
  ['0', 0],
  ['255', 255],
  ['-1073741510', -1_073_741_510],
  ['12345678901', null],
  ['1x', null],
  ['', null],
  ['-', null],
])('the exit code %j is %s', (field, expected) => {
  expect(parse(133, `D;${field}`)?.mark).toEqual({ mark: 'command_done', code: expected });
});

describe('a command line', () => {
  test.each([
    [String.raw`cmdline=ls\ -l`, 'ls -l'],
    ['cmdline=a;b;c', 'a;b;c'],
    ['aid=1;cmdline=a;b', 'a;b'],
    ['cmdline=', ''],
    [String.raw`cmdline=a\\b`, String.raw`a\b`],
    ['cmdline_url=a%3Bb', 'a;b'],
    ['cmdline_url=a%20b;cmdline=other', 'a b'],
    ['k=s', undefined],
  ])('is read from %s', (options, expected) => {
    expect(commandOf(options)).toBe(expected);
  });

  test.each([
    [String.raw`\a`, '\x07'],
    [String.raw`\b`, '\b'],
    [String.raw`\e`, '\x1b'],
    [String.raw`\E`, '\x1b'],
    [String.raw`\f`, '\f'],
    [String.raw`\n`, '\n'],
    [String.raw`\r`, '\r'],
    [String.raw`\t`, '\t'],
    [String.raw`\v`, '\v'],
    [String.raw`\'`, "'"],
    [String.raw`\\`, '\\'],
    [String.raw`\7`, '\x07'],
    [String.raw`\101`, 'A'],
    [String.raw`\1012`, 'A2'],
    [String.raw`\303\244`, 'ä'],
    ['%41', '%41'],
    [';', ';'],
  ])('is read from quotes around %s', (quoted, expected) => {
    expect(commandOf(`cmdline=$'<${quoted}>'`)).toBe(`<${expected}>`);
  });

  test.each([
    [String.raw`a\x3bb`, 'a;b'],
    [String.raw`\x0A`, '\n'],
    [String.raw`a\\x41`, String.raw`a\x41`],
    [String.raw`\xzz\n`, String.raw`\xzz\n`],
  ])('of VS Code, %s, is unescaped', (escaped, expected) => {
    expect(parse(633, `E;${escaped}`)?.mark).toEqual({ mark: 'command_line', command: expected });
  });

  test('is cut at its limit, and ends in an ellipsis only if it was longer', () => {
    const most = 'x'.repeat(MAX_COMMAND_LENGTH);
    expect(commandOf(`cmdline=${most}`)).toBe(most);
    expect(commandOf(`cmdline=${most}x`)).toBe(`${most.slice(1)}…`);
  });
});

test('names and reasons are cut at their limits', () => {
  const long = 'x'.repeat(1000);
  expect(parse(7777, `shell;${long};off=${long}`)?.mark).toEqual({
    mark: 'shell',
    name: long.slice(0, 64),
    off: long.slice(0, 200),
  });
  expect(parse(133, `A;aid=${long}`)?.source).toBe(`133;${long.slice(0, 64)}`);
});
