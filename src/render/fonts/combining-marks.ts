/**
 * Where the combining marks of no particular script stand, after their combining classes in UnicodeData.txt. Marks of Arabic,
 * Thai and the like are not here: their faces place them themselves.
 */
import { Coverage } from './coverage.js';

export interface MarkAnchor {
  /** `around`: encloses all that comes before it. */
  readonly where: 'above' | 'below' | 'over' | 'around';
  /** `whole`: lines that go on from cell to cell. */
  readonly side: 'left' | 'middle' | 'right' | 'whole';
  /** Grows out of the letter: no gap between them. */
  readonly attached: boolean;
}

const PLACED = new Coverage('300-36f,483-489,1ab0-1add,1ae0-1aeb,1dc0-1dff,20d0-20f0,fe20-fe2f');
const BELOW = new Coverage(
  '316-319,31c-333,339-33c,345,347-349,34d-34e,353-356,359-35a,35c,35f,362,' +
    '1ab5-1aba,1abd,1abf-1ac0,1ac3-1ac4,1aca,1dc2,1dca,1dcf-1dd0,1df9-1dfa,1dfc-1dfd,1dff,20e8,20ec-20ef,fe27-fe2d',
);
const OVER = new Coverage('334-338,20d2-20d3,20d8-20da,20e5-20e6,20ea-20eb');
const AROUND = new Coverage('488-489,1abe,20dd-20e0,20e2-20e4');
const LEFT = new Coverage('1df7-1df8,1dfa');
const RIGHT = new Coverage('315,31a-31b,358,1df6');
const WHOLE = new Coverage('305,332-333,336,33f,fe26,fe2d');
const ATTACHED = new Coverage('31b,321-322,327-328,1dce,1dd0');

const GRAPHEME_JOINER = 0x34f;

export function isPlacedMark(codePoint: number): boolean {
  return codePoint >= 0x300 && PLACED.has(codePoint);
}

/** @param seen Where a face draws it, for a mark that is not in the tables. */
export function placeOf(codePoint: number, seen: 'above' | 'below'): MarkAnchor {
  return {
    where: isPlacedMark(codePoint) ? tabledPlace(codePoint) : seen,
    side: sideOf(codePoint),
    attached: ATTACHED.has(codePoint),
  };
}

/** Joiners and selectors are marks too, of which there is nothing to be seen. */
export function isSeenMark(codePoint: number): boolean {
  if (isPlacedMark(codePoint)) return codePoint !== GRAPHEME_JOINER;
  return /^(?!\p{Default_Ignorable_Code_Point})\p{M}$/u.test(String.fromCodePoint(codePoint));
}

function tabledPlace(codePoint: number): MarkAnchor['where'] {
  if (BELOW.has(codePoint)) return 'below';
  if (OVER.has(codePoint)) return 'over';
  return AROUND.has(codePoint) ? 'around' : 'above';
}

function sideOf(codePoint: number): MarkAnchor['side'] {
  if (WHOLE.has(codePoint)) return 'whole';
  if (LEFT.has(codePoint)) return 'left';
  return RIGHT.has(codePoint) ? 'right' : 'middle';
}
