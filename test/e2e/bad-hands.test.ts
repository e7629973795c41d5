/** Invalid keys, clicks and searches: each is refused with a code, a sentence and a next step, and nothing is sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { TestTerminal } from '../support/screen-fence.js';

let daemon: TestDaemon;
let terminal: TestTerminal;
let exited: TestTerminal;

beforeAll(async () => {
  daemon = await startDaemon();
  terminal = await TestTerminal.start(daemon, [
    'sh',
    '-c',
    "stty raw -echo; printf 'OK here, OK there\\a'; cat > /dev/null",
  ]);
  await terminal.until('bell');
  exited = await TestTerminal.start(daemon, ['true']);
  await exited.exited();
});
afterAll(async () => {
  // Nobody has sent a byte: the screen is as it was.
  expect((await terminal.lines())[0]).toBe('OK here, OK there');
  expect(daemon.log()).not.toMatch(/ error /);
  await daemon.stop();
});

const CLICK = { cmd: 'mouse', action: 'click' };

describe('an invalid request', () => {
  it.each<[name: string, fields: object, code: string, field: string | undefined, rest?: object]>([
    ['an unknown key', { cmd: 'press', keys: ['Entr'] }, 'unknown_key', 'keys', { closest: 'Enter' }],
    [
      'an unknown key among others',
      { cmd: 'press', keys: ['a', 'Crtl+C'] },
      'unknown_key',
      'keys.1',
      { closest: 'Ctrl+c' },
    ],
    ['text in place of a key', { cmd: 'press', keys: ['hello world'] }, 'unknown_key', 'keys'],
    ['an empty key', { cmd: 'press', keys: [''] }, 'unknown_key', 'keys'],
    ['a key of a megabyte', { cmd: 'press', keys: ['x'.repeat(1_000_000)] }, 'unknown_key', 'keys'],
    ['an empty list of keys', { cmd: 'press', keys: [] }, 'invalid_field', 'keys'],
    ['a key that is no text', { cmd: 'press', keys: [7] }, 'invalid_field', 'keys.0'],
    ['50,000 keys', { cmd: 'press', keys: Array.from({ length: 50_000 }, () => 'a') }, 'invalid_field', 'keys'],
    ['a key that has no bytes', { cmd: 'press', keys: ['VolumeUp'] }, 'key_not_sendable', 'keys'],
    ['an empty text to type', { cmd: 'type', text: '' }, 'invalid_field', 'text'],
    ['a megabyte to type', { cmd: 'type', text: 'x'.repeat(1_000_000) }, 'invalid_field', 'text'],
    ['a paste without text', { cmd: 'paste' }, 'invalid_field', 'text'],
    ['a paste of text and of bytes at once', { cmd: 'paste', text: 'a', text_base64: 'YQ==' }, 'invalid_field', 'text'],
    ['too much to paste', { cmd: 'paste', text: 'x'.repeat(1024 * 1024 + 1) }, 'invalid_field', 'text'],
    ['invalid UTF-8 in base64', { cmd: 'paste', text_base64: '/////w==' }, 'invalid_utf8', 'text_base64'],
    ['invalid base64', { cmd: 'paste', text_base64: '!!' }, 'invalid_field', 'text_base64'],
    ['a click without a place', CLICK, 'invalid_field', 'row'],
    ['a click without a column', { ...CLICK, row: 1 }, 'invalid_field', 'col'],
    ['a click at two places', { ...CLICK, row: 1, col: 1, on_text: 'OK' }, 'invalid_field', 'row'],
    ['a click below the grid', { ...CLICK, row: 24, col: 0 }, 'cell_outside', 'row'],
    ['a click right of the grid', { ...CLICK, row: 0, col: 80 }, 'cell_outside', 'col'],
    ['a click above the grid', { ...CLICK, row: -1, col: 0 }, 'invalid_field', 'row'],
    ['a drag without an end', { cmd: 'mouse', action: 'drag', row: 0, col: 0 }, 'invalid_field', 'to_row'],
    [
      'a drag out of the grid',
      { cmd: 'mouse', action: 'drag', row: 0, col: 0, to_row: 0, to_col: 99 },
      'cell_outside',
      'to_col',
    ],
    ['a click without a mouse mode', { ...CLICK, row: 0, col: 0 }, 'mouse_off', undefined],
    ['a click on a missing text', { ...CLICK, on_text: 'Cancel' }, 'no_match', 'on_text'],
    ['a click on the third of two matches', { ...CLICK, on_text: 'OK', match_index: 2 }, 'no_match', 'match_index'],
    ['a click on an invalid pattern', { ...CLICK, on_regex: '(' }, 'bad_regex', 'on_regex'],
    [
      'an unknown modifier',
      { ...CLICK, row: 0, col: 0, modifiers: ['shft'] },
      'unknown_key',
      'modifiers.0',
      { closest: 'Shift' },
    ],
    ['an unknown action', { cmd: 'mouse', action: 'tap', row: 0, col: 0 }, 'invalid_field', 'action'],
    ['a focus report without its mode', { cmd: 'focus' }, 'focus_off', undefined],
    ['an invalid pattern', { cmd: 'grep', pattern: '[a' }, 'bad_regex', 'pattern'],
    ['a look-around', { cmd: 'grep', pattern: '(?=a)b' }, 'bad_regex', 'pattern'],
    ['a pattern with too many repetitions', { cmd: 'grep', pattern: '((a{100}){100}){100}' }, 'bad_regex', 'pattern'],
    ['an empty pattern', { cmd: 'grep', pattern: '' }, 'invalid_field', 'pattern'],
    ['a pattern of a megabyte', { cmd: 'grep', pattern: 'x'.repeat(1_000_000) }, 'invalid_field', 'pattern'],
    ['a find without a pattern', { cmd: 'find' }, 'invalid_field', 'text'],
    ['an invalid pattern to find', { cmd: 'find', regex: '*' }, 'bad_regex', 'regex'],
    ['a range that ends before it starts', { cmd: 'text', start: 5, end: 2 }, 'invalid_field', 'end'],
    ['a negative line', { cmd: 'text', start: -1 }, 'invalid_field', 'start'],
    ['a revision from the future', { cmd: 'text', since: 1_000_000 }, 'revision_unknown', 'since'],
    ['an unknown format', { cmd: 'text', format: 'rtf' }, 'invalid_field', 'format'],
    ['a bound of zero bytes', { cmd: 'text', max_bytes: 0 }, 'invalid_field', 'max_bytes'],
    ['a tail that is too long', { cmd: 'debug', tail_bytes: 1e9 }, 'invalid_field', 'tail_bytes'],
  ])('is refused with its code: %s', async (_, fields, code, field, rest = {}) => {
    const reply = await request(daemon, { id: terminal.id, ...fields });
    expect(reply).toMatchObject({
      ok: false,
      code,
      error: expect.stringMatching(/^.{10,300}$/s),
      hint: expect.any(String),
      ...rest,
    });
    expect(reply['field']).toBe(field);
  });
});

describe('a terminal whose process has exited', () => {
  it.each([
    ['press', { keys: ['a'] }],
    ['press', { keys: ['Ctrl+C'] }],
    ['type', { text: 'a' }],
    ['paste', { text: 'a' }],
  ])('refuses %s with %j', async (cmd, fields) => {
    expect(await exited.ask(cmd, fields)).toMatchObject({
      ok: false,
      code: 'terminal_exited',
      hint: expect.any(String),
    });
  });

  it('can be read and searched', async () => {
    await exited.do('text', { region: 'all' });
    await exited.do('grep', { pattern: 'x' });
    await exited.do('find', { text: 'x' });
  });
});

it.each(['press', 'type', 'paste', 'mouse', 'focus', 'grep', 'find', 'debug', 'text'])(
  '%s of a missing terminal fails with terminal_not_found',
  async (cmd) => {
    const fields = { keys: ['a'], text: 'a', action: 'click', row: 0, col: 0, pattern: 'a' };
    const taken: Record<string, readonly (keyof typeof fields)[]> = {
      press: ['keys'],
      type: ['text'],
      paste: ['text'],
      mouse: ['action', 'row', 'col'],
      grep: ['pattern'],
      find: ['text'],
    };
    const own = Object.fromEntries((taken[cmd] ?? []).map((name) => [name, fields[name]]));
    expect(await request(daemon, { cmd, id: 'nowhere', ...own })).toMatchObject({
      ok: false,
      code: 'terminal_not_found',
    });
  },
);
