/** What a picture shows and how large: all that was asked for if it fits within `max_tokens`, else a part of it. */
import type { PictureParams } from '../../protocol/picture.js';
import type { CellSize } from '../../render/cell-size.js';
import { largestCells } from '../../render/fit.js';
import { type Focus, fittedPart } from '../../render/fitted-part.js';
import { type ViewRegion, viewGrid } from '../../render/view.js';
import type { Snapshot } from '../../vt/snapshot.js';
import { assertSize, type PictureCells, type SizeParams, pictureSize, wantedCells } from './size.js';

export interface Framing {
  readonly cells: PictureCells;
  /** In rows of the snapshot; undefined for all of it. */
  readonly region: ViewRegion | undefined;
  /** What `max_tokens` has changed: cells smaller than asked for, or a part of what was asked for. */
  readonly fitted: 'smaller_cells' | 'part' | undefined;
}

interface Shown {
  readonly snapshot: Pick<Snapshot, 'rows' | 'cols' | 'cursor'>;
  readonly region: ViewRegion | undefined;
  readonly unchangedRows: ReadonlySet<number> | undefined;
}

type FramingParams = SizeParams & Pick<PictureParams, 'rulers'>;

/**
 * @param maxSide pixels of the longer side
 * @throws T4aError image_too_large
 */
export function framing(params: FramingParams, shown: Shown, maxSide: number): Framing {
  const part = neededPart(params, shown);
  const region = part?.region ?? shown.region;
  const grid = viewGrid(shown.snapshot, { region, rulers: params.rulers });
  const wanted = wantedCells(params);
  if (part !== undefined) {
    const cells = { ...part.cells, pad: wanted.pad };
    assertSize(cells, grid, params.format, maxSide);
    return { cells, region, fitted: 'part' };
  }
  const cells = pictureSize(params, grid, maxSide);
  const isSmaller = params.max_tokens !== undefined && cells.cellWidth < wanted.cellWidth;
  return { cells, region, fitted: isSmaller ? 'smaller_cells' : undefined };
}

function neededPart(
  params: FramingParams,
  shown: Shown,
): { readonly region: ViewRegion; readonly cells: CellSize } | undefined {
  if (params.max_tokens === undefined) return undefined;
  const { snapshot, region } = shown;
  const { pad, cellWidth: maxCellWidth } = wantedCells(params);
  const cellsOf = (part: ViewRegion | undefined): CellSize | undefined => {
    const grid = viewGrid(snapshot, { region: part, rulers: params.rulers });
    return largestCells({ ...grid, pad, model: params.model ?? 'claude', maxTokens: params.max_tokens, maxCellWidth });
  };
  if (cellsOf(region) !== undefined) return undefined;
  const area = region ?? { row: 0, col: 0, rows: snapshot.rows, cols: snapshot.cols };
  return fittedPart({ area, focus: focusOf(shown, area), cellsOf });
}

/** What has changed since the revision that the caller has, else the surroundings of the cursor. */
function focusOf({ snapshot, unchangedRows }: Shown, { row, col, rows }: ViewRegion): Focus {
  const isChanged = (each: number): boolean => unchangedRows !== undefined && !unchangedRows.has(each);
  const ofArea = Array.from({ length: rows }, (_, i) => row + i);
  const changed = ofArea.filter((each) => isChanged(each));
  const [first] = changed;
  const last = changed.at(-1);
  const { cursor } = snapshot;
  const at = { row: Math.min(Math.max(cursor.row, row), row + rows - 1), col: cursor.col };
  if (first === undefined || last === undefined) return { changed: undefined, ...at };
  const isAtCursor = isChanged(at.row) && at.row === cursor.row;
  return { changed: { row: first, rows: last - first + 1 }, ...(isAtCursor ? at : { row: first, col }) };
}
