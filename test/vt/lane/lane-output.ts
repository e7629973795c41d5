/** Output for the fast lane and around it, and what a terminal holds after it, in a form that can be compared. */
import * as fc from 'fast-check';
import { OutputParser } from '../../../src/vt/parsing/output-parser.js';
import { StreamDecoder } from '../../../src/vt/parsing/stream-decoder.js';
import { Emulator, type EmulatorOptions } from '../../../src/vt/xterm/emulator.js';
import type { RawBuffer } from '../../../src/vt/xterm/internals.js';

export const SIZES: readonly EmulatorOptions[] = [
  { cols: 80, rows: 24, scrollback: 50 },
  { cols: 7, rows: 3, scrollback: 2 },
  { cols: 2, rows: 1, scrollback: 0 },
];

/** The lane's own. */
const lanes = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('\r\n', '\n', '\r', '\t', 'x'.repeat(90), 'end of line\r\n', '   ', '0', '#'),
  fc.constantFrom(
    '\x1b[m',
    '\x1b[0m',
    '\x1b[1;31m',
    '\x1b[48;5;200m',
    '\x1b[38;2;1;20;255;48;2;4;5;6m',
    '\x1b[7;9;53m',
  ),
  fc.array(fc.integer({ min: 0, max: 110 }), { minLength: 1, maxLength: 6 }).map((list) => `\x1b[${list.join(';')}m`),
);

/** What it steps aside for, by name. */
export const STEPS_ASIDE: readonly (readonly [name: string, sequence: string, end?: string])[] = [
  ['a character set', '\x1b(0', '\x1b(B'],
  ['a shift to the other character set', '\x1b)0\x0e', '\x0f'],
  ['insert mode', '\x1b[4h', '\x1b[4l'],
  ['no wrapping', '\x1b[?7l', '\x1b[?7h'],
  ['margins', '\x1b[1;2r', '\x1b[r'],
  ['origin mode', '\x1b[?6h', '\x1b[?6l'],
  ['line feeds that return', '\x1b[20h', '\x1b[20l'],
  ['a link', '\x1b]8;;http://a.example\x07', '\x1b]8;;\x07'],
  ['a style of underline', '\x1b[4:3m', '\x1b[0m'],
  ['a colour of underline', '\x1b[4;58;5;3m', '\x1b[59;24m'],
  ['a colour of underline alone', '\x1b[58;5;3m'],
  ['a colour in sub-parameters', '\x1b[38:2::1:2:3m'],
  ['an incomplete colour', '\x1b[38;5m'],
  ['a colour of an unknown kind', '\x1b[48;7;1;2m'],
  ['more styles than it takes', `\x1b[${'1;'.repeat(40)}31m`],
  ['a huge number', '\x1b[99999999999999999999m'],
  ['a query of styles', '\x1b[?4m'],
  ['a protected cell', '\x1b[1"q', '\x1b[0"q'],
  ['characters of two cells', '漢字'],
  ['joined characters', 'e\u0301👨\u200d👩'],
  ['a mark alone', '\u0301'],
  ['a keycap', '1\ufe0f\u20e3'],
  ['a repeat of what it printed', 'ab\x1b[3b'],
  ['a string', '\x1b]2;a title\x07'],
  ['a string that is open', '\x1b]2;a title', '\x1b\\'],
  ['a string of DCS', '\x1bP$qm\x1b\\'],
  ['the name of a window', '\x1bkmake', '\x1b\\'],
  ['an incomplete sequence', '\x1b[1;3'],
  ['a character that is deleted', '\x7f'],
  ['a backspace and a bell', '\b\b\x07'],
  ['a control of one byte beyond ASCII', '\u009b31m'],
  ['the cursor elsewhere', '\x1b[2;2H'],
  ['erased cells', '\x1b[1K\x1b[2P\x1b[3X'],
  ['the other screen', '\x1b[?1049h', '\x1b[?1049l'],
  ['a saved cursor', '\x1b7', '\x1b8'],
  ['lines of double width', '\x1b#6'],
  ['a full reset', '\x1bc'],
];

const aside = fc.constantFrom(
  ...STEPS_ASIDE.flatMap(([, sequence, end]) => [sequence, ...(end === undefined ? [] : [end])]),
);

const pieces = fc.array(fc.oneof({ weight: 8, arbitrary: lanes }, { weight: 3, arbitrary: aside }), { maxLength: 40 });

/** Mostly the lane's; in pieces that are whole, or cut anywhere: also within characters and sequences. */
export const cutOutput = fc.oneof(
  pieces.map((whole) => whole.map((piece) => Buffer.from(piece))),
  fc
    .tuple(pieces, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }))
    .map(([whole, cuts]) => cutAt(Buffer.from(whole.join('')), cuts)),
);

/** @param shares places, of the length */
export function cutAt(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const places = [
    0,
    ...shares.map((share) => Math.floor(share * bytes.length)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  return places.slice(1).map((place, i) => bytes.subarray(places[i], place));
}

/** Two emulators, of which one has the lane and the other gets the same pieces in the library alone. */
export class Twins {
  readonly ours: Emulator;
  readonly library: Emulator;
  readonly #parser: OutputParser;
  readonly #decoder = new StreamDecoder();

  constructor(size: EmulatorOptions) {
    this.ours = new Emulator(size);
    this.library = new Emulator(size);
    this.#parser = new OutputParser(this.ours);
  }

  /** @returns the text of the slices */
  write(bytes: Uint8Array): string {
    let text = '';
    for (let at = 0; at < bytes.length;) {
      const slice = this.#parser.parse(bytes.subarray(at), []);
      this.library.parse(this.#decoder.decode([bytes.subarray(at, at + slice.taken)]));
      const part = slice.text();
      text += typeof part === 'string' ? part : Buffer.from(part).toString('latin1');
      at += slice.taken;
    }
    return text;
  }

  dispose(): void {
    this.ours.dispose();
    this.library.dispose();
  }
}

/** All that changes what is shown, now or by later output. */
export function stateOf({ internals }: Emulator): object {
  const { buffers, coreService, _inputHandler: input } = internals;
  const { fg, bg, extended } = input._curAttrData;
  return {
    normal: bufferOf(buffers.normal),
    alt: bufferOf(buffers.alt),
    isAlt: buffers.active === buffers.alt,
    pen: [fg >>> 0, bg >>> 0, extended._ext, extended.urlId],
    parser: [input._parser.currentState, input._parser.precedingJoinState],
    charset: input._charsetService.charset,
    modes: { ...coreService.modes, ...coreService.decPrivateModes },
  };
}

function bufferOf(buffer: RawBuffer): unknown[] {
  const lines = Array.from({ length: buffer.lines.length }, (_, index) => {
    const line = buffer.lines.get(index);
    const extended = Object.entries(line?._extendedAttrs ?? {}).map(([col, a]) => [col, a?._ext, a?.urlId]);
    return [line?._data.join(), line?.isWrapped, JSON.stringify(line?._combined), extended];
  });
  const { x, y, ybase, ydisp, savedY, scrollTop, scrollBottom } = buffer;
  return [{ x, y, ybase, ydisp, savedY, scrollTop, scrollBottom }, ...lines];
}
