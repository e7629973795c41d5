/** Keys in the scrollback: how far they move, by the rows and columns that the person sees. */

export type Move = (size: number) => number;

export const ROW_MOVES: Readonly<Record<string, Move>> = {
  '\x1b[A': () => -1,
  '\x1bOA': () => -1,
  k: () => -1,
  '\x1b[B': () => 1,
  '\x1bOB': () => 1,
  j: () => 1,
  '\x1b[5~': (rows) => 1 - rows,
  b: (rows) => 1 - rows,
  '\x1b[6~': (rows) => rows - 1,
  ' ': (rows) => rows - 1,
  g: () => Number.NEGATIVE_INFINITY,
  G: () => Number.POSITIVE_INFINITY,
};

/** Columns of one key, without a selection. */
const PAN_COLS = 8;

const RIGHT: readonly string[] = ['\x1b[C', '\x1bOC', 'l'];
const LEFT: readonly string[] = ['\x1b[D', '\x1bOD', 'h'];
const END: readonly string[] = ['\x1b[F', '\x1bOF', '\x1b[4~', '$'];
const HOME: readonly string[] = ['\x1b[H', '\x1bOH', '\x1b[1~', '0'];

/** @param step columns of an arrow @returns columns to the right */
export function columnMove(key: string, step = PAN_COLS): number {
  if (RIGHT.includes(key)) return step;
  if (LEFT.includes(key)) return -step;
  if (END.includes(key)) return Number.POSITIVE_INFINITY;
  return HOME.includes(key) ? Number.NEGATIVE_INFINITY : 0;
}

export const ESCAPE = '\x1b';

export const LEAVING: ReadonlySet<string> = new Set(['q', '\r', '\x03', ESCAPE]);

/** Keys that copy a selection. */
export const COPYING: ReadonlySet<string> = new Set(['y', '\r']);

/** Rows of one turn of the wheel. */
export const WHEEL_ROWS = 3;
