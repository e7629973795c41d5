/** Everything that a renderer of terminals has to draw, on one screen of 80x24. */
import {
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
  type Snapshot,
} from '../src/vt/snapshot.js';
import { cursorAt, indexed, rgb, rowOf, type Run, screenOf } from '../test/render/support/screen.js';
import { TUI_SYMBOLS } from '../test/render/support/symbols.js';

const COLS = 80;
const LETTERS = 'The quick brown fox jumps over the lazy dog; 0123456789 (x) [y] {z} <=> #%&*+@~';
/** Explicitly white on black: pictures of characters have colours of their own. */
const EMOJI_PEN = { fg: rgb(0xffffff), bg: rgb(0x000000) };

const ROWS: readonly (readonly Run[])[] = [
  [[LETTERS]],
  [[LETTERS, { attrs: ATTR_BOLD }]],
  [[LETTERS, { attrs: ATTR_DIM }]],
  [[LETTERS, { attrs: ATTR_ITALIC }]],
  [[LETTERS, { attrs: ATTR_BOLD | ATTR_ITALIC }]],
  ['single', 'double', 'curly', 'dotted', 'dashed'].map((name, at): Run => [
    `${name} line`.padEnd(16),
    { underline: at + 1 },
  ]),
  ['single', 'double', 'curly', 'dotted', 'dashed'].map((name, at): Run => [
    `red ${name}`.padEnd(16),
    { ...EMOJI_PEN, underline: at + 1, underlineColor: rgb(0xff3030) },
  ]),
  [
    ['inverse of the defaults', { attrs: ATTR_INVERSE }],
    [' '],
    ['inverse of colours', { attrs: ATTR_INVERSE, fg: rgb(0xffd080), bg: rgb(0x203060) }],
    [' '],
    ['inverse and bold', { attrs: ATTR_INVERSE | ATTR_BOLD, fg: rgb(0x80ffd0) }],
  ],
  [
    ['struck through', { attrs: ATTR_STRIKETHROUGH }],
    [' seen ['],
    ['invisible', { attrs: ATTR_INVISIBLE }],
    ['] seen '],
    ['all three', { attrs: ATTR_BOLD | ATTR_ITALIC | ATTR_STRIKETHROUGH, underline: 1 }],
    [' '.repeat(16)],
    ['line above', { attrs: ATTR_OVERLINE }],
  ],
  Array.from({ length: 16 }, (_, at): Run => [
    ` c${at}`.padEnd(5),
    { fg: indexed(at), bg: indexed(at === 0 ? 15 : 0) },
  ]),
  Array.from({ length: 80 }, (_, at): Run => ['x', { fg: rgb(0xffffff - at * 0x030201), bg: indexed(16 + at * 2) }]),
  Array.from({ length: 80 }, (_, at): Run => [' ', { bg: rgb(at * 0x030201) }]),
  [['┌──────┬──────┐ ╔══════╦══════╗ ┏━━━━━━┳━━━━━━┓ ╭──────┬──────╮ ├╌╌╌╌╌╌┼┄┄┄┄┄┄┤ ']],
  [['│ left │ right│ ║ left ║ right║ ┃ left ┃ right┃ │ left │ right│ ╎ dash ┆ dots ┊ ']],
  [['├──────┼──────┤ ╠══════╬══════╣ ┣━━━━━━╋━━━━━━┫ ├──────┼──────┤ ╟──────╫──────╢ ']],
  [['└──────┴──────┘ ╚══════╩══════╝ ┗━━━━━━┻━━━━━━┛ ╰──────┴──────╯ ╙──────╨──────╜ ']],
  [['████▓▓▓▓▒▒▒▒░░░░▀▀▀▀▄▄▄▄▌▌▌▌▐▐▐▐▖▗▘▝▙▚▛▜▞▟ ▁▂▃▄▅▆▇█ ▏▎▍▌▋▊▉█ ╱╲╳ ◢◣◤◥ 🬀🬁🬂🬞🬭🬹🬻']],
  [
    [
      '⠁⠃⠇⡇⣇⣧⣷⣿⣶⣤⣀⡀⢀⢠⢰⢸⢻⢿ \ue0b0\ue0b1\ue0b2\ue0b3\ue0b4\ue0b6 \ue0a0 main \uf07b src \uf09b git \ue718 js \u{f024b} folder',
    ],
  ],
  [[Array.from(TUI_SYMBOLS).slice(0, 40).join(' '), EMOJI_PEN]],
  [['|漢字|かな|カナ|한국어|中文字符|繁體|全角ＡＢＣ| after them.']],
  [['|😀|🚀|✅|👍🏽|👨‍💻|👩‍👩‍👧|🧑🏿‍🚀|🏳️‍🌈|🇩🇪|🇺🇳|1️⃣|❤️|❤️‍🔥|☎️|⭐|⌚| after them.', EMOJI_PEN]],
  [
    [
      '|e\u0301|n\u0303|a\u030a|o\u0308\u0323|e\u0302\u0323|u\u031b\u0301|x\u0338|o\u20d7|a\u0301\u0323|N\u0303\u0331|x\u20dd|Việt Nam| ñ é å ß þ đ ł ø É Ñ Ž λ Ω ж Я שלום عربي नमस्ते ไทย',
    ],
  ],
  [['cursor> ls -la', {}]],
  [['last row, to the last column '], ['='.repeat(50)], ['#', { attrs: ATTR_BOLD }]],
];

export const SHEET_CURSOR = { row: 22, col: 8 };

export function fidelitySheet(): Snapshot {
  const rows = ROWS.map((runs) => rowOf(COLS, runs));
  return screenOf(rows, { cursor: cursorAt(SHEET_CURSOR.row, SHEET_CURSOR.col) });
}
