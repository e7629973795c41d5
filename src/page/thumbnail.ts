/**
 * A small picture of the last rows of a screen, in letters that can be read: a wide screen loses its right side. It is drawn row by
 * row: of a row that has not changed nothing is touched.
 */
import type { Mirror, MirrorRow, MirrorRun } from '../mirror/mirror.js';
import { runCells } from '../mirror/run-cells.js';
import { hex, legible, PALETTES, withProgramColors, type Palette, type ThemeName } from './palette.js';
import { lookOf } from './sgr-css.js';

/** Bounds of the width of a cell, in CSS pixels: letters of 9 and 11 pixels. */
const LEAST_CELL = 5.4;
const MOST_CELL = 6.6;

/** Size of a picture in pixels of the device. */
export interface PictureArea {
  readonly width: number;
  readonly height: number;
  /** Pixels of the device for each pixel of CSS. */
  readonly ratio: number;
}

/** The face of the page, as high as a cell of twice its width. */
const FACE = "'T4A Mono', 'T4A Symbols', 'T4A Emoji', 'T4A Icons', 'T4A More Symbols', monospace";
const FONT_BY_CELL = 1 / 0.6;
const BASELINE = 0.78;

const INVERSE = 7;
const INVISIBLE = 8;
const BOLD = 1;
const CONTRAST = 4.5;

interface Ink {
  readonly ground: string | undefined;
  /** Undefined if nothing is to be seen. */
  readonly text: string | undefined;
  readonly isBold: boolean;
}

export class Thumbnail {
  readonly #canvas: HTMLCanvasElement;
  readonly #inks = new Map<string, Ink>();
  #palette: Palette = PALETTES.dark;
  /** What the inks were made for. */
  #scene = '';
  /** As they are drawn, from the top of the picture. */
  #drawn: readonly (MirrorRow | undefined)[] = [];
  #cell = 0;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
  }

  /** Its memory is free until it is drawn again. */
  drop(): void {
    this.#canvas.width = 0;
    this.#drawn = [];
    this.#cell = 0;
  }

  draw(mirror: Mirror, theme: ThemeName, area: PictureArea): void {
    const context = this.#canvas.getContext('2d', { alpha: false });
    const { cols } = mirror.state;
    const { width, height, ratio } = area;
    if (context === null || cols === 0 || width < 1 || height < 1) return;
    const cell = Math.min(MOST_CELL * ratio, Math.max(LEAST_CELL * ratio, width / cols));
    const isSame = cell === this.#cell && this.#canvas.width === width && this.#canvas.height === height;
    const isNew = this.#use(mirror, theme) || !isSame;
    if (isNew) this.#begin(area, cell);
    const rows = partOf(mirror, Math.max(1, Math.floor(height / (2 * cell))));
    for (const [i, row] of rows.entries()) {
      if (isNew || row !== this.#drawn[i]) this.#drawRow(context, row, i);
    }
    for (let i = rows.length; i < this.#drawn.length; i++) this.#clear(context, i);
    this.#drawn = rows;
  }

  #begin({ width, height }: PictureArea, cell: number): void {
    this.#canvas.width = width;
    this.#canvas.height = height;
    this.#canvas.style.background = hex(this.#palette.background);
    this.#cell = cell;
    this.#drawn = Array.from({ length: Math.ceil(this.#canvas.height / (2 * cell)) }, () => undefined);
  }

  /** @returns whether all is of other colors than before */
  #use({ state: { colors, modes } }: Mirror, theme: ThemeName): boolean {
    const scene = JSON.stringify([theme, colors, modes['reverse_screen'] === true]);
    if (scene === this.#scene) return false;
    this.#scene = scene;
    this.#inks.clear();
    const palette = withProgramColors(PALETTES[theme], colors);
    const { foreground, background } = palette;
    this.#palette =
      modes['reverse_screen'] === true ? { ...palette, foreground: background, background: foreground } : palette;
    return true;
  }

  #clear(context: CanvasRenderingContext2D, row: number): void {
    const top = Math.floor(row * 2 * this.#cell);
    context.fillStyle = hex(this.#palette.background);
    context.fillRect(0, top, this.#canvas.width, Math.ceil((row + 1) * 2 * this.#cell) - top);
  }

  #drawRow(context: CanvasRenderingContext2D, { runs }: MirrorRow, row: number): void {
    this.#clear(context, row);
    let col = 0;
    for (const run of runs) col += this.#drawRun(context, run, row, col);
  }

  /** @returns its cells */
  #drawRun(context: CanvasRenderingContext2D, run: MirrorRun, row: number, col: number): number {
    const [text, sgr = '', cells = 0] = run;
    const parts = cells === 0 ? [{ text, width: Array.from(text).length }] : runCells(run);
    const count = parts.reduce((sum, { width }) => sum + width, 0);
    const { ground, text: color, isBold } = this.#inkOf(sgr);
    const [x, y, height] = [col * this.#cell, row * 2 * this.#cell, 2 * this.#cell];
    if (ground !== undefined) {
      context.fillStyle = ground;
      context.fillRect(Math.floor(x), Math.floor(y), Math.ceil(count * this.#cell), Math.ceil(height));
    }
    if (color === undefined || text.trim() === '') return count;
    context.fillStyle = color;
    context.font = `${isBold ? '700 ' : ''}${this.#cell * FONT_BY_CELL}px ${FACE}`;
    let at = x;
    for (const part of parts) {
      context.fillText(part.text, at, y + height * BASELINE, part.width * this.#cell);
      at += part.width * this.#cell;
    }
    return count;
  }

  #inkOf(sgr: string): Ink {
    let ink = this.#inks.get(sgr);
    if (ink === undefined) {
      if (this.#inks.size >= MOST_INKS) this.#inks.clear();
      ink = inkOf(sgr, this.#palette);
      this.#inks.set(sgr, ink);
    }
    return ink;
  }
}

/** Pictures in half blocks have more colors than that. */
const MOST_INKS = 2000;

function inkOf(sgr: string, palette: Palette): Ink {
  const look = lookOf(sgr, palette);
  let [text, ground] = [look.foreground ?? palette.foreground, look.background ?? palette.background];
  if (look.attributes.has(INVERSE)) [text, ground] = [ground, text];
  return {
    ground: ground === palette.background ? undefined : hex(ground),
    text: look.attributes.has(INVISIBLE) ? undefined : hex(legible(text, ground, CONTRAST)),
    isBold: look.attributes.has(BOLD),
  };
}

/** So many rows, with the cursor or the last line that has text. */
function partOf({ rows, cursor }: Mirror, most: number): readonly MirrorRow[] {
  if (rows.length <= most) return rows;
  const used = rows.findLastIndex(({ runs }) => runs.some(([text]) => text.trim() !== '')) + 1;
  const end = Math.max(Math.min(rows.length, Math.max(used, cursor.visible ? cursor.row + 1 : 0)), most);
  return rows.slice(end - most, end);
}
