/**
 * RE2JS's compiled form of a pattern, which its typings leave open: the instructions, and the sets of states that it
 * builds from them on demand. Its own searches run to their end in one go; the searches in pieces use these instead.
 * The version is pinned, and test/search/regex.test.ts compares the two.
 */
import type { RE2JS } from 're2js';

export interface RawRegex {
  readonly prog: { readonly inst: readonly Instruction[]; readonly start: number };
  /** Conditions of {@link EMPTY} at the beginning of each match; -1 if there is no match. */
  readonly cond: number;
  /** Text that each match begins with. */
  readonly prefix: string;
  readonly prefilter: Prefilter | null;
  readonly dfa: StateSets;
}

export interface Instruction {
  /** One of {@link OP}. */
  readonly op: number;
  readonly out: number;
  /** The other branch of `alt`, the conditions of `empty`. */
  readonly arg: number;
  /** Pairs of first and last, or a single one. */
  readonly runes: Int32Array;
  matchRune(rune: number): boolean;
}

export const OP = {
  alt: 1,
  altMatch: 2,
  capture: 3,
  empty: 4,
  fail: 5,
  match: 6,
  nop: 7,
  rune: 8,
  rune1: 9,
  any: 10,
  anyButLineFeed: 11,
} as const;

/** Conditions between two characters. */
export const EMPTY = {
  beginLine: 1,
  endLine: 2,
  beginText: 4,
  endText: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const;

/** Texts that every match contains. */
export interface Prefilter {
  /** 0: no filter; 1: `str` occurs; 2: all of `subs` apply; 3: at least one applies. */
  readonly type: number;
  readonly str: string;
  readonly subs: readonly Prefilter[];
}

/** The possible positions in the pattern after a character; built on first use. */
export interface StateSet {
  readonly isMatch: boolean;
  /** Next states by the class of the next character. */
  readonly next: readonly (StateSet | null)[] | null;
}

export interface StateSets {
  readonly numClasses: number;
  readonly latin1Class: Int32Array;
  runeClass(rune: number): number;
  start(input: { context(at: number): number }, at: number): StateSet | null;
  /** Null: too many sets for the length of the text. */
  stepOrReset(
    from: StateSet,
    runeClass: number,
    rune: number,
    anchor: typeof UNANCHORED,
    at: number,
    search: { resetPos: number },
  ): StateSet | null;
}

export const UNANCHORED = 0;
/** Stands in the place of a rune. */
export const END_OF_TEXT = -1;

export function internalsOf(regex: RE2JS): RawRegex {
  return regex.re2();
}
