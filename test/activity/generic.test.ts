/**
 * The profile "generic" on what real programs printed (scripts/record-activity.mjs records it), and on hand-made output of
 * programs that were not at hand. However the output is cut, the entries are the same.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { GENERIC } from '../../src/activity/profiles/generic.js';
import type { Profile } from '../../src/activity/rule.js';
import { parseRules } from '../../src/activity/rules-file.js';
import { show } from '../vt/screens.js';
import { entriesAfter, watched } from './watched.js';

const PROFILE = parseRules('generic', JSON.stringify(GENERIC)).profiles[0] as Profile;

/** Kind, and what counts of the data. */
type Expected = readonly [string, Readonly<Record<string, unknown>>];

const RECORDED: Readonly<Record<string, readonly Expected[]>> = {
  gcc: [
    ['diagnostic', { file: 'a.c', line: 4, col: 18, level: 'error', tool: 'cc' }],
    ['diagnostic', { line: 5, col: 10, level: 'warning' }],
    ['diagnostic', { line: 3, col: 7, level: 'warning' }],
  ],
  'gcc-assert': [
    ['panic', { text: "a.out: a.c:2: main: Assertion `1 == 2' failed." }],
    ['panic', { message: 'Aborted' }],
  ],
  tsc: [
    ['diagnostic', { file: 'a.ts', line: 1, col: 7, code: 'TS2322', level: 'error' }],
    ['diagnostic', { line: 3, code: 'TS2322' }],
    ['diagnostic', { line: 5, code: 'TS2304', message: "Cannot find name 'three'." }],
  ],
  'tsc-pretty': [
    ['diagnostic', { file: 'a.ts', line: 1, col: 7, code: 'TS2322', level: 'error' }],
    ['diagnostic', { line: 3, code: 'TS2322' }],
    ['diagnostic', { line: 5, code: 'TS2304', message: "Cannot find name 'three'." }],
  ],
  'python-traceback': [
    ['panic', { error: 'KeyError', message: "'name'", line: 4 }],
    ['panic', { error: 'ValueError', message: 'no name', line: 9 }],
  ],
  'python-syntax': [['diagnostic', { error: 'SyntaxError', line: 1, message: 'invalid syntax' }]],
  pytest: [
    ['progress', { percent: 100 }],
    ['test_failure', { name: 'test_a.py::test_two' }],
    ['test_summary', { failed: 1, passed: 2, tool: 'pytest' }],
  ],
  unittest: [
    ['panic', { error: 'AssertionError', message: '1 != 2' }],
    ['test_summary', { total: 2, failed: 1 }],
  ],
  vitest: [
    ['test_failure', { name: 'a.test.mjs > subtracts' }],
    ['test_summary', { failed: 1, passed: 1, skipped: 1, total: 3, files_failed: 1, tool: 'vitest' }],
  ],
  'node-test': [
    ['test_failure', { name: 'subtracts' }],
    ['test_summary', { total: 2, passed: 1, failed: 1 }],
  ],
  'node-test-spec': [['test_summary', { total: 2, passed: 1, failed: 1 }]],
  'node-error': [['panic', { error: 'TypeError', language: 'javascript' }]],
  rustc: [
    ['diagnostic', { code: 'E0308', file: 'a.rs', line: 2, col: 18, message: 'mismatched types', tool: 'rustc' }],
  ],
  'rust-panic': [
    [
      'panic',
      { file: 'a.rs', line: 4, thread: 'main', message: 'index out of bounds: the len is 0 but the index is 5' },
    ],
  ],
  'cargo-test': [
    ['panic', { file: 'src/lib.rs', line: 4, thread: 'subtracts', message: 'assertion `left == right` failed' }],
    ['test_summary', { passed: 1, failed: 1, skipped: 0, result: 'FAILED' }],
  ],
  'http-server': [['url', { url: 'http://127.0.0.1:8123/', port: 8123 }]],
};

/** Not recorded: written after the documentation of these programs. */
const HAND_MADE: Readonly<Record<string, readonly [output: string, expected: readonly Expected[]]>> = {
  'go panic': [
    'panic: runtime error: index out of range [5]\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:9 +0x1d\nexit status 2\n',
    [['panic', { file: '/src/main.go', line: 9, language: 'go' }]],
  ],
  'go test': [
    'ok  \texample.com/sums\t0.003s\nFAIL\texample.com/other\t0.1s\n',
    [
      ['test_summary', { result: 'ok' }],
      ['test_summary', { result: 'FAIL' }],
    ],
  ],
  'pytest -q': [
    '1 failed, 2 passed, 1 warning in 0.02s\n',
    [['test_summary', { failed: 1, passed: 2, tool: 'pytest' }]],
  ],
  'pytest -q that passes': [
    '12 passed, 3 skipped in 61.02s (0:01:01)\n',
    [['test_summary', { passed: 12, skipped: 3 }]],
  ],
  jest: ['Tests:       1 failed, 4 passed, 5 total\n', [['test_summary', { failed: 1, passed: 4, total: 5 }]]],
  vite: ['  VITE v7.0.0  ready in 300 ms\n\n  ➜  Local:   http://localhost:5173/\n', [['url', { port: 5173 }]]],
  express: ['Example app listening on port 3000\n', [['url', { port: 3000 }]]],
  'a download': ['  10%\r  55%\r 100%\n', [['progress', { percent: 100 }]]],
  'plain text': ['On the way to 100 things, an error: none.\nIt listens to music.\nerror\n1 of 3\n', []],
};

function recorded(name: string): string {
  return readFileSync(fileURLToPath(new URL(`fixtures/${name}.out`, import.meta.url)), 'utf8');
}

async function entriesIn(output: string, piece: number, rows = 30) {
  const { screen, look, all, end } = watched(PROFILE, { cols: 100, rows, scrollback: 1000 });
  for (let at = 0; at < output.length; at += piece) {
    await show(screen, output.slice(at, at + piece));
    look();
  }
  end();
  return { entries: entriesAfter(all), all };
}

const CUTS: readonly (readonly [pieces: string, piece: number, rows: number])[] = [
  ['at once', 1e6, 30],
  ['in pieces of 50 characters', 50, 30],
  ['in pieces of 7 characters, on five rows', 7, 5],
];

describe.each(CUTS)('printed %s,', (_, piece, rows) => {
  it.each(Object.entries(RECORDED))('%s has its entries, each once', async (name, expected) => {
    const { entries } = await entriesIn(recorded(name), piece, rows);
    expect(entries.map(({ kind }) => kind)).toEqual(expected.map(([kind]) => kind));
    expect(entries.map(({ data }) => data)).toMatchObject(expected.map(([, data]) => data));
    expect(entries.every(({ open }) => !open)).toBe(true);
  });

  it.each(Object.entries(HAND_MADE))('%s (hand-made) has its entries, each once', async (_name, [output, expected]) => {
    const { entries } = await entriesIn(output.replaceAll('\n', '\r\n'), piece, rows);
    expect(entries.map(({ kind }) => kind)).toEqual(expected.map(([kind]) => kind));
    expect(entries.map(({ data }) => data)).toMatchObject(expected.map(([, data]) => data));
  });
});

it.each([
  ['yes-no', 'Overwrite a.txt?'],
  ['apt', 'Do you want to continue?'],
])('the question of %s is open until it is answered', async (name, text) => {
  const output = recorded(name);
  const { screen, look, end } = watched(PROFILE, { cols: 100, rows: 30 });
  const asked = output.indexOf(']') + 1;
  await show(screen, output.slice(0, asked));
  expect(look()).toMatchObject([{ op: 'upsert', entry: { kind: 'question', open: true, data: { text } } }]);
  await show(screen, output.slice(asked));
  expect(look()).toMatchObject([{ op: 'finalize', entry: { kind: 'question', open: false } }]);
  expect(end()).toEqual([]);
});
