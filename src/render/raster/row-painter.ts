/**
 * One row of cells: first a sketch, which holds its glyphs and their colours, then, once there is a palette, its pixels in a
 * buffer of whole lines: backgrounds, glyphs, decorations, cursor.
 */
import {
  ATTR_BOLD,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_WIDTH_MASK,
  ATTR_WIDTH_SHIFT,
  CELL_ATTRS,
  CELL_BG,
  CELL_FG,
  CELL_WORDS,
  GRAPHEME_CLUSTER,
  type SnapshotRow,
} from '../../vt/snapshot.js';
import { blitColors, blitMask, colorsOver, fillRect, overlayMask, type PixelTarget } from './blit.js';
import { type DrawnCursor, drawCursorLines, textUnderCursor, drawBoxes, MARK_COLOR, type RowBox } from './overlays.js';
import { ATTR_DECORATIONS, DecorationSheet } from './decorations.js';
import type { GlyphAtlas, GlyphSheet } from '../glyphs/atlas.js';
import { ALL_LEVELS, type Glyph, STYLE_BOLD, STYLE_ITALIC, STYLE_WIDE } from '../glyphs/glyph.js';
import type { CellColors, CellColorRules, ScreenColors } from './cell-colors.js';
import { RowColors } from './row-colors.js';

export interface RowLook {
  readonly cursor: DrawnCursor | undefined;
  readonly faded: boolean;
  readonly boxes: readonly RowBox[];
}

/** Rules by which the cells of a screen get their colours: as they are, and standing back. */
export interface RowColorRules {
  readonly plain: CellColorRules;
  readonly faded: CellColorRules;
}

/** Sketch of every cell of a row, from left to right; a wide one is one. */
export interface RowSketch {
  readonly row: SnapshotRow;
  readonly look: RowLook;
  readonly glyphs: readonly (Glyph | undefined)[];
  readonly pairs: readonly CellColors[];
  readonly colors: RowColors;
}

const WIDE = 2 << ATTR_WIDTH_SHIFT;
const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
/** Level 0: a cell without ink needs its background only. */
const BACKGROUND_LEVEL = 1;

export class RowPainter {
  readonly #cellWidth: number;
  readonly #cellHeight: number;
  readonly #rules: RowColorRules;
  readonly #colors: ScreenColors;
  readonly #atlas: GlyphAtlas;
  readonly #decorations: DecorationSheet;

  constructor(atlas: GlyphAtlas, rules: RowColorRules, colors: ScreenColors, cellWidth: number, cellHeight: number) {
    this.#atlas = atlas;
    this.#rules = rules;
    this.#colors = colors;
    this.#cellWidth = cellWidth;
    this.#cellHeight = cellHeight;
    this.#decorations = new DecorationSheet(cellWidth, cellHeight);
  }

  sketch(row: SnapshotRow, look: RowLook): RowSketch {
    const { cells, lineSize } = row;
    const own = look.faded ? this.#rules.faded : this.#rules.plain;
    const sheet = this.#atlas.sheet(this.#cellWidth, this.#cellHeight, lineSize);
    const cols = columnsOf(row);
    const glyphs: (Glyph | undefined)[] = [];
    const pairs: CellColors[] = [];
    const colors = new RowColors();
    for (let col = 0; col < cols;) {
      const at = col * CELL_WORDS;
      const attrs = cells[at + CELL_ATTRS] ?? 0;
      const span = spanOf(attrs, col, cols);
      const glyph = this.#glyphOf(row, at, attrs, span, sheet);
      let pair = own.resolve(cells[at + CELL_FG] ?? 0, cells[at + CELL_BG] ?? 0, attrs, glyph?.graphic === true);
      if (look.cursor?.shape === 'block' && isUnder(look.cursor, col, span)) pair = this.#underBlock(pair);
      glyphs.push(glyph);
      pairs.push(pair);
      this.#addColors(colors, glyph, pair, own);
      if (hasLines(attrs)) this.#addLineColors(colors, row, col, pair, own);
      col += span;
    }
    if (look.cursor !== undefined && look.cursor.shape !== 'block') colors.plain.add(this.#colors.cursor);
    if (look.boxes.length > 0) colors.plain.add(MARK_COLOR);
    return { row, look, glyphs, pairs, colors };
  }

  /** The target is filled with the default background already. */
  paint({ row, look, glyphs, pairs }: RowSketch, target: PixelTarget): void {
    const own = look.faded ? this.#rules.faded : this.#rules.plain;
    const cellWidth = row.lineSize === 'single' ? this.#cellWidth : this.#cellWidth * 2;
    const cols = columnsOf(row);
    for (let col = 0, place = 0; col < cols; place++) {
      const attrs = row.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0;
      const span = spanOf(attrs, col, cols);
      const glyph = glyphs[place];
      const pair = pairs[place] as CellColors;
      const left = col * cellWidth;
      this.#paintCell(target, left, cellWidth * span, glyph, pair, own);
      if (hasLines(attrs)) this.#paintLines(target, row, col, span, cellWidth, glyph, pair, own);
      if (look.cursor !== undefined && isUnder(look.cursor, col, span)) {
        drawCursorLines(look.cursor.shape, target, left, cellWidth * span, this.#cellHeight, this.#colors.cursor);
      }
      col += span;
    }
    drawBoxes(look.boxes, target, this.#cellWidth, this.#cellHeight);
  }

  /** The colours of a block cursor and of whatever may be under it on the default background. */
  cursorColors(): RowColors {
    const colors = new RowColors();
    const { fg, bg } = this.#underBlock({ fg: this.#colors.foreground, bg: this.#colors.background });
    colors.addPair(fg, bg, ALL_LEVELS);
    return colors;
  }

  #glyphOf(row: SnapshotRow, at: number, attrs: number, span: 1 | 2, sheet: GlyphSheet): Glyph | undefined {
    const word = row.cells[at] ?? 0;
    if (word === 0 || word === SPACE || word === NO_BREAK_SPACE || (attrs & ATTR_INVISIBLE) !== 0) return undefined;
    if ((attrs & ATTR_WIDTH_MASK) === 0) return undefined;
    const style =
      ((attrs & ATTR_BOLD) === 0 ? 0 : STYLE_BOLD) |
      ((attrs & ATTR_ITALIC) === 0 ? 0 : STYLE_ITALIC) |
      (span === 1 ? 0 : STYLE_WIDE);
    if ((word & GRAPHEME_CLUSTER) === 0) return sheet.glyph(word, style);
    const cluster = row.clusters[word & ~GRAPHEME_CLUSTER];
    return cluster === undefined || cluster === '' ? undefined : sheet.glyph(cluster, style);
  }

  #underBlock(pair: CellColors): CellColors {
    return { fg: textUnderCursor(this.#colors.cursor, pair.bg), bg: this.#colors.cursor };
  }

  #addColors(colors: RowColors, glyph: Glyph | undefined, pair: CellColors, rules: CellColorRules): void {
    if (glyph?.kind === 'mask') {
      colors.addPair(pair.fg, pair.bg, glyph.used);
      return;
    }
    if (glyph !== undefined || pair.bg !== this.#colors.background) colors.addPair(pair.fg, pair.bg, BACKGROUND_LEVEL);
    if (glyph !== undefined) for (const rgb of colorsOver(glyph, pair.bg, rules)) colors.pictures.add(rgb);
  }

  #addLineColors(colors: RowColors, row: SnapshotRow, col: number, pair: CellColors, rules: CellColorRules): void {
    const attrs = row.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0;
    const { underline, others } = this.#decorations.lines(attrs, row.lineSize);
    if (underline !== undefined) colors.addPair(this.#underlineColor(row, col, pair, rules), pair.bg, underline.used);
    if (others !== undefined) colors.addPair(pair.fg, pair.bg, others.used);
  }

  #underlineColor(row: SnapshotRow, col: number, pair: CellColors, rules: CellColorRules): number {
    const word = row.underlineColors?.get(col);
    return word === undefined ? pair.fg : rules.fade(this.#colors.resolve(word, pair.fg));
  }

  #paintCell(
    target: PixelTarget,
    left: number,
    width: number,
    glyph: Glyph | undefined,
    pair: CellColors,
    rules: CellColorRules,
  ): void {
    if (glyph?.kind === 'mask') {
      const blank = pair.bg === this.#colors.background;
      blitMask(target, left, glyph, target.palette.run(pair.fg, pair.bg, glyph.used), blank);
      return;
    }
    if (glyph === undefined && pair.bg === this.#colors.background) return;
    const run = target.palette.run(pair.fg, pair.bg, BACKGROUND_LEVEL);
    fillRect(target, left, 0, width, this.#cellHeight, run.values[0] ?? 0);
    if (glyph !== undefined) blitColors(target, left, glyph, pair.bg, rules);
  }

  #paintLines(
    target: PixelTarget,
    row: SnapshotRow,
    col: number,
    span: 1 | 2,
    cellWidth: number,
    glyph: Glyph | undefined,
    pair: CellColors,
    rules: CellColorRules,
  ): void {
    const attrs = row.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0;
    const lines = this.#decorations.lines(attrs, row.lineSize);
    for (let cell = 0; cell < span; cell++) {
      const left = (col + cell) * cellWidth;
      if (lines.underline !== undefined) {
        const color = this.#underlineColor(row, col, pair, rules);
        const run = target.palette.run(color, pair.bg, lines.underline.used);
        overlayMask(target, left, lines.underline, run, glyph, cell * cellWidth);
      }
      if (lines.others !== undefined) {
        const run = target.palette.run(pair.fg, pair.bg, lines.others.used);
        overlayMask(target, left, lines.others, run, glyph, cell * cellWidth);
      }
    }
  }
}

function columnsOf({ cells, lineSize }: SnapshotRow): number {
  return Math.floor(cells.length / CELL_WORDS / (lineSize === 'single' ? 1 : 2));
}

function spanOf(attrs: number, col: number, cols: number): 1 | 2 {
  return (attrs & ATTR_WIDTH_MASK) === WIDE && col + 1 < cols ? 2 : 1;
}

function hasLines(attrs: number): boolean {
  return (attrs & ATTR_DECORATIONS) !== 0 && (attrs & ATTR_INVISIBLE) === 0;
}

function isUnder(cursor: DrawnCursor, col: number, span: number): boolean {
  return cursor.col >= col && cursor.col < col + span;
}
