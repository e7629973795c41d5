/** Paints one row of cells into a buffer of whole lines of pixels: backgrounds, glyphs, decorations, cursor. */
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
} from '../vt/snapshot.js';
import { blitColors, blitMask, fillRect, overlayMask, type PixelTarget } from './blit.js';
import { type DrawnCursor, drawCursorLines, textUnderCursor } from './cursor.js';
import { ATTR_DECORATIONS, DecorationSheet } from './decorations.js';
import type { GlyphAtlas, GlyphSheet } from './glyph-atlas.js';
import { type Glyph, STYLE_BOLD, STYLE_ITALIC, STYLE_WIDE } from './glyph.js';
import type { Ink, Inks } from './ink.js';
import { drawBoxes, type RowBox } from './marks.js';
import type { ScreenColors } from './screen-colors.js';

export interface RowLook {
  readonly cursor: DrawnCursor | undefined;
  readonly faded: boolean;
  readonly boxes: readonly RowBox[];
}

/** How the cells of a screen get their colours: as they are, and standing back. */
export interface RowInks {
  readonly plain: Inks;
  readonly faded: Inks;
}

const WIDE = 2 << ATTR_WIDTH_SHIFT;
const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;
/** Level 0: a cell without ink needs its background only. */
const BACKGROUND_LEVEL = 1;

export class RowPainter {
  readonly #cellWidth: number;
  readonly #cellHeight: number;
  readonly #inks: RowInks;
  readonly #colors: ScreenColors;
  readonly #atlas: GlyphAtlas;
  readonly #decorations: DecorationSheet;

  constructor(atlas: GlyphAtlas, inks: RowInks, colors: ScreenColors, cellWidth: number, cellHeight: number) {
    this.#atlas = atlas;
    this.#inks = inks;
    this.#colors = colors;
    this.#cellWidth = cellWidth;
    this.#cellHeight = cellHeight;
    this.#decorations = new DecorationSheet(cellWidth, cellHeight);
  }

  /** The target is filled with the default background already. Stops where the palette overflows. */
  paint(row: SnapshotRow, target: PixelTarget, look: RowLook): void {
    const { cells, lineSize } = row;
    const large = lineSize !== 'single';
    const inks = look.faded ? this.#inks.faded : this.#inks.plain;
    const sheet = this.#atlas.sheet(this.#cellWidth, this.#cellHeight, lineSize);
    const cellWidth = large ? this.#cellWidth * 2 : this.#cellWidth;
    const cols = Math.floor(cells.length / CELL_WORDS / (large ? 2 : 1));
    for (let col = 0; col < cols;) {
      const at = col * CELL_WORDS;
      const attrs = cells[at + CELL_ATTRS] ?? 0;
      const span = (attrs & ATTR_WIDTH_MASK) === WIDE && col + 1 < cols ? 2 : 1;
      const glyph = this.#glyphOf(row, at, attrs, span, sheet);
      let ink = inks.resolve(cells[at + CELL_FG] ?? 0, cells[at + CELL_BG] ?? 0, attrs, glyph?.graphic === true);
      const { cursor } = look;
      const underCursor = cursor !== undefined && cursor.col >= col && cursor.col < col + span;
      if (underCursor && cursor.shape === 'block') ink = this.#underBlock(ink);
      const left = col * cellWidth;
      this.#paintCell(target, left, cellWidth * span, glyph, ink, inks);
      if ((attrs & ATTR_DECORATIONS) !== 0 && (attrs & ATTR_INVISIBLE) === 0) {
        this.#paintLines(target, row, col, span, cellWidth, glyph, ink, inks);
      }
      if (underCursor) {
        drawCursorLines(cursor.shape, target, left, cellWidth * span, this.#cellHeight, this.#colors.cursor);
      }
      col += span;
    }
    drawBoxes(look.boxes, target, this.#cellWidth, this.#cellHeight);
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

  #underBlock(ink: Ink): Ink {
    return { fg: textUnderCursor(this.#colors.cursor, ink.bg), bg: this.#colors.cursor };
  }

  #paintCell(target: PixelTarget, left: number, width: number, glyph: Glyph | undefined, ink: Ink, inks: Inks): void {
    if (glyph?.kind === 'mask') {
      const blank = ink.bg === this.#colors.background;
      blitMask(target, left, glyph, target.palette.run(ink.fg, ink.bg, glyph.used), blank);
      return;
    }
    if (glyph === undefined && ink.bg === this.#colors.background) return;
    const run = target.palette.run(ink.fg, ink.bg, BACKGROUND_LEVEL);
    fillRect(target, left, 0, width, this.#cellHeight, run.values[0] ?? 0);
    if (glyph !== undefined) blitColors(target, left, glyph, ink.bg, inks);
  }

  #paintLines(
    target: PixelTarget,
    row: SnapshotRow,
    col: number,
    span: 1 | 2,
    cellWidth: number,
    glyph: Glyph | undefined,
    ink: Ink,
    inks: Inks,
  ): void {
    const attrs = row.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0;
    const underlineWord = row.underlineColors?.get(col);
    const underlineColor =
      underlineWord === undefined ? ink.fg : inks.fade(this.#colors.resolve(underlineWord, ink.fg));
    const lines = this.#decorations.lines(attrs, row.lineSize);
    for (let cell = 0; cell < span; cell++) {
      const left = (col + cell) * cellWidth;
      if (lines.underline !== undefined) {
        const run = target.palette.run(underlineColor, ink.bg, lines.underline.used);
        overlayMask(target, left, lines.underline, run, glyph, cell * cellWidth);
      }
      if (lines.others !== undefined) {
        const run = target.palette.run(ink.fg, ink.bg, lines.others.used);
        overlayMask(target, left, lines.others, run, glyph, cell * cellWidth);
      }
    }
  }
}
