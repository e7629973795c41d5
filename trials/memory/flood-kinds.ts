/** Output that costs memory, each kind in another part of the daemon: a block that is printed again and again. */
import { Random } from '../support/random.js';
import { vtBytes } from '../fuzz/vt-bytes.js';

const BLOCK_BYTES = 256 * 1024;
const LONG = 'A'.repeat(4096);
const MARKS = '\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c';

/** Names are those of the report. A block is repeated to some 256 KiB. */
const PIECES: Readonly<Record<string, () => string | Buffer>> = {
  'long lines': () => `${'x'.repeat(900)}\r\n`,
  'empty lines': () => '\n',
  'wide characters': () => `${'中'.repeat(200)}\r\n`,
  'stacked marks': () => `${`e${MARKS.repeat(3)}`.repeat(100)}\r\n`,
  'coloured underlines': () => '\x1b[4:3m\x1b[58;2;1;2;3mu'.repeat(200),
  'a link a cell': () => numbered((i) => `\x1b]8;;http://a.example/${i}/${LONG.slice(0, 1900)}\x07x`),
  'links too long to keep': () => numbered((i) => `\x1b]8;;http://a.example/${i}/${LONG}\x07x`),
  titles: () => numbered((i) => `\x1b]0;${i}${LONG}\x07`),
  notifications: () => numbered((i) => `\x1b]9;${i}${LONG.repeat(8)}\x07`),
  'kitty notifications': () => numbered((i) => `\x1b]99;i=${i}:d=0;${LONG}\x1b\\`),
  directories: () => numbered((i) => `\x1b]7;file://host/${i}/${LONG}\x07`),
  commands: () => numbered((i) => `\x1b]633;E;${i}${LONG}\x07\x1b]633;C\x07\x1b]633;D;1\x07`),
  clipboard: () => `\x1b]52;c;${LONG.repeat(16)}\x07`,
  palettes: () => numbered((i) => `\x1b]4;${i % 256};rgb:${(i % 256).toString(16).padStart(2, '0')}/00/ff\x07`),
  'unfinished OSC 9': () => `\x1b]9;${LONG.repeat(64)}`,
  'unfinished OSC 52': () => `\x1b]52;c;${LONG.repeat(64)}`,
  'unfinished DECRQSS': () => `\x1bP$q${LONG.repeat(64)}`,
  'unfinished XTGETTCAP': () => `\x1bP+q${'41'.repeat(128 * 1024)}`,
  'unfinished sixel': () => `\x1bPq${LONG.repeat(64)}`,
  'unfinished APC': () => `\x1b_G${LONG.repeat(64)}`,
  'scrolling by 9,999': () => '\x1b[9999S',
  'inserted and deleted lines': () => '\x1b[H\x1b[9999L\x1b[9999M',
  'scrolling in a region': () => '\x1b[2;10r\x1b[10;1H\r\nregion\r\n\r\n\x1b[r\r\nout',
  resets: () => `${'x'.repeat(100)}\r\n\x1bc`,
  'the alternate screen': () => `\x1b[?1049h${'x'.repeat(200)}\x1b[?1049l\r\n`,
  queries: () => '\x1b[c\x1b[6n\x1b[?2026$p\x1b]10;?\x07',
  'unknown sequences': () => numbered((i) => `\x1b[${i}~\x1b[>${i}w`),
  'random sequences': () => vtBytes(new Random(77_001), BLOCK_BYTES),
};

export const FLOOD_KINDS: readonly string[] = Object.keys(PIECES);

export function floodBlock(kind: string): Buffer {
  const piece = Buffer.from(PIECES[kind]?.() ?? '');
  const times = Math.max(1, Math.round(BLOCK_BYTES / piece.length));
  return Buffer.concat(Array.from({ length: times }, () => piece));
}

function numbered(piece: (i: number) => string): string {
  return Array.from({ length: 64 }, (_, i) => piece(i)).join('');
}
