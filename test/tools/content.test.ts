/** The text of replies and errors for a model. */
import { describe, expect, test } from 'vitest';
import { T4aError } from '../../src/protocol/errors.js';
import type { CommandName } from '../../src/protocol/registry.js';
import { contentOf, errorContent } from '../../src/tools/content.js';

function words(command: CommandName, reply: object): string {
  const [block, ...others] = contentOf(command, reply, undefined);
  expect(others).toEqual([]);
  if (block?.type !== 'text') throw new Error('no text');
  return block.text;
}

describe('the text of a reply of run', () => {
  const RAN = {
    outcome: 'exited',
    exit_code: 0,
    signal: null,
    duration_ms: 9,
    lines: ['a', 'b', ''],
    omitted_lines: 0,
  };

  test.each<[object, string]>([
    [{}, 'Exit code 0.\na\nb'],
    [{ exit_code: 3, lines: [] }, 'Exit code 3.\n'],
    [{ exit_code: 3, lines: [], duration_ms: 61_234 }, 'Exit code 3 after 61.2 s.\n'],
    [{ exit_code: null }, 'Exit code unknown, perhaps a failure.\na\nb'],
    [{ exit_code: null, signal: 'SIGTERM' }, 'Ended by SIGTERM.\na\nb'],
    [{ outcome: 'done', id: 't1', n: 2, exit_code: 1 }, 'Exit code 1.\na\nb'],
    [
      { outcome: 'exited', id: 't1', n: 2, exit_code: 1 },
      'Exit code 1. The shell of terminal t1 has ended with it.\na\nb',
    ],
    [{ outcome: 'timeout' }, 'Not ended after 9 ms, and was killed.\na\nb'],
    [
      { outcome: 'timeout', id: 't1', n: 2, kept: true },
      'Goes on in terminal t1 after 9 ms: wait {"id":"t1","for":"done"}, or end it with kill.\na\nb',
    ],
    [
      { outcome: 'timeout', id: 't1', kept: true },
      'Goes on in terminal t1 after 9 ms: wait {"id":"t1","for":"exit"}, or end it with kill.\na\nb',
    ],
    [
      { outcome: 'awaiting_input', id: 't1', kept: true, awaiting_input: { process: 'cat', kind: 'line' } },
      'cat waits for input (line): type {"id":"t1","text":"ANSWER","submit":true}.\na\nb',
    ],
    [
      { outcome: 'awaiting_input', id: 't1', kept: false, awaiting_input: { process: 'cat', kind: 'line' } },
      'cat waits for input (line), and was killed.\na\nb',
    ],
    [
      { ended_processes: [{ pid: 7, process: 'sle\nep' }], living_processes: [{ pid: 8, process: 'nc' }] },
      'Exit code 0.\nEnded with the command, which had left it in the background: sle ep (7). ' +
        'Start it with nohup or setsid to let it live on.\nLives on in the background: nc (8).\na\nb',
    ],
    [{ outcome: 'not_run' }, 'Not run: the shell found an error in the command line, or nothing to run.\na\nb'],
    [
      { lines: ['a', 'b'], omitted_lines: 7 },
      'Exit code 0.\na\n… 7 lines left out, and gone: "keep_omitted": true keeps them …\nb',
    ],
    [
      { lines: ['a', 'b', 'c'], omitted_lines: 7 },
      'Exit code 0.\na\nb\n… 7 lines left out, and gone: "keep_omitted": true keeps them …\nc',
    ],
    [
      { lines: ['a', 'b'], omitted_lines: 7, lost_lines: 3 },
      'Exit code 0.\n… 3 lines of the output are lost: the terminal does not hold them …\na\n… 7 lines left out, and gone: "keep_omitted": true keeps them …\nb',
    ],
    [
      { lines: ['a', ''], omitted_lines: 1 },
      'Exit code 0.\na\n… 1 lines left out, and gone: "keep_omitted": true keeps them …',
    ],
  ])('with %j', (change, expected) => {
    expect(words('run', { ...RAN, ...change })).toBe(expected);
  });
});

test('the handle of a look is no terminal to act on', () => {
  const error = new T4aError('invalid_field', 'names have letters', { field: 'id' });
  expect(errorContent(error, { id: 'h1@10' })).toEqual([
    { type: 'text', text: 'names have letters (invalid_field)\nHint: "h1@10" is a screen of the past: act on "h1".' },
  ]);
});

test('a run says how many lines with errors it has not named', () => {
  const reply = { ...LEFT_OUT, kept: true, omitted: { from_line: 1, rows: 200 } };
  const shown = (count: number): string => {
    const troubles = Array.from({ length: count }, (_, i) => i + 1);
    const [block] = contentOf('run', reply, undefined, { troubles });
    return block?.type === 'text' ? block.text : '';
  };
  expect(shown(10)).toContain('; errors or warnings in 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …');
  expect(shown(141)).toContain('; errors or warnings in 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 131 more …');
});

test.each([
  ['pager', { command: 'git log' }, true],
  ['pager', { cmd_args: ['man', 'ls'] }, true],
  ['less', { command: 'less f' }, false],
  ['less', { cmd_args: ['/usr/bin/less', 'f'] }, false],
])('a run that %s holds up, of %j, names q, and PAGER: %s', (process, asked, isNamed) => {
  const waiting = { outcome: 'awaiting_input', kept: true, awaiting_input: { process, kind: 'raw' } };
  const [block] = contentOf('run', { ...LEFT_OUT, ...waiting, omitted_lines: 0 }, undefined, { asked });
  const words = block?.type === 'text' ? block.text : '';
  expect(words).toContain(`${process} waits for input (raw): press {"id":"t1","keys":["q"]}.`);
  expect(words.includes('PAGER=cat')).toBe(isNamed);
});

const LEFT_OUT = {
  id: 't1',
  outcome: 'exited',
  exit_code: 0,
  signal: null,
  duration_ms: 9,
  lines: ['a', 'b'],
  omitted_lines: 200,
};

test.each([{ where: { role: 'worker' } }, { owner: 'ada' }])(
  'a list of %j without a terminal does not deny the others',
  (asked) => {
    const [block] = contentOf('list', { terminals: [] }, undefined, { asked });
    expect(block).toEqual({ type: 'text', text: 'No terminal fits.' });
  },
);

const LISTED = {
  id: 't1',
  alive: true,
  exit_code: null,
  signal: null,
  cols: 80,
  rows: 24,
  idle_ms: 5,
  foreground: 'vim',
  title: '',
  cmd: ['bash', '-l'],
};

test.each<[CommandName, object, string]>([
  ['create', { id: 't1', cols: 80, rows: 24, pid: 7 }, 'Terminal t1.'],
  ['text', { lines: ['a', '', 'b ', ''] }, 'a\n\nb'],
  ['text', { lines: ['', ''] }, '(blank)'],
  ['list', { terminals: [] }, 'No terminals.'],
  [
    'list',
    { terminals: [LISTED, { ...LISTED, id: 't2' }] },
    't1: bash -l: running vim, 80x24, idle for 5ms\nt2: bash -l: running vim, 80x24, idle for 5ms',
  ],
  ['list', { terminals: [{ ...LISTED, foreground: null }] }, 't1: bash -l: running, 80x24, idle for 5ms'],
  [
    'list',
    { terminals: [{ ...LISTED, title: 'a "b"' }] },
    't1: bash -l: running vim, 80x24, idle for 5ms, title "a \\"b\\""',
  ],
  ['list', { terminals: [{ ...LISTED, alive: false, exit_code: 3 }] }, 't1: bash -l: ended (3), 80x24, idle for 5ms'],
  [
    'list',
    { terminals: [{ ...LISTED, alive: false, signal: 'SIGHUP' }] },
    't1: bash -l: ended (SIGHUP), 80x24, idle for 5ms',
  ],
  [
    'list',
    { terminals: [{ ...LISTED, alive: false }] },
    't1: bash -l: ended (exit code unknown, perhaps a failure), 80x24, idle for 5ms',
  ],
  ['screenshot', { unchanged: true, rev: 4 }, 'Unchanged since revision 4.'],
  ['screenshot', { cols: 80, rows: 24, width: 640, height: 384, rev: 4 }, '80x24 cells, 640x384 pixels, revision 4'],
  ...(
    [
      [true, 'waits'],
      [false, 'probably waits'],
    ] as const
  ).map(([certain, waits]): [CommandName, object, string] => [
    'wait',
    {
      outcome: 'awaiting_input',
      elapsed_ms: 5,
      awaiting_input: { process: 's\nsh', kind: 'line', certain },
      exit_code: undefined,
      tail: ['Name?'],
    },
    `awaiting_input: s sh ${waits} for input (line) after 5 ms\nName?`,
  ]),
  [
    'wait',
    {
      outcome: 'matched',
      elapsed_ms: 5,
      match: { text: 'Name?' },
      awaiting_input: { process: 'ssh', kind: 'raw', certain: false },
      tail: [],
    },
    'matched: "Name?" after 5 ms. ssh probably waits for input (raw)',
  ],
  [
    'wait',
    { outcome: 'matched', elapsed_ms: 5, match: { text: 'Do"ne' }, tail: ['x', 'y'] },
    'matched: "Do\\"ne" after 5 ms\nx\ny',
  ],
  [
    'wait',
    { outcome: 'matched', exit_code: null, signal: null, command: 'make', elapsed_ms: 5, tail: [] },
    'matched: exit code unknown, perhaps a failure (make) after 5 ms',
  ],
  [
    'wait',
    { outcome: 'matched', exit_code: null, signal: null, nothing_ran: true, elapsed_ms: 5, tail: [] },
    'matched: no command has run yet after 5 ms',
  ],
  [
    'type',
    { wait: { outcome: 'matched', exit_code: null, signal: null, command: null, elapsed_ms: 5, tail: [] } },
    'Done: exit code unknown, perhaps a failure.',
  ],
  [
    'type',
    { doing: { is: 'working', needs_you: null }, wait: { outcome: 'timeout', elapsed_ms: 5, tail: [] } },
    'The wait was not met after 5 ms.',
  ],
  [
    'type',
    { doing: { is: 'waiting', needs_you: 'permission' }, wait: { outcome: 'timeout', elapsed_ms: 5, tail: [] } },
    'The wait was not met after 5 ms.\nThe program needs you (permission).',
  ],
  [
    'type',
    { wait: { outcome: 'exited', exit_code: null, signal: null, elapsed_ms: 5, tail: [] } },
    'Ended: exit code unknown, perhaps a failure.',
  ],
  ['kill', { ended: [{ id: 't1', exit_code: null, signal: null }] }, 'Ended t1: exit code unknown, perhaps a failure'],
  ['wait', { outcome: 'timeout', elapsed_ms: 5, tail: [] }, 'timeout after 5 ms'],
  ['press', {}, 'ok'],
  ['press', { len: 0, data: '', tokens: 3 }, 'ok'],
  ['cursor', { row: 1, col: 2 }, '{"row":1,"col":2}'],
])('a reply of %s is shown as text: %j', (command, reply, expected) => {
  expect(words(command, reply)).toBe(expected);
});

describe('a picture', () => {
  const BYTES = Buffer.from('--picture--').subarray(2, 9);
  const DATA = Buffer.from('picture').toString('base64');

  test.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
  ])('in the format %s comes before the text', (format, mimeType) => {
    expect(contentOf('press', { format, len: 7 }, BYTES)).toEqual([
      { type: 'image', mimeType, data: DATA },
      { type: 'text', text: `{"format":"${format}"}` },
    ]);
  });

  test('is a PNG by default', () => {
    expect(contentOf('press', {}, BYTES)[0]).toMatchObject({ mimeType: 'image/png' });
  });

  test.each(['svg', 'html'])('in the format %s is text', (format) => {
    expect(contentOf('press', { format }, BYTES)[0]).toEqual({ type: 'text', text: 'picture' });
  });
});

test('a long text is shown without its middle', () => {
  const most = 'x'.repeat(32_000);
  expect(words('text', { lines: [most] })).toBe(most);
  const long = `${'a'.repeat(16_000)}bb${'c'.repeat(16_000)}`;
  expect(words('text', { lines: [long] })).toBe(
    `${'a'.repeat(16_000)}\n… 2 characters left out …\n${'c'.repeat(16_000)}`,
  );
  const [svg] = contentOf('press', { format: 'svg' }, Buffer.from(long));
  expect(svg).toMatchObject({ text: expect.stringContaining('… 2 characters left out …') });
});

test.each([
  [{}, 'No. (usage)'],
  [{ hint: 'Do it.' }, 'No. (usage)\nHint: Do it.'],
  [{ closest: 't1' }, 'No. (usage)\nClosest: t1'],
  [{ closest: 't1', hint: 'List them.' }, 'No. (usage)\nClosest: t1\nHint: List them.'],
  [{ closest: 't1', hint: 'Try t1.' }, 'No. (usage)\nHint: Try t1.'],
])('an error with %j is shown with its closest name and its hint', (details, text) => {
  expect(errorContent(new T4aError('usage', 'No.', details))).toEqual([{ type: 'text', text }]);
});

describe('the text of a reply of ask', () => {
  test.each<[object, string]>([
    [{ outcome: 'answered', by: 'ada', answer: 'main' }, 'Question 7: answered by ada: "main"'],
    [{ outcome: 'answered', by: null, answer: false }, 'Question 7: answered: false'],
    [{ outcome: 'answered', by: 'ada' }, 'Question 7: answered by ada'],
    [{ outcome: 'declined', by: 'ada', note: 'no\nway' }, 'Question 7: declined by ada\nNote: "no\\nway"'],
    [{ outcome: 'open', by: null }, 'Question 7: open. Call again with resume 7 to wait on.'],
    [
      { outcome: 'open', by: null, watchers: 0 },
      'Question 7: open. No client watches the terminal now. Call again with resume 7 to wait on.',
    ],
  ])('%j', (reply, expected) => {
    expect(words('ask', { ask: 7, ...reply })).toBe(expected);
  });
});

test('a look that is too long names the call that reads it whole', () => {
  const lines = Array.from({ length: 100 }, (_, i) => String.fromCodePoint(97 + (i % 26)).repeat(700));
  const reply = { observed: { lines, rev: 7 } };
  const words = (has: boolean): string => {
    const content = contentOf('press', reply, undefined, {
      asked: { id: 'wide' },
      has: (tool) => has && tool === 'text',
    });
    return content.map((block) => ('text' in block ? block.text : '')).join('\n');
  };
  expect(words(true)).toMatch(
    /^Screen wide@7:\na{700}\n[^]*\n… 38299 characters left out: text \{"id":"wide@7"\} …\n[^]*v{700}$/,
  );
  expect(words(false)).toContain('\n… 38299 characters left out …\n');
  expect(words(true).length).toBeLessThanOrEqual(32_000);
});

test('a look at which no row is new says where the cursor is', () => {
  const changed = { complete: false, rows: [] as number[], moved_up: 0, unchanged: 22, scrolled: 0 };
  const words = (observed: object): string =>
    contentOf('press', { observed: { rev: 7, cursor: { row: 3, col: 5, visible: true }, ...observed } }, undefined, {
      asked: { id: 'v' },
    })
      .map((block) => ('text' in block ? block.text : ''))
      .join('\n');
  expect(words({ lines: [], changed })).toBe('New v@7:\n22 rows as before. The cursor is in row 3, column 5.');
  const one = { ...changed, rows: [3], unchanged: 21 };
  expect(words({ lines: ['x'], changed: one })).toBe('New v@7:\n3: x\n21 other rows as before.');
  const hidden = { row: 3, col: 5, visible: false };
  expect(words({ lines: [], changed, cursor: hidden })).toBe('New v@7:\n22 rows as before.');
});
