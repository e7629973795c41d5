/**
 * Which kind of palette a picture has: the finest into which its colours fit. A function of what is on screen, not of how it
 * got there.
 */
import { INDEXED_MODES } from './level-color.js';
import { addColors, addExactColors, mergedColors, type PaletteKind, type RowColors } from './row-colors.js';

export const MAX_PALETTE = 256;

/** Finest first. The last one fits always. */
const KINDS: readonly PaletteKind[] = INDEXED_MODES.flatMap((mode) => [
  { mode, whole: true },
  { mode, whole: false },
]);
const DIRECT: PaletteKind = { mode: 'direct', whole: false };

/** Colours that a palette has whatever the rows draw. */
export interface Reserved {
  readonly background: number;
  /** Of a cursor that may stand anywhere; left out where room is short. */
  readonly cursor: RowColors | undefined;
}

export function isFinest({ mode, whole }: PaletteKind): boolean {
  return mode === KINDS[0]?.mode && whole === KINDS[0].whole;
}

export interface ChosenPalette {
  readonly kind: PaletteKind;
  /** By index: the background, then by value. Empty where pixels are colours themselves. */
  readonly colors: readonly number[];
}

export function choosePalette(rows: Iterable<RowColors>, reserved: Reserved): ChosenPalette {
  const merged = mergedColors(rows);
  for (const kind of tooManyExact([merged], reserved) === undefined ? KINDS : []) {
    const colors = reservedColors(reserved, kind);
    addColors(colors, merged, kind);
    if (colors.size > MAX_PALETTE) continue;
    colors.delete(reserved.background);
    return { kind, colors: [reserved.background, ...Array.from(colors).sort((a, b) => a - b)] };
  }
  return { kind: DIRECT, colors: [] };
}

/**
 * Rows, the first of those given, that are too many colours for every finer kind; undefined where all rows fit into one.
 * More rows are never fewer colours: while all of these are on screen, no finer kind will do.
 */
export function tooManyForFiner(
  kind: PaletteKind,
  reserved: Reserved,
  rows: readonly RowColors[],
): readonly RowColors[] | undefined {
  const place = KINDS.findIndex(({ mode, whole }) => mode === kind.mode && whole === kind.whole);
  const exact = tooManyExact(rows, reserved);
  // Where text and backgrounds alone are too many, none need be tried.
  if (exact !== undefined) return rows.slice(0, exact);
  let most = 0;
  for (const finer of place < 0 ? KINDS : KINDS.slice(0, place)) {
    const count = rowsToOverflow(rows, reservedColors(reserved, finer), (colors, row) => addColors(colors, row, finer));
    if (count === undefined) return undefined;
    most = Math.max(most, count);
  }
  return rows.slice(0, most);
}

export function reservedColors({ background, cursor }: Reserved, kind: PaletteKind): Set<number> {
  const colors = new Set([background]);
  if (kind.whole && cursor !== undefined) addColors(colors, cursor, kind);
  return colors;
}

function tooManyExact(rows: readonly RowColors[], { background }: Reserved): number | undefined {
  return rowsToOverflow(rows, new Set([background]), addExactColors);
}

/** How many rows it takes; undefined where all of them fit. */
function rowsToOverflow(
  rows: readonly RowColors[],
  colors: Set<number>,
  add: (colors: Set<number>, row: RowColors) => void,
): number | undefined {
  for (const [index, row] of rows.entries()) {
    add(colors, row);
    if (colors.size > MAX_PALETTE) return index + 1;
  }
  return undefined;
}
