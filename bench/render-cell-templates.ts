/**
 * A renderer's own pictures of shapes alone: white on black, nothing beside them, one for each place of a cell between whole
 * pixels; and what they tell of it: which styles it draws like another, which characters it has no glyph for.
 */
import { ATTR_INVISIBLE, type Snapshot } from '../src/vt/snapshot.js';
import { type Pen, rgb, rowOf, screenOf } from '../test/render/support/screen.js';
import { difference, peakOf, type Raster, rasterOf, showsBox, type Template } from './render-cell-pixels.js';
import {
  keyOf,
  LINES,
  MISSING,
  poorerThan,
  referenceShapes,
  SAMPLES,
  type Shape,
  STYLES,
  UNDERLINES,
} from './render-cell-shapes.js';

export interface CellRenderer {
  readonly name: string;
  /** Pixels; the width may be a fraction. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** What stands for the default colours, 0xRRGGBB. */
  readonly foreground: number;
  readonly background: number;
  readonly draw: (snapshot: Snapshot) => Promise<Buffer>;
}

/** As many rows as a screen has: a picture of very many colours may have to make do with fewer. */
const LEARNING_ROWS = 24;
const WHITE_ON_BLACK = { fg: rgb(0xffffff), bg: rgb(0x000000) };
const MOST_PERIOD = 20;
const LEAST_INK = 0.15;
/** Root mean square of coverage below which two pictures are the same. */
const SAME = 0.02;

export class CellTemplates {
  readonly #renderer: CellRenderer;
  /** Cells until a cell begins at a whole pixel again. */
  readonly #period: number;
  readonly #templates = new Map<string, Template>();

  constructor(renderer: CellRenderer) {
    this.#renderer = renderer;
    const periods = Array.from({ length: MOST_PERIOD }, (_, at) => at + 1);
    this.#period = periods.find((cells) => isWhole(cells * renderer.cellWidth)) ?? 0;
    if (this.#period === 0) throw new Error(`cells of ${renderer.cellWidth} pixels never meet a whole pixel`);
  }

  async learn(some: readonly Shape[]): Promise<void> {
    const shapes = [...some, ...some.flatMap(poorerThan), ...referenceShapes()];
    const wanted = new Map(
      shapes.flatMap((shape) => [shape, { ...shape, pen: {} }]).map((each) => [keyOf(each), each]),
    );
    const alone = [...wanted.values()].flatMap((shape) =>
      Array.from({ length: this.#period }, (_, phase) => ({ shape, phase, key: `${keyOf(shape)} ${phase}` })),
    );
    const unknown = alone.filter(({ key }) => !this.#templates.has(key));
    const cols = 2 * this.#period + 4;
    const pictures = Math.ceil(unknown.length / LEARNING_ROWS);
    for (let picture = 0; picture < pictures; picture++) {
      // Dealt out like cards: emoji, of many colours each, stand together on the screen.
      const dealt = unknown.filter((_, at) => at % pictures === picture);
      const rows = dealt.map(({ shape, phase }) =>
        rowOf(cols, [[' '.repeat(this.#period + phase)], [shape.text, { ...shape.pen, ...WHITE_ON_BLACK }]]),
      );
      // Some leave out what is blank at the end.
      const raster = await rasterOf(await this.#renderer.draw(screenOf([...rows, rowOf(cols, [['end']])])));
      for (const [row, { shape, phase, key }] of dealt.entries()) {
        const pixels = this.pixelsOf(raster, row, this.#period + phase, shape.width);
        if (pixels === undefined) throw new Error(`${this.#renderer.name} has not drawn row ${row} of ${dealt.length}`);
        this.#templates.set(
          key,
          Float32Array.from(pixels, (value) => value / 255),
        );
      }
    }
  }

  of(shape: Shape, col: number): Template {
    const template = this.#templates.get(`${keyOf(shape)} ${col % this.#period}`);
    if (template === undefined) throw new Error(`${JSON.stringify(shape)} was not learnt`);
    return template;
  }

  /** What the renderer cannot show of a shape, even alone. */
  lostIn(shape: Shape): string | undefined {
    const { text, pen, width } = shape;
    const attrs = pen.attrs ?? 0;
    const own = this.of(shape, 0);
    if ((attrs & ATTR_INVISIBLE) !== 0) return peakOf(own) < LEAST_INK ? undefined : 'invisible is seen';
    const lines = (attrs & LINES) !== 0 || (pen.underline ?? 0) !== 0;
    const blank = text === ' ';
    if (blank && !lines) return undefined;
    for (const [name, attr] of STYLES) {
      const shows = !blank || (attr & LINES) !== 0;
      if ((attrs & attr) !== 0 && shows && !this.#shows({ attrs: attr }, {})) return name;
    }
    const { underline = 0, underlineColor } = pen;
    const others = [0, ...UNDERLINES].filter((other) => other !== underline);
    if (underline !== 0 && !others.every((other) => this.#shows({ underline }, { underline: other })))
      return 'underline';
    if (underlineColor !== undefined && !this.#shows({ underline, underlineColor }, { underline }))
      return 'underline colour';
    if (blank) return undefined;
    const bare = this.of({ text, pen: {}, width }, 0);
    if (peakOf(bare) < LEAST_INK) return 'nothing drawn';
    if (this.#isMissing(bare, width)) return 'box for a missing character';
    const poorer = poorerThan(shape).map((each) => this.of(each, 0));
    return poorer.some((each) => difference(bare, each) < SAME) ? 'marks of a cluster' : undefined;
  }

  #shows(pen: Pen, other: Pen): boolean {
    const shown = SAMPLES.filter((text) => {
      const [one, two] = [pen, other].map((each) => this.of({ text, pen: each, width: 1 }, 0));
      return one !== undefined && two !== undefined && difference(one, two) >= SAME;
    });
    // A letter may hide the line that makes the difference.
    return shown.length * 2 > SAMPLES.length;
  }

  #isMissing(template: Template, width: number): boolean {
    return MISSING.slice(1, width + 1).some((texts, at) => {
      const boxes = texts.map((text) => this.of({ text, pen: {}, width: at + 1 }, 0));
      return showsBox(template, boxes, this.#renderer.cellHeight);
    });
  }

  /** Only whole pixels: at its sides a cell may share some with its neighbours. */
  pixelsOf({ data, width, height }: Raster, row: number, col: number, cells: number): Uint8Array | undefined {
    const { cellWidth, cellHeight } = this.#renderer;
    const left = Math.ceil(col * cellWidth - 1e-6);
    const right = Math.floor((col + cells) * cellWidth + 1e-6);
    if (right > width || (row + 1) * cellHeight > height) return undefined;
    const pixels = new Uint8Array((right - left) * cellHeight * 3);
    for (let y = 0; y < cellHeight; y++) {
      const from = ((row * cellHeight + y) * width + left) * 3;
      pixels.set(data.subarray(from, from + (right - left) * 3), y * (right - left) * 3);
    }
    return pixels;
  }
}

function isWhole(pixels: number): boolean {
  return Math.abs(pixels - Math.round(pixels)) < 1e-6;
}
