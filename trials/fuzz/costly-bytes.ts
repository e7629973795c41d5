/**
 * Output that is cheap to print and was dear to keep: control strings without end, messages of a megabyte, and links of which
 * every cell has its own.
 */
import type { Random } from '../support/random.js';

const INTRODUCERS = [
  ...[0, 1, 2, 4, 7, 8, 9, 10, 52, 99, 133, 633, 777, 1337, 7777, 31_337].map((code) => `\x1b]${code};`),
  '\x1b]8;id=',
  '\x1b]52;c;',
  '\x1bP$q',
  '\x1bP+q',
  '\x1bPq',
  '\x1bP1;2z',
  '\x1b_G',
  '\x1b^',
  '\x1bX',
];
const MESSAGES = [
  '\x1b]9;',
  '\x1b]777;notify;title;',
  '\x1b]99;;',
  '\x1b]99;p=body;',
  '\x1b]633;E;',
  '\x1b]7;file://h/',
];
const MESSAGE_BYTES = [5000, 60_000, 1_000_000];
const TARGET_LENGTHS = [20, 200, 2000, 4000];

export function costlyBytes(random: Random, length: number): Buffer {
  return random.pick([endlessString, longMessages, linkedCells])(random, length);
}

function endlessString(random: Random, length: number): Buffer {
  const filler = random.pick(['A', 'é', ';', '1;?;', '\u{1F600}', ':=']);
  return repeated(random.pick(INTRODUCERS), filler, length);
}

function longMessages(random: Random, length: number): Buffer {
  const bytes = Math.min(length, random.pick(MESSAGE_BYTES));
  const pieces: Buffer[] = [];
  for (let size = 0; size < length; size += bytes) {
    pieces.push(repeated(`${random.pick(MESSAGES)}message at ${size} `, 'x', bytes - 2), Buffer.from('\x1b\\'));
  }
  return Buffer.concat(pieces).subarray(0, length);
}

function linkedCells(random: Random, length: number): Buffer {
  const targetLength = random.pick(TARGET_LENGTHS);
  const cells: string[] = [];
  for (let size = 0; size < length; size += targetLength) {
    cells.push(`\x1b]8;;${`http://a.example/${random.below(1e9)}/`.padEnd(targetLength, '&')}\x1b\\x`);
  }
  return Buffer.from(cells.join('')).subarray(0, length);
}

function repeated(head: string, filler: string, length: number): Buffer {
  const most = Math.max(0, length);
  return Buffer.concat([Buffer.from(head), Buffer.alloc(most, filler)]).subarray(0, most);
}
