/** Arbitrary program output: text of all widths, control characters, sequences known and unknown, plain noise. */
import * as fc from 'fast-check';
import { bytesOf } from './screens.js';

const text = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom(
    '\u4e2d\u6587',
    '\u0301',
    'e\u0301',
    '\u{1f600}',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\ufe0f',
    '\u2764\ufe0f',
  ),
  fc.constantFrom(
    '\u{1f1e9}',
    '\u{1f1e9}\u{1f1ea}',
    '\u{1f3fd}',
    '1\ufe0f\u20e3',
    '\u0915\u094d\u0937',
    '\u1112\u1161',
    '\u200b',
    '\u0e33',
  ),
);

const control = fc.constantFrom('\r', '\n', '\r\n', '\b', '\t', '\x07', '\x0e', '\x0f', '\x1b');

const escape = fc.constantFrom('7', '8', 'D', 'E', 'M', 'H', 'c', '(0', '(B', '#3', '#4', '#5', '#6', '#8', '=', '>');

const count = fc.oneof({ weight: 5, arbitrary: fc.nat({ max: 12 }) }, fc.constantFrom(65_535, 2_147_483_647));

const csi = fc
  .tuple(fc.array(count, { maxLength: 3 }), fc.constantFrom(...'@ABCDEFGHIJKLMPSTXZ`abdefgmrsunchlt'.split('')))
  .map(([params, final]) => `${params.join(';')}${final}`);

const sgr = fc
  .array(
    fc
      .constantFrom('0', '1', '2', '3', '4', '4:3', '4:5', '5', '7', '8', '9', '21', '24', '53', '31', '97', '38;5;200')
      .map((parameter) => parameter),
    { maxLength: 4 },
  )
  .map((params) => `${params.join(';')}m`);

const color = fc.constantFrom(
  '38;2;1;2;3m',
  '48;2;250;0;7m',
  '48;5;17m',
  '58;2;9;8;7m',
  '58;5;1m',
  '59m',
  '39;49m',
  '4:2;58:5:9m',
);

const mode = fc
  .tuple(
    fc.constantFrom(1, 5, 6, 7, 12, 25, 45, 47, 66, 1000, 1002, 1004, 1006, 1015, 1047, 1048, 1049, 2004, 2026, 9999),
    fc.constantFrom('h', 'l'),
  )
  .map(([number, final]) => `?${number}${final}`);

const osc = fc.constantFrom(
  '0;title',
  '2;\u6807\u9898',
  '8;;http://a.example/',
  '8;id=x;http://b.example/',
  '8;;',
  '4;1;#ff0000',
  '10;rgb:1/2/3',
  '11;?',
  '104',
  '110',
  '133;A',
  '133;D;1',
  '7;file:///tmp',
  '52;c;?',
  '777;notify;a;b',
  '4242;unknown',
);

const sequence = fc.oneof(
  csi.map((body) => `\x1b[${body}`),
  sgr.map((body) => `\x1b[${body}`),
  color.map((body) => `\x1b[${body}`),
  mode.map((body) => `\x1b[${body}`),
  escape.map((body) => `\x1b${body}`),
  osc.map((body) => `\x1b]${body}\x1b\\`),
  fc.constantFrom(
    '\x1b[4h',
    '\x1b[4l',
    '\x1b[ q',
    '\x1b[3 q',
    '\x1b[!p',
    '\x1b[>4;2m',
    '\x1b[>1u',
    '\x1bP$qm\x1b\\',
    '\x1b[3b',
  ),
);

const noise = fc.uint8Array({ maxLength: 8 });

export const terminalInput: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: text.map(bytesOf) },
      { weight: 3, arbitrary: control.map(bytesOf) },
      { weight: 6, arbitrary: sequence.map(bytesOf) },
      { weight: 1, arbitrary: noise },
    ),
    { maxLength: 40 },
  )
  .map((pieces) => Uint8Array.from(Buffer.concat(pieces)));

/** The same bytes, cut anywhere. */
export const choppedInput: fc.Arbitrary<Uint8Array[]> = fc
  .tuple(terminalInput, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }))
  .map(([bytes, cuts]) => {
    const places = cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b);
    return [...places, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : places[index - 1], end));
  });
