/**
 * Reads a picture back, cell by cell, by the renderer's own pictures of each shape alone. A cell is right when, of all that
 * is on the screen, what was written fits best there, at most a pixel aside, in the colours that were written, and when the
 * renderer can show it: no box for a missing character, not a cluster without its marks, not a style drawn like another.
 * Knows no renderer's code; what a renderer draws for a plain character alone is taken to be that character.
 */
import {
  ATTR_INVERSE,
  ATTR_UNDERLINE_MASK,
  ATTR_UNDERLINE_SHIFT,
  ATTR_WIDTH_MASK,
  ATTR_WIDTH_SHIFT,
  CELL_ATTRS,
  CELL_BG,
  CELL_FG,
  CELL_WORDS,
  COLOR_KIND_MASK,
  COLOR_PALETTE,
  COLOR_RGB,
  COLOR_VALUE_MASK,
  graphemeAt,
  type Snapshot,
} from '../src/vt/snapshot.js';
import { indexed, rowOf, screenOf } from '../test/render/support/screen.js';
import {
  channelsOf,
  groundIs,
  hasInk,
  inksOf,
  misfit,
  type Raster,
  rasterOf,
  type Rgb,
  shiftsOf,
  type Template,
} from './render-cell-pixels.js';
import { keyOf, type Shape } from './render-cell-shapes.js';
import { type CellRenderer, CellTemplates, type TemplatePlace } from './render-cell-templates.js';

export interface CellsRead {
  readonly wrong: number;
  readonly cells: number;
  /** Kinds of faults, cells each. */
  readonly faults: ReadonlyMap<string, number>;
}

interface Written extends Shape, TemplatePlace {
  readonly bg: Rgb;
}

/** Root mean square, of 255, up to which a character is one. */
const FITS = 30;
/** By so much may another character fit better: one that looks the same. */
const AS_WELL = 2;
const ANSI_COLORS = 16;

export class CellReader {
  readonly #renderer: CellRenderer;
  readonly #templates: CellTemplates;
  #palette: readonly Rgb[] = [];

  constructor(renderer: CellRenderer) {
    this.#renderer = renderer;
    this.#templates = new CellTemplates(renderer);
  }

  /** @param png A picture of the snapshot by this renderer, or by another that draws with it. */
  async read(snapshot: Snapshot, png: Buffer): Promise<CellsRead> {
    if (this.#palette.length === 0) this.#palette = await this.#learnPalette();
    const written = this.#writtenIn(snapshot);
    await this.#templates.learn(written);
    const raster = await rasterOf(png);
    const shapes = [...new Map(written.map((shape) => [keyOf(shape), shape])).values()];
    const faults = new Map<string, number>();
    for (const cell of written) {
      const { visible, row, col } = snapshot.cursor;
      const isCursor = visible && row === cell.row && col === cell.col;
      const fault = isCursor ? this.#cursorFault(raster, cell) : this.#fault(raster, cell, shapes);
      if (fault !== undefined) faults.set(fault, (faults.get(fault) ?? 0) + cell.width);
    }
    const wrong = [...faults.values()].reduce((sum, cells) => sum + cells, 0);
    return { wrong, cells: snapshot.cols * snapshot.rows, faults };
  }

  #fault(raster: Raster, cell: Written, shapes: readonly Shape[]): string | undefined {
    const lost = this.#templates.lostIn(cell);
    if (lost !== undefined) return lost;
    const pixels = this.#templates.pixelsOf(raster, cell.row, cell.col, cell.width);
    if (pixels === undefined) return 'outside of the picture';
    const own = this.#templates.of(cell, cell);
    if (!groundIs(pixels, own, cell.bg)) return 'ground';
    const misfitOf = (template: Template): number => misfit(pixels, template, cell.fg, cell.bg);
    const shifts = shiftsOf(own, this.#templates.heightOf(cell.row));
    const placed = shifts.reduce((best, shifted) => (misfitOf(shifted) < misfitOf(best) ? shifted : best));
    const error = misfitOf(placed);
    if (error <= AS_WELL) return undefined;
    const others = shapes.filter(({ width }) => width === cell.width);
    const best = Math.min(...others.map((shape) => misfitOf(this.#templates.of(shape, cell))));
    if (error <= FITS && error <= best + AS_WELL) return hasInk(pixels, placed, cell.fg) ? undefined : 'ink';
    const recolored = Math.min(...shifts.map((shifted) => misfitInOtherInks(pixels, shifted)));
    return recolored <= FITS && best > AS_WELL ? 'ink' : 'glyph';
  }

  /** Under a cursor any colours will do that show both the cursor and the character. */
  #cursorFault(raster: Raster, cell: Written): string | undefined {
    const pixels = this.#templates.pixelsOf(raster, cell.row, cell.col, cell.width);
    if (pixels === undefined) return 'outside of the picture';
    const own = this.#templates.of(cell, cell);
    if (misfit(pixels, own, cell.fg, cell.bg) <= FITS) return 'no cursor';
    const { fg, bg } = inksOf(pixels, own);
    return misfit(pixels, own, fg, bg) <= FITS ? undefined : 'glyph under the cursor';
  }

  #writtenIn({ lines, cols }: Snapshot): Written[] {
    const written: Written[] = [];
    for (const [row, line] of lines.entries()) {
      for (let col = 0; col < cols; col++) {
        const at = col * CELL_WORDS;
        const word = line.cells[at + CELL_ATTRS] ?? 0;
        const width = (word & ATTR_WIDTH_MASK) >> ATTR_WIDTH_SHIFT;
        if (width === 0) continue;
        const attrs = word & 0xff & ~ATTR_INVERSE;
        const underline = (word & ATTR_UNDERLINE_MASK) >> ATTR_UNDERLINE_SHIFT;
        const underlineColor = line.underlineColors?.get(col);
        const pen = { attrs, underline, ...(underlineColor === undefined ? {} : { underlineColor }) };
        const front = this.#colorOf(line.cells[at + CELL_FG] ?? 0, this.#renderer.foreground);
        const back = this.#colorOf(line.cells[at + CELL_BG] ?? 0, this.#renderer.background);
        const [fg, bg] = (word & ATTR_INVERSE) === 0 ? [front, back] : [back, front];
        written.push({ row, col, text: graphemeAt(line, col) || ' ', pen, width, fg, bg });
      }
    }
    return written;
  }

  #colorOf(word: number, whenDefault: number): Rgb {
    const kind = word & COLOR_KIND_MASK;
    if (kind === COLOR_RGB) return channelsOf(word & COLOR_VALUE_MASK);
    if (kind === COLOR_PALETTE) return this.#palette[word & 0xff] ?? [0, 0, 0];
    return channelsOf(whenDefault);
  }

  /** The first sixteen are a theme's own business, read above dots; the others are xterm's cube and greys. */
  async #learnPalette(): Promise<readonly Rgb[]> {
    const row = rowOf(
      80,
      Array.from({ length: ANSI_COLORS }, (_, at) => ['.....', { bg: indexed(at) }]),
    );
    const raster = await rasterOf(await this.#renderer.draw(screenOf([row])));
    const own = Array.from({ length: ANSI_COLORS }, (_, at) => this.#templates.pixelsOf(raster, 0, at * 5 + 2, 1));
    const levels = [0, 95, 135, 175, 215, 255];
    const cube = levels.flatMap((r) => levels.flatMap((g) => levels.map((b): Rgb => [r, g, b])));
    const greys = Array.from({ length: 24 }, (_, at): Rgb => [8 + at * 10, 8 + at * 10, 8 + at * 10]);
    return [...own.map((pixels): Rgb => [pixels?.[0] ?? 0, pixels?.[1] ?? 0, pixels?.[2] ?? 0]), ...cube, ...greys];
  }
}

function misfitInOtherInks(pixels: Uint8Array, template: Template): number {
  const { fg, bg } = inksOf(pixels, template);
  return misfit(pixels, template, fg, bg);
}
