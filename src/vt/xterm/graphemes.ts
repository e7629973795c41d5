/**
 * Widths and extended grapheme clusters (UAX #29), independent of the ICU of the Node that runs this.
 *
 * Programs lay out their screens with wcwidth, code point by code point. So a cluster covers as many cells as wcwidth
 * gives its parts together, and a join that would make it cover more than two is not made; only emoji sequences (skin
 * tones, ZWJ, VS16), where terminals and programs agree on two cells, are counted as one. Deviations from UAX #29 that
 * follow: no join after a prepended mark (GB9b); spacing marks, conjuncts and Hangul L+L join only within two cells.
 * VS15 does not narrow a wide emoji. A zero-width code point always joins what is left of it, controls included.
 */
import { UNICODE_RUNS } from './unicode-table.js';

/** Order of the generated table's classes (scripts/unicode-tables.mjs). */
const EXTEND = 1;
const ZWJ = 2;
const REGIONAL_INDICATOR = 3;
const SPACING_MARK = 4;
const HANGUL_L = 5;
const HANGUL_V = 6;
const HANGUL_T = 7;
const HANGUL_LV = 8;
const HANGUL_LVT = 9;
const PICTOGRAPHIC = 10;
const CONSONANT = 11;
const LINKER = 12;
const EMOJI_MODIFIER = 13;
const VARIATION_16 = 14;
const KEYCAP_BASE = 15;

/** Cluster that may be joined by extending marks alone. */
const PLAIN = 0;
const AFTER_PICTOGRAPHIC = 1;
const AFTER_PICTOGRAPHIC_ZWJ = 2;
const AFTER_REGIONAL_INDICATOR = 3;
const AFTER_CONSONANT = 4;
const AFTER_LINKER = 5;
const AFTER_HANGUL_L = 6;
const AFTER_HANGUL_V = 7;
const AFTER_HANGUL_T = 8;
const AFTER_KEYCAP_BASE = 9;
/** An orphaned mark: not 0, which is the terminal's "nothing before". */
const AFTER_UNKNOWN = 10;

const STATE_OF_CLASS: Readonly<Record<number, number>> = {
  [REGIONAL_INDICATOR]: AFTER_REGIONAL_INDICATOR,
  [HANGUL_L]: AFTER_HANGUL_L,
  [HANGUL_V]: AFTER_HANGUL_V,
  [HANGUL_T]: AFTER_HANGUL_T,
  [HANGUL_LV]: AFTER_HANGUL_V,
  [HANGUL_LVT]: AFTER_HANGUL_T,
  [PICTOGRAPHIC]: AFTER_PICTOGRAPHIC,
  [CONSONANT]: AFTER_CONSONANT,
  [KEYCAP_BASE]: AFTER_KEYCAP_BASE,
};

/**
 * The terminal's running word: `state << 3 | width of the cluster so far << 1 | joins the cluster before`.
 * 0 means that a control or a sequence came between: what is left of the cursor is then not known.
 */
export type JoinWord = number;

/** One cell that begins a cluster and asks for nothing more. */
export const PLAIN_CELL: JoinWord = 1 << 1;

export type CellWidth = 0 | 1 | 2;

export function codePointWidth(codePoint: number): CellWidth {
  return (valueOf(codePoint) & 3) as CellWidth;
}

/** @param atLineStart asked only for a zero-width code point with nothing known before it */
export function joinWord(codePoint: number, preceding: JoinWord, atLineStart: () => boolean): JoinWord {
  const value = valueOf(codePoint);
  const graphemeClass = value >> 2;
  const width = value & 3;
  if (preceding === 0) return width === 0 ? orphan(atLineStart) : word(graphemeClass, width);
  const before = preceding >> 3;
  if (graphemeClass === 0 && width !== 0) return width << 1;
  const clusterWidth = (preceding >> 1) & 3;
  return join(graphemeClass, width, before, clusterWidth) ?? word(graphemeClass, width);
}

/** A zero-width code point after a cursor move joins the cell to the left; where there is none, it takes one. */
function orphan(atLineStart: () => boolean): JoinWord {
  return atLineStart() ? PLAIN_CELL : joined(AFTER_UNKNOWN, 0);
}

function word(graphemeClass: number, width: number): JoinWord {
  return ((STATE_OF_CLASS[graphemeClass] ?? PLAIN) << 3) | (width << 1);
}

function joined(state: number, width: number): JoinWord {
  return (state << 3) | (width << 1) | 1;
}

function join(graphemeClass: number, width: number, before: number, clusterWidth: number): JoinWord | undefined {
  // The cell that an orphaned mark went to is not known, so it must not be widened.
  if (clusterWidth === 0 && width !== 0) return undefined;
  switch (graphemeClass) {
    case VARIATION_16: {
      const widens = before === AFTER_PICTOGRAPHIC || before === AFTER_KEYCAP_BASE;
      return joined(keptByExtend(before), widens ? 2 : clusterWidth);
    }
    case EMOJI_MODIFIER:
      return before === AFTER_PICTOGRAPHIC ? joined(before, 2) : undefined;
    case EXTEND:
      return joinedWithin(keptByExtend(before), clusterWidth + width);
    case LINKER:
      return joinedWithin(before === AFTER_CONSONANT ? AFTER_LINKER : keptByExtend(before), clusterWidth + width);
    case ZWJ:
      return joined(before === AFTER_PICTOGRAPHIC ? AFTER_PICTOGRAPHIC_ZWJ : keptByExtend(before), clusterWidth);
    case PICTOGRAPHIC:
      return before === AFTER_PICTOGRAPHIC_ZWJ ? joined(AFTER_PICTOGRAPHIC, Math.max(clusterWidth, width)) : undefined;
    case REGIONAL_INDICATOR:
      return before === AFTER_REGIONAL_INDICATOR ? joined(PLAIN, 2) : undefined;
    case SPACING_MARK:
      return joinedWithin(PLAIN, clusterWidth + width);
    case CONSONANT:
      return before === AFTER_LINKER ? joinedWithin(AFTER_CONSONANT, clusterWidth + width) : undefined;
    case HANGUL_L:
    case HANGUL_LV:
    case HANGUL_LVT:
      return undefined;
    case HANGUL_V:
      return before === AFTER_HANGUL_L || before === AFTER_HANGUL_V || width === 0
        ? joinedWithin(AFTER_HANGUL_V, clusterWidth + width)
        : undefined;
    case HANGUL_T:
      return joinedWithin(AFTER_HANGUL_T, clusterWidth + width);
    default:
      return width === 0 ? joined(PLAIN, clusterWidth) : undefined;
  }
}

/** An extending mark ends what only neighbours may continue: a flag's first half, a keycap's base. */
function keptByExtend(before: number): number {
  return before === AFTER_PICTOGRAPHIC || before === AFTER_CONSONANT || before === AFTER_LINKER ? before : PLAIN;
}

function joinedWithin(state: number, width: number): JoinWord | undefined {
  return width <= 2 ? joined(state, width) : undefined;
}

const BLOCK_SHIFT = 8;
const BLOCK_SIZE = 1 << BLOCK_SHIFT;
const CODE_POINTS = 0x110000;

/** Below it are almost all characters of most programs: their values are made without the whole table. */
const LATIN_END = 0x300;

let latin: Uint8Array | undefined;
let table: Table | undefined;

interface Table {
  readonly blockOf: Uint16Array;
  readonly blocks: Uint8Array;
}

function valueOf(codePoint: number): number {
  if (codePoint < LATIN_END) return (latin ??= latinValues())[codePoint] ?? 1;
  const { blockOf, blocks } = (table ??= expandRuns());
  const block = blockOf[codePoint >> BLOCK_SHIFT] ?? 0;
  return blocks[(block << BLOCK_SHIFT) | (codePoint & (BLOCK_SIZE - 1))] ?? 1;
}

function latinValues(): Uint8Array {
  const values = new Uint8Array(LATIN_END);
  forEachRun(LATIN_END, (start, end, value) => values.fill(value, start, end));
  return values;
}

/** Blocks of one value are held once for each value; about 60 KB in all. */
function expandRuns(): Table {
  const blockOf = new Uint16Array(CODE_POINTS >> BLOCK_SHIFT);
  const distinct: Uint8Array[] = [];
  const uniform = new Map<number, number>();
  const add = (value: number) => distinct.push(new Uint8Array(BLOCK_SIZE).fill(value)) - 1;
  forEachRun(CODE_POINTS, (from, runEnd, value) => {
    for (let start = from; start < runEnd;) {
      const block = start >> BLOCK_SHIFT;
      const offset = start & (BLOCK_SIZE - 1);
      const end = Math.min(runEnd, (block + 1) << BLOCK_SHIFT);
      if (end - start === BLOCK_SIZE) {
        const index = uniform.get(value) ?? add(value);
        uniform.set(value, index);
        blockOf[block] = index;
      } else {
        if (offset === 0) blockOf[block] = add(value);
        else distinct[blockOf[block] ?? 0]?.fill(value, offset);
      }
      start = end;
    }
  });
  const blocks = new Uint8Array(distinct.length << BLOCK_SHIFT);
  for (const [index, content] of distinct.entries()) blocks.set(content, index << BLOCK_SHIFT);
  return { blockOf, blocks };
}

/** Runs of one value, from code point 0 to `end`. */
function forEachRun(end: number, visit: (start: number, runEnd: number, value: number) => void): void {
  const words = UNICODE_RUNS.split(' ');
  for (let i = 0, start = 0; i < words.length && start < end; i += 2) {
    const runEnd = start + Number.parseInt(words[i] ?? '', 36);
    visit(start, runEnd, Number.parseInt(words[i + 1] ?? '', 36));
    start = runEnd;
  }
}
