/** A row as runs of text that look the same: what the formats that keep text as text are written from. */
import {
  ATTR_BOLD,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
  ATTR_UNDERLINE_MASK,
  ATTR_UNDERLINE_SHIFT,
  ATTR_WIDTH_MASK,
  ATTR_WIDTH_SHIFT,
  CELL_ATTRS,
  CELL_BG,
  CELL_FG,
  CELL_WORDS,
  graphemeAt,
  type SnapshotRow,
} from '../../vt/snapshot.js';
import { textUnderCursor } from '../raster/overlays.js';
import type { CellColors, CellColorRules, ScreenColors } from '../raster/cell-colors.js';
import type { RowLook } from '../raster/row-painter.js';
import { isSprite } from '../sprites/sprite.js';

export interface StyledRun {
  readonly col: number;
  /** Cells that it covers. */
  span: number;
  text: string;
  readonly fg: number;
  readonly bg: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly strikethrough: boolean;
  readonly overline: boolean;
  /** 0 to 5, the numbers of SGR 4:n. */
  readonly underline: number;
  readonly underlineColor: number;
  readonly link: string | undefined;
  /** One grapheme of two cells, or a sprite: never joined with its neighbours. */
  readonly alone: boolean;
  /** Drawn by code in pictures: box drawing and its like. */
  readonly sprite: number | undefined;
}

export function styledRuns(
  row: SnapshotRow,
  rules: CellColorRules,
  colors: ScreenColors,
  look: RowLook,
): readonly StyledRun[] {
  const runs: StyledRun[] = [];
  const cols = Math.floor(row.cells.length / CELL_WORDS / (row.lineSize === 'single' ? 1 : 2));
  for (let col = 0; col < cols;) {
    const run = runAt(row, col, cols, rules, colors, look);
    const last = runs.at(-1);
    if (last !== undefined && joins(last, run)) {
      last.text += run.text;
      last.span += run.span;
    } else {
      runs.push(run);
    }
    col += run.span;
  }
  return runs;
}

function runAt(
  row: SnapshotRow,
  col: number,
  cols: number,
  rules: CellColorRules,
  colors: ScreenColors,
  look: RowLook,
): StyledRun {
  const at = col * CELL_WORDS;
  const attrs = row.cells[at + CELL_ATTRS] ?? 0;
  const span = (attrs & ATTR_WIDTH_MASK) >> ATTR_WIDTH_SHIFT === 2 && col + 1 < cols ? 2 : 1;
  const invisible = (attrs & ATTR_INVISIBLE) !== 0;
  const grapheme = invisible ? '' : graphemeAt(row, col);
  const codePoint = grapheme.codePointAt(0) ?? 0x20;
  const sprite =
    grapheme.length === String.fromCodePoint(codePoint).length && isSprite(codePoint) ? codePoint : undefined;
  let cell: CellColors = rules.resolve(
    row.cells[at + CELL_FG] ?? 0,
    row.cells[at + CELL_BG] ?? 0,
    attrs,
    sprite !== undefined,
  );
  const { cursor } = look;
  if (cursor?.shape === 'block' && cursor.col >= col && cursor.col < col + span) {
    cell = { fg: textUnderCursor(colors.cursor, cell.bg), bg: colors.cursor };
  }
  const underlineWord = row.underlineColors?.get(col);
  return {
    col,
    span,
    text: grapheme === '' ? ' '.repeat(span) : grapheme,
    fg: cell.fg,
    bg: cell.bg,
    bold: (attrs & ATTR_BOLD) !== 0,
    italic: (attrs & ATTR_ITALIC) !== 0,
    strikethrough: !invisible && (attrs & ATTR_STRIKETHROUGH) !== 0,
    overline: !invisible && (attrs & ATTR_OVERLINE) !== 0,
    underline: invisible ? 0 : (attrs & ATTR_UNDERLINE_MASK) >> ATTR_UNDERLINE_SHIFT,
    underlineColor: underlineWord === undefined ? cell.fg : rules.fade(colors.resolve(underlineWord, cell.fg)),
    link: row.links?.get(col),
    alone: span === 2 || sprite !== undefined || grapheme.length > 1,
    sprite,
  };
}

function joins(a: StyledRun, b: StyledRun): boolean {
  return (
    !a.alone &&
    !b.alone &&
    a.fg === b.fg &&
    a.bg === b.bg &&
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.strikethrough === b.strikethrough &&
    a.overline === b.overline &&
    a.underline === b.underline &&
    a.underlineColor === b.underlineColor &&
    a.link === b.link
  );
}
