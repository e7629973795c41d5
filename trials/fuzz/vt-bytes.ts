/** Hostile output: sequences of every kind with odd parameters, cut anywhere, between text, garbage and broken UTF-8. */
import type { Random } from '../support/random.js';

const FINALS = '@ABCDEFGHIJKLMPSTXZ`abcdefghilmnpqrstuvwxyz{|}~';
const PREFIXES = ['', '', '', '?', '>', '=', '<', '!'];
const INTERMEDIATES = ['', '', '', ' ', '$', '"', "'", '*', '#'];
const NUMBERS = [
  '',
  '0',
  '1',
  '2',
  '5',
  '25',
  '47',
  '1000',
  '1006',
  '1047',
  '1049',
  '2004',
  '2026',
  '9999',
  '2147483647',
  '99999999999999999999',
  '38:2::1:2:3',
  '4:3',
  '-1',
];
const OSC_CODES = [
  '0',
  '1',
  '2',
  '4',
  '7',
  '8',
  '9',
  '10',
  '11',
  '12',
  '52',
  '99',
  '104',
  '112',
  '133',
  '633',
  '777',
  '1337',
  '7501',
  '7777',
  '',
  'x',
];
const OSC_PAYLOADS = [
  '',
  '?',
  'state=working:msg=SGk',
  'c;?',
  'c;aGVsbG8=',
  '1;?',
  ';http://a.example/',
  'A',
  'D;1',
  'done',
  '4;1;50',
  'rgb:ff/00/ff',
  'MARKER',
  '\u202eMARKER',
  'x'.repeat(3000),
];
const ESCAPES = [
  '7',
  '8',
  'c',
  'D',
  'E',
  'H',
  'M',
  'Z',
  '=',
  '>',
  '#3',
  '#4',
  '#5',
  '#6',
  '#8',
  '(0',
  '(B',
  ')0',
  '*0',
  'N',
  'O',
  '\\',
  'F',
  'l',
  'n',
  'o',
];
const TEXTS = [
  'hello ',
  '\r\n',
  '\n',
  '\t',
  '\b',
  '\u0007',
  '中文',
  'e\u0301',
  '👨\u200d👩\u200d👧',
  '\u0301\u0301',
  '\u202e',
  'x'.repeat(200),
  '\u000e',
  '\u000f',
  'क्ष',
  '🇩🇪',
];

/** About `length` bytes. */
export function vtBytes(random: Random, length: number): Buffer {
  const pieces: Buffer[] = [];
  for (let size = 0; size < length;) {
    const piece = Buffer.from(onePiece(random));
    pieces.push(piece);
    size += piece.length;
  }
  const bytes = Buffer.concat(pieces);
  for (let i = bytes.length >> 7; i > 0; i--) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

function onePiece(random: Random): string | Buffer {
  switch (random.below(8)) {
    case 0:
    case 1:
      return random.pick(TEXTS);
    case 2:
    case 3:
      return `\x1b[${random.pick(PREFIXES)}${numbers(random)}${random.pick(INTERMEDIATES)}${FINALS.charAt(random.below(FINALS.length))}`;
    case 4:
      return `\x1b]${random.pick(OSC_CODES)};${random.pick(OSC_PAYLOADS)}${random.pick(['\x07', '\x1b\\', ''])}`;
    case 5:
      return `\x1b${random.pick(ESCAPES)}`;
    case 6:
      return `\x1bP${numbers(random)}${random.pick(['$q', '+q', '', '|', '>|'])}${random.pick(['m', ' q', 'r', 'MARKER', '544e'])}\x1b\\`;
    default:
      return Buffer.from(Array.from({ length: 1 + random.below(20) }, () => random.below(256)));
  }
}

function numbers(random: Random): string {
  return Array.from({ length: random.below(5) }, () => random.pick(NUMBERS)).join(';');
}
