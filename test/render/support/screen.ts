/** Builds snapshots cell by cell, without a terminal. */
import {
  ATTR_UNDERLINE_SHIFT,
  ATTR_WIDTH_SHIFT,
  CELL_ATTRS,
  CELL_BG,
  CELL_FG,
  CELL_GRAPHEME,
  CELL_WORDS,
  COLOR_PALETTE,
  COLOR_RGB,
  type DynamicColors,
  GRAPHEME_CLUSTER,
  type LineSize,
  type Snapshot,
  type SnapshotCursor,
  type SnapshotRow,
} from '../../../src/vt/snapshot.js';

export interface Pen {
  readonly fg?: number;
  readonly bg?: number;
  readonly attrs?: number;
  /** 0 to 5, the numbers of SGR 4:n. */
  readonly underline?: number;
  readonly underlineColor?: number;
}

/** Text that is written with one pen. */
export type Run = readonly [text: string, pen?: Pen];

export const indexed = (index: number): number => COLOR_PALETTE | index;
export const rgb = (value: number): number => COLOR_RGB | value;

const NO_COLORS: DynamicColors = {
  palette: new Map(),
  foreground: undefined,
  background: undefined,
  cursor: undefined,
};
const HIDDEN_CURSOR: SnapshotCursor = { row: 0, col: 0, visible: false, shape: 'block', blink: false };
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

export function rowOf(cols: number, runs: readonly Run[], lineSize: LineSize = 'single'): SnapshotRow {
  const cells = new Uint32Array(cols * CELL_WORDS);
  const clusters: string[] = [];
  const underlineColors = new Map<number, number>();
  for (let col = 0; col < cols; col++) cells[col * CELL_WORDS + CELL_ATTRS] = 1 << ATTR_WIDTH_SHIFT;
  let col = 0;
  for (const [text, pen = {}] of runs) {
    for (const { segment } of graphemes.segment(text)) {
      const width = isWide(segment) ? 2 : 1;
      if (col + width > cols) break;
      const at = col * CELL_WORDS;
      const single = segment.length === String.fromCodePoint(segment.codePointAt(0)!).length;
      cells[at + CELL_GRAPHEME] = single
        ? (segment.codePointAt(0) ?? 0)
        : GRAPHEME_CLUSTER | (clusters.push(segment) - 1);
      for (let part = 0; part < width; part++) {
        const attrs = (pen.attrs ?? 0) | ((pen.underline ?? 0) << ATTR_UNDERLINE_SHIFT);
        cells[at + part * CELL_WORDS + CELL_FG] = pen.fg ?? 0;
        cells[at + part * CELL_WORDS + CELL_BG] = pen.bg ?? 0;
        cells[at + part * CELL_WORDS + CELL_ATTRS] = attrs | ((part === 0 ? width : 0) << ATTR_WIDTH_SHIFT);
        if (pen.underlineColor !== undefined) underlineColors.set(col + part, pen.underlineColor);
      }
      col += width;
    }
  }
  return {
    cells,
    clusters,
    underlineColors: underlineColors.size === 0 ? undefined : underlineColors,
    links: undefined,
    wrapped: false,
    lineSize,
  };
}

export function screenOf(lines: readonly SnapshotRow[], more: Partial<Snapshot> = {}): Snapshot {
  return {
    cols: (lines[0]?.cells.length ?? 0) / CELL_WORDS,
    rows: lines.length,
    rev: 1,
    lines,
    cursor: HIDDEN_CURSOR,
    colors: NO_COLORS,
    reverseScreen: false,
    altScreen: false,
    title: '',
    ...more,
  };
}

/** A screen from plain lines of text or lists of runs. */
export function screen(
  cols: number,
  lines: readonly (string | readonly Run[])[],
  more: Partial<Snapshot> = {},
): Snapshot {
  return screenOf(
    lines.map((line) => rowOf(cols, typeof line === 'string' ? [[line]] : line)),
    more,
  );
}

export function cursorAt(row: number, col: number, shape: SnapshotCursor['shape'] = 'block'): SnapshotCursor {
  return { row, col, visible: true, shape, blink: false };
}

function isWide(grapheme: string): boolean {
  if (grapheme.includes('\ufe0f')) return true;
  if (grapheme.includes('\ufe0e')) return false;
  const codePoint = grapheme.codePointAt(0) ?? 0;
  if (codePoint >= 0x231a && /^\p{Emoji_Presentation}/u.test(grapheme)) return true;
  return WIDE.some(([first, last]) => codePoint >= first && codePoint <= last);
}

const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0x20000, 0x3fffd],
];
