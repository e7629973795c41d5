/** A line of the library as it was: its words, and what they only refer to. */
import type { RawExtended, RawLine } from '../xterm/internals.js';
import { type BuiltLine, RAW_BG_EXTENDED, RAW_COMBINED, RAW_WORDS } from '../xterm/row-builder.js';
import type { LineSize } from '../snapshot.js';

export interface CopiedLine {
  /** Words of the line, at least `length`. */
  words: Uint32Array;
  length: number;
  extras: ReadonlyMap<number, Extra> | undefined;
  wrapped: boolean;
  lineSize: LineSize;
}

interface Extra {
  readonly cluster: string | undefined;
  readonly extended: RawExtended | undefined;
}

/** Line in the form of {@link BuiltLine}. */
export function lineOf({ words, length, extras, wrapped }: CopiedLine): BuiltLine {
  const combined: Record<number, string> = extras === undefined ? NOTHING : {};
  const extended: Record<number, RawExtended | undefined> = extras === undefined ? NOTHING : {};
  for (const [col, extra] of extras ?? []) {
    if (extra.cluster !== undefined) combined[col] = extra.cluster;
    if (extra.extended !== undefined) extended[col] = extra.extended;
  }
  return {
    _data: words,
    length: length / RAW_WORDS,
    isWrapped: wrapped,
    _combined: combined,
    _extendedAttrs: extended,
  };
}

const NOTHING = {};

export function extrasOf(line: RawLine, length: number): ReadonlyMap<number, Extra> | undefined {
  const raw = line._data;
  let extras: Map<number, Extra> | undefined;
  for (let i = 0, col = 0; i < length; i += RAW_WORDS, col++) {
    const combined = ((raw[i] ?? 0) & RAW_COMBINED) !== 0;
    const extended = ((raw[i + 2] ?? 0) & RAW_BG_EXTENDED) !== 0;
    if (!combined && !extended) continue;
    (extras ??= new Map()).set(col, {
      cluster: combined ? (line._combined[col] ?? '') : undefined,
      extended: extended ? line._extendedAttrs[col] : undefined,
    });
  }
  return extras;
}

export function sameContent(a: CopiedLine, b: CopiedLine): boolean {
  if (a.length !== b.length || a.wrapped !== b.wrapped || a.lineSize !== b.lineSize) return false;
  if (!sameWords(a.words, b.words, a.length)) return false;
  if (a.extras === undefined || b.extras === undefined) return a.extras === b.extras;
  for (const [col, extra] of a.extras) {
    const other = b.extras.get(col);
    if (extra.cluster !== other?.cluster || !sameExtended(extra.extended, other?.extended)) return false;
  }
  return true;
}

export function sameExtended(a: RawExtended | undefined, b: RawExtended | undefined): boolean {
  if (a === b) return true;
  return a !== undefined && b !== undefined && a._ext === b._ext && a.urlId === b.urlId;
}

/** A comparison of whole blocks is called natively, which takes as long as that of some hundred words here. */
const LONG_WORDS = 1024;

/** Whether the first `length` words of both are the same. */
export function sameWords(a: Uint32Array, b: Uint32Array, length: number): boolean {
  if (a === b) return true;
  if (length >= LONG_WORDS && b.length >= length) return bytesOf(a, length).equals(bytesOf(b, length));
  let i = 0;
  // Four at once: engines compare words of 32 bits as numbers, in twice the time.
  for (; i + 3 < length; i += 4)
    if ((differ(a, b, i) | differ(a, b, i + 1) | differ(a, b, i + 2) | differ(a, b, i + 3)) !== 0) return false;
  for (; i < length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** 0 if they do not. */
function differ(a: Uint32Array, b: Uint32Array, i: number): number {
  return (a[i] as number) ^ (b[i] as number);
}

function bytesOf(words: Uint32Array, length: number): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, length * words.BYTES_PER_ELEMENT);
}
