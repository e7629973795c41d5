/**
 * Styles of the fast lane: SGR with numbers alone, applied to the pen as the library does, bit by bit. What leaves plain
 * colours and flags (underlines with their style, sub-parameters, incomplete colours, unknown numbers) is the library's.
 */
import type { RawAttributes } from './internals.js';
import {
  RAW_BG_DIM,
  RAW_BG_EXTENDED,
  RAW_BG_ITALIC,
  RAW_BG_OVERLINE,
  RAW_COLOR_KIND,
  RAW_COLOR_RGB,
  RAW_COLOR_VALUE,
  RAW_FG_BLINK,
  RAW_FG_BOLD,
  RAW_FG_INVERSE,
  RAW_FG_INVISIBLE,
  RAW_FG_STRIKETHROUGH,
  RAW_FG_UNDERLINE,
} from './row-builder.js';

export const NO_STYLE = -1;

const BRACKET = 0x5b;
const DIGIT_0 = 0x30;
const SEMICOLON = 0x3b;
const FINAL = 0x6d;

/** More than any program sends at once, and fewer than the library drops. */
const MAX_PARAMETERS = 16;
/** Larger numbers mean nothing. */
const MAX_NUMBER = 999;

const PALETTE_INDEX = 0xff;
const PALETTE_16 = 0x0100_0000;
const PALETTE_256 = 0x0200_0000;
const BRIGHT = 8;

const parameters = new Int32Array(MAX_PARAMETERS);

/**
 * @param at place of an ESC
 * @returns the place after the sequence, or {@link NO_STYLE}, with nothing done, where it is the library's
 */
export function applyStyle(pen: RawAttributes, bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== BRACKET) return NO_STYLE;
  let count = 0;
  let value = 0;
  for (let i = at + 2; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    const digit = byte - DIGIT_0;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      if (value > MAX_NUMBER) return NO_STYLE;
    } else if (byte === SEMICOLON || byte === FINAL) {
      if (count === MAX_PARAMETERS) return NO_STYLE;
      parameters[count++] = value;
      value = 0;
      if (byte === FINAL) return applyAll(pen, count) ? i + 1 : NO_STYLE;
    } else return NO_STYLE;
  }
  return NO_STYLE;
}

/** False, with nothing done, for parameters that are the library's. */
function applyAll(pen: RawAttributes, count: number): boolean {
  // Style and colour of an underline, and links: the lane has none.
  const { extended } = pen;
  let { fg, bg } = pen;
  if (extended._ext !== 0 || extended.urlId !== 0 || (bg & RAW_BG_EXTENDED) !== 0) return false;
  for (let i = 0; i < count; i++) {
    const p = parameters[i] ?? 0;
    if (p === 0) fg = bg = 0;
    else if (p >= 30 && p <= 37) fg = inPalette(fg, PALETTE_16 | (p - 30));
    else if (p >= 40 && p <= 47) bg = inPalette(bg, PALETTE_16 | (p - 40));
    else if (p >= 90 && p <= 97) fg = inPalette(fg, PALETTE_16 | (p - 90) | BRIGHT);
    else if (p >= 100 && p <= 107) bg = inPalette(bg, PALETTE_16 | (p - 100) | BRIGHT);
    else if (p === 38 || p === 48) {
      const word = p === 38 ? fg : bg;
      const kind = parameters[i + 1];
      let color: number;
      if (kind === 5 && i + 2 < count) {
        color = inPalette(word, PALETTE_256 | ((parameters[i + 2] ?? 0) & PALETTE_INDEX));
        i += 2;
      } else if (kind === 2 && i + 4 < count) {
        color = (word & ~RAW_COLOR_VALUE) | RAW_COLOR_RGB | rgb(i + 2);
        i += 4;
      } else return false;
      if (p === 38) fg = color;
      else bg = color;
    } else if (p === 39) fg &= ~(RAW_COLOR_KIND | RAW_COLOR_VALUE);
    else if (p === 49) bg &= ~(RAW_COLOR_KIND | RAW_COLOR_VALUE);
    else if (p === 1) fg |= RAW_FG_BOLD;
    else if (p === 2) bg |= RAW_BG_DIM;
    else if (p === 22) {
      fg &= ~RAW_FG_BOLD;
      bg &= ~RAW_BG_DIM;
    } else if (p === 3) bg |= RAW_BG_ITALIC;
    else if (p === 23) bg &= ~RAW_BG_ITALIC;
    else if (p === 24) fg &= ~RAW_FG_UNDERLINE;
    else if (p === 5) fg |= RAW_FG_BLINK;
    else if (p === 25) fg &= ~RAW_FG_BLINK;
    else if (p === 7) fg |= RAW_FG_INVERSE;
    else if (p === 27) fg &= ~RAW_FG_INVERSE;
    else if (p === 8) fg |= RAW_FG_INVISIBLE;
    else if (p === 28) fg &= ~RAW_FG_INVISIBLE;
    else if (p === 9) fg |= RAW_FG_STRIKETHROUGH;
    else if (p === 29) fg &= ~RAW_FG_STRIKETHROUGH;
    else if (p === 53) bg |= RAW_BG_OVERLINE;
    else if (p === 55) bg &= ~RAW_BG_OVERLINE;
    else return false;
  }
  pen.fg = fg;
  pen.bg = bg;
  return true;
}

/** The library leaves the higher bytes of an RGB colour as they were. */
function inPalette(word: number, color: number): number {
  return (word & ~(RAW_COLOR_KIND | PALETTE_INDEX)) | color;
}

function rgb(at: number): number {
  const red = (parameters[at] ?? 0) & 0xff;
  const green = (parameters[at + 1] ?? 0) & 0xff;
  return (red << 16) | (green << 8) | ((parameters[at + 2] ?? 0) & 0xff);
}
