/**
 * A renderer's own pictures of shapes alone: white on black, nothing beside them, one for each place of a cell between whole
 * pixels, across and down; and what they tell of it: which styles it draws like another, which characters it has no glyph for.
 */
import { ATTR_INVISIBLE, type Snapshot } from '../src/vt/snapshot.js';
import { type Pen, rgb, rowOf, screenOf } from '../test/render/support/screen.js';
import {
  channelsOf,
  difference,
  peakOf,
  type Raster,
  rasterOf,
  type Rgb,
  showsBox,
  type Template,
} from './render-cell-pixels.js';
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
  /** Pixels, or fractions of them. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** What stands for the default colours, 0xRRGGBB. */
  readonly foreground: number;
  readonly background: number;
  /** It cannot draw everything on black: shapes are learnt on its background. */
  readonly learnsOnBackground?: boolean;
  /** Its rasteriser draws dark ink thinner than light ink: shapes are learnt in greys as light as what was written. */
  readonly thins?: boolean;
  readonly draw: (snapshot: Snapshot) => Promise<Buffer>;
}

/** Where a cell is, and in which ink. */
export interface TemplatePlace {
  readonly row: number;
  readonly col: number;
  readonly fg: Rgb;
}

/** As many rows as a screen has: a picture of very many colours may have to make do with fewer. */
const LEARNING_ROWS = 24;
const WHITE = 0xffffff;
/** Of 0 to 255: greys that a rasteriser draws as thin as each other. */
const SHADE_STEP = 32;
const WHITE_SHADE = 255;
const FIRST: TemplatePlace = { row: 0, col: 0, fg: channelsOf(WHITE) };
const MOST_PERIOD = 20;
const LEAST_INK = 0.15;
/** Root mean square of coverage below which two pictures are the same. */
const SAME = 0.02;

export class CellTemplates {
  readonly #renderer: CellRenderer;
  /** Cells until a cell begins at a whole pixel again. */
  readonly #period: number;
  readonly #rowPeriod: number;
  readonly #templates = new Map<string, Template>();

  constructor(renderer: CellRenderer) {
    this.#renderer = renderer;
    this.#period = periodOf(renderer.cellWidth);
    this.#rowPeriod = periodOf(renderer.cellHeight);
  }

  async learn(some: readonly (Shape & Partial<TemplatePlace>)[]): Promise<void> {
    const shapes = [...some, ...some.flatMap(poorerThan), ...referenceShapes()];
    const wanted = new Map(
      shapes.flatMap((shape) => [shape, { ...shape, pen: {} }]).map((each) => [keyOf(each), each]),
    );
    const shades = new Set([FIRST, ...some].map(({ fg }) => this.#shadeOf(fg ?? FIRST.fg)));
    for (const shade of shades) await this.#learnIn(shade, [...wanted.values()]);
  }

  async #learnIn(shade: number, shapes: readonly Shape[]): Promise<void> {
    const alone = shapes.flatMap((shape) =>
      Array.from({ length: this.#period }, (_, phase) => ({ shape, phase, key: `${keyOf(shape)} ${shade} ${phase}` })),
    );
    const unknown = alone.filter(({ key }) => !this.#templates.has(`${key} 0`));
    const cols = 2 * this.#period + 4;
    const pictures = Math.ceil(unknown.length / Math.floor(LEARNING_ROWS / this.#rowPeriod));
    const { learnsOnBackground = false, background } = this.#renderer;
    const ground = learnsOnBackground ? background : shade > 127 ? 0x000000 : WHITE;
    const pen = { fg: rgb(shade * 0x010101), ...(learnsOnBackground ? {} : { bg: rgb(ground) }) };
    const paper = channelsOf(ground);
    for (let picture = 0; picture < pictures; picture++) {
      // Dealt out like cards: emoji, of many colours each, stand together on the screen.
      const dealt = unknown.filter((_, at) => at % pictures === picture);
      const rows = dealt.flatMap(({ shape, phase }) => {
        const row = rowOf(cols, [[' '.repeat(this.#period + phase)], [shape.text, { ...shape.pen, ...pen }]]);
        return Array.from({ length: this.#rowPeriod }, () => row);
      });
      // Some leave out what is blank at the end.
      const raster = await rasterOf(await this.#renderer.draw(screenOf([...rows, rowOf(cols, [['end']])])));
      for (const row of rows.keys()) {
        const { shape, phase, key } = dealt[Math.floor(row / this.#rowPeriod)] ?? fail('more rows than shapes');
        const pixels = this.pixelsOf(raster, row, this.#period + phase, shape.width);
        if (pixels === undefined) throw new Error(`${this.#renderer.name} has not drawn row ${row} of ${rows.length}`);
        this.#templates.set(
          `${key} ${row % this.#rowPeriod}`,
          Float32Array.from(pixels, (value, at) => (value - (paper[at % 3] ?? 0)) / (shade - (paper[at % 3] ?? 0))),
        );
      }
    }
  }

  of(shape: Shape, { row, col, fg }: TemplatePlace): Template {
    const place = `${this.#shadeOf(fg)} ${col % this.#period} ${row % this.#rowPeriod}`;
    return this.#templates.get(`${keyOf(shape)} ${place}`) ?? fail(`${JSON.stringify(shape)} was not learnt`);
  }

  #shadeOf([red, green, blue]: Rgb): number {
    if (this.#renderer.thins !== true) return WHITE_SHADE;
    const luminance = red * 0.2126 + green * 0.7152 + blue * 0.0722;
    const step = Math.floor(luminance / SHADE_STEP);
    return (step + 1) * SHADE_STEP > WHITE_SHADE ? WHITE_SHADE : (step + 0.5) * SHADE_STEP;
  }

  /** Whole pixels of a row. */
  heightOf(row: number): number {
    const [top, bottom] = insideOf(row, 1, this.#renderer.cellHeight);
    return bottom - top;
  }

  /** What the renderer cannot show of a shape, even alone. */
  lostIn(shape: Shape): string | undefined {
    const { text, pen, width } = shape;
    const attrs = pen.attrs ?? 0;
    const own = this.of(shape, FIRST);
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
    const bare = this.of({ text, pen: {}, width }, FIRST);
    if (peakOf(bare) < LEAST_INK) return 'nothing drawn';
    if (this.#isMissing(bare, width)) return 'box for a missing character';
    const poorer = poorerThan(shape).map((each) => this.of(each, FIRST));
    return poorer.some((each) => difference(bare, each) < SAME) ? 'marks of a cluster' : undefined;
  }

  #shows(pen: Pen, other: Pen): boolean {
    const shown = SAMPLES.filter((text) => {
      const [one, two] = [pen, other].map((each) => this.of({ text, pen: each, width: 1 }, FIRST));
      return one !== undefined && two !== undefined && difference(one, two) >= SAME;
    });
    // A letter may hide the line that makes the difference.
    return shown.length * 2 > SAMPLES.length;
  }

  #isMissing(template: Template, width: number): boolean {
    return MISSING.slice(1, width + 1).some((texts, at) => {
      const boxes = texts.map((text) => this.of({ text, pen: {}, width: at + 1 }, FIRST));
      return showsBox(template, boxes, this.heightOf(0));
    });
  }

  /** Only whole pixels: at its sides a cell may share some with its neighbours. */
  pixelsOf({ data, width, height }: Raster, row: number, col: number, cells: number): Uint8Array | undefined {
    const [left, right] = insideOf(col, cells, this.#renderer.cellWidth);
    const [top, bottom] = insideOf(row, 1, this.#renderer.cellHeight);
    if (right > width || bottom > height) return undefined;
    const pixels = new Uint8Array((right - left) * (bottom - top) * 3);
    for (let y = top; y < bottom; y++) {
      const from = (y * width + left) * 3;
      pixels.set(data.subarray(from, from + (right - left) * 3), (y - top) * (right - left) * 3);
    }
    return pixels;
  }
}

function insideOf(cell: number, cells: number, size: number): readonly [from: number, to: number] {
  return [Math.ceil(cell * size - 1e-6), Math.floor((cell + cells) * size + 1e-6)];
}

function periodOf(size: number): number {
  const periods = Array.from({ length: MOST_PERIOD }, (_, at) => at + 1);
  return periods.find((cells) => isWhole(cells * size)) ?? fail(`cells of ${size} pixels never meet a whole pixel`);
}

function fail(reason: string): never {
  throw new Error(reason);
}

function isWhole(pixels: number): boolean {
  return Math.abs(pixels - Math.round(pixels)) < 1e-6;
}
