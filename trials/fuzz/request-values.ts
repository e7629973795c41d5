/**
 * Right values for fields by their names, so that most requests get past every check and do something. What is not here is
 * made from its schema.
 */
import type { Random } from '../support/random.js';

/**
 * The terminal that most requests are about: it has asked for mouse and focus events, its shell has told a command, it
 * echoes, and neither Ctrl+C nor Ctrl+D ends it.
 */
export const SUBJECT = [
  'sh',
  '-c',
  'trap "" INT QUIT TSTP; stty sane; printf "\\033[?1003h\\033[?1006h\\033[?1004h\\033]133;A\\007$ \\033]133;B\\007true\\r\\n\\033]133;C\\007out\\r\\n\\033]133;D;0\\007OK "; while :; do cat; done',
];

const PROGRAMS = [['true'], ['cat'], ['false'], ['sleep', '0.01'], ['printf', '\\033[31mred']];
const SHELL_COMMANDS = ['true', 'exit 3', 'echo hi', ':', 'printf "\\007"'];

const STRINGS = ['a', 'OK', '\u0000', '\n', '\u001b[A', '%s', '../..', '0', 'é', '😀', '中文\r', 'x'.repeat(300)];
const PATTERNS = ['OK', 'o', 'x+', '[a-z]', '$', '(a|b)*', '😀', '.'];
const KEYS = ['Enter', 'a', 'Up', 'C-c', 'F5', 'Esc', 'Tab', 'Ctrl+Shift+Left', 'é', '😀', 'PgUp', 'BSpace'];

type Make = (random: Random) => unknown;

const small: Make = (random) => random.below(3);
const text: Make = (random) => random.pick(STRINGS);
const pattern: Make = (random) => random.pick(PATTERNS);
const base64: Make = (random) => Buffer.from(random.pick(STRINGS)).toString('base64');
const revision: Make = (random) => random.below(2);
const region = (): unknown => ({ row: 0, col: 0, rows: 1, cols: 2 });

/** By name, or by `command.name` where the command matters. */
export const FIELDS: Readonly<Record<string, Make>> = {
  id: (random) => random.pick(['fuzz', 'fuzz', 'fuzz', 'fuzz', '@']),
  'kill.id': (random) => random.pick(['other', 'third']),
  name: (random) => random.pick(['fuzz', 'other', 'third']),
  reuse: () => true,
  scope: (random) => random.pick(['a', 'b']),
  as: (random) => random.pick(['ada', 'claude-1']),
  // Lower, it would refuse all that comes after it.
  'restrict.reach': () => 'admin',
  cmd_args: (random) => random.pick(PROGRAMS),
  command: (random) => random.pick(SHELL_COMMANDS),
  'text.command': () => -1,
  cwd: (random) => random.pick(['/', '/tmp']),
  env: (random) => random.pick([{}, { A: 'b' }, { A: '' }]),
  term: () => 'xterm-256color',
  title: text,
  timeout_ms: (random) => random.pick([1, 2, 5]),
  settled_ms: (random) => 1 + random.below(3),
  idle_ms: (random) => 1 + random.below(3),
  signal: (random) => random.pick(['SIGWINCH', 'winch', 28, 'CONT']),
  keys: (random) => Array.from({ length: 1 + random.below(3) }, () => random.pick(KEYS)),
  gap_ms: () => 1,
  modifiers: (random) => random.pick([[], ['shift'], ['ctrl', 'alt']]),
  input: text,
  text,
  'find.text': pattern,
  on_text: () => 'OK',
  on_regex: () => 'OK|o|\\$',
  input_base64: base64,
  text_base64: base64,
  regex: pattern,
  pattern,
  gone: pattern,
  row: small,
  col: (random) => random.below(2),
  to_row: small,
  to_col: (random) => random.below(2),
  match_index: () => 0,
  cols: (random) => 2 + random.below(100),
  rows: (random) => 3 + random.below(40),
  since: revision,
  changed_since: revision,
  if_rev: revision,
  'screenshot.region': region,
  'picture.region': region,
  mark: (random) => random.pick([[], ['OK'], [{ regex: 'o+' }], [{ changed_since: 1 }], [region()]]),
  scale: (random) => random.pick([40, 66, 80, 100, 200]),
  pad: small,
  max_tokens: (random) => random.pick([1000, 2000, 100_000]),
  format: (random) => random.pick(['png', 'png', 'png', 'svg', 'html', 'webp', 'jpeg']),
  'text.format': (random) => random.pick(['plain', 'ansi', 'cells', 'html']),
  theme: (random) => random.pick(['dark', 'light', 'xterm', 'gruvbox']),
  minimum_contrast: (random) => 1 + random.below(21),
  // Limits are set high, so that one request does not refuse all that come after it.
  idle_timeout_ms: (random) => random.pick([1, 100, 2000]),
  scrollback: (random) => random.pick([0, 10, 1000]),
  max_terminals: () => 50,
  max_scrollback: () => 1_000_000,
  max_memory_bytes: () => 0,
  max_connections: () => 1000,
  max_line_bytes: () => 1024 * 1024,
  max_requests_in_flight: (random) => random.pick([256, 1000]),
  max_waits: (random) => random.pick([256, 1000]),
  max_image_side: () => 16_384,
  atlas_bytes: (random) => (1 + random.below(16)) * 1024 * 1024,
  themes: () => ({}),
};

/** Groups of fields of which a request has exactly one. */
export const ONE_OF: Readonly<Record<string, readonly (readonly string[])[]>> = {
  send: [['input'], ['input_base64']],
  paste: [['text'], ['text_base64']],
  find: [['text'], ['regex']],
  run: [['cmd_args'], ['command']],
  mouse: [['row', 'col'], ['on_text'], ['on_regex']],
};
