/** Matches of a pattern in a viewport, as cells and as pixels of its picture. */
import type { Work } from './work.js';
import { type CellSpan, CellWalk, logicalLines } from '../vt/rows/logical-line.js';
import type { Snapshot } from '../vt/snapshot.js';
import type { Pattern } from './pattern.js';

export interface ScreenMatch {
  readonly text: string;
  /** One for each row that it covers, top to bottom; never empty. */
  readonly spans: readonly CellSpan[];
}

export interface PictureScale {
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly pad: number;
}

export interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Matches from top to bottom, left to right. Rows that were printed as one line are searched as one. */
export function* searchViewport({ lines }: Snapshot, pattern: Pattern): Work<ScreenMatch[]> {
  const found: ScreenMatch[] = [];
  for (const line of logicalLines(lines)) {
    const cells = new CellWalk(line);
    yield* pattern.matches(line.text, ({ start, end }) => {
      found.push({ text: line.text.slice(start, end), spans: cells.to(start, end) });
      return true;
    });
  }
  return found;
}

/** The cell that a person would click: the middle of the match's first row. */
export function middleOf({ spans }: ScreenMatch): { row: number; col: number } {
  const [span] = spans;
  return span === undefined ? { row: 0, col: 0 } : { row: span.row, col: span.col + Math.floor((span.cols - 1) / 2) };
}

export function boxOf({ row, col, cols }: CellSpan, { cellWidth, cellHeight, pad }: PictureScale): PixelBox {
  return { x: pad + col * cellWidth, y: pad + row * cellHeight, width: cols * cellWidth, height: cellHeight };
}
