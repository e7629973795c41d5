import type { Cell } from './cell.js';
import { blankMask, type Mask } from './mask.js';

/**
 * A cell at eight times its resolution both ways, for everything that is not made of whole pixels.
 *
 * One bit per sample, eight samples of a row to a byte, so a byte is one pixel's share of a sample row. Shapes are
 * unions of spans: a sample is inked when its centre lies inside, edges being half open, so shapes that share an edge
 * neither overlap nor leave a gap. Only + - * / and sqrt are used, which IEEE 754 defines to the last bit.
 * Coordinates are pixels, from the cell's top left corner; what lies outside of the cell is cut off.
 */
export class Stencil {
  readonly #width: number;
  readonly #height: number;
  readonly #bits: Uint8Array;
  #erasing = false;

  constructor(cell: Pick<Cell, 'width' | 'height'>) {
    this.#width = cell.width;
    this.#height = cell.height;
    this.#bits = new Uint8Array(cell.width * cell.height * SAMPLES);
  }

  toMask(): Mask {
    const mask = blankMask(this.#width, this.#height);
    const { alpha } = mask;
    const rowBytes = this.#width * SAMPLES;
    for (let pixel = 0, y = 0; y < this.#height; y++) {
      for (let x = 0; x < this.#width; x++, pixel++) {
        let inked = 0;
        let at = y * rowBytes + x;
        for (let row = 0; row < SAMPLES; row++, at += this.#width) inked += BIT_COUNT[this.#bits[at] ?? 0] ?? 0;
        alpha[pixel] = (inked * 255 + SAMPLES_PER_PIXEL / 2) >> 6;
      }
    }
    return mask;
  }

  /** Runs `draw` with every shape taking ink away. */
  erase(draw: () => void): void {
    this.#erasing = true;
    draw();
    this.#erasing = false;
  }

  /** Leaves only the ink inside of the polygon. */
  keepPolygon(points: readonly number[]): void {
    const kept = new Stencil({ width: this.#width, height: this.#height });
    kept.polygon(points);
    for (let at = 0; at < this.#bits.length; at++) {
      this.#bits[at] = (this.#bits[at] ?? 0) & (kept.#bits[at] ?? 0);
    }
  }

  rect(left: number, top: number, right: number, bottom: number): void {
    const end = this.#rowFrom(bottom);
    for (let row = this.#rowFrom(top); row < end; row++) this.#span(row, left, right);
  }

  /** Filled polygon, `x0, y0, x1, y1, ...`, closed by itself; where it overlaps itself the even-odd rule holds. */
  polygon(points: readonly number[]): void {
    const edges = edgesOf(points);
    let top = Infinity;
    let bottom = -Infinity;
    for (const edge of edges) {
      top = Math.min(top, edge.top);
      bottom = Math.max(bottom, edge.bottom);
    }
    const crossings = new Float64Array(edges.length);
    const end = this.#rowFrom(bottom);
    for (let row = this.#rowFrom(top); row < end; row++) {
      const y = (row + 0.5) / SAMPLES;
      let count = 0;
      for (const edge of edges) {
        if (edge.top <= y && y < edge.bottom) insert(crossings, count++, edge.x + (y - edge.top) * edge.slope);
      }
      for (let i = 0; i < count; i += 2) this.#span(row, crossings[i] ?? 0, crossings[i + 1] ?? 0);
    }
  }

  /**
   * Stroked path. Ends on the cell's border run on past it, so that the border cuts them; ends inside are cut square;
   * corners are round.
   */
  polyline(points: readonly number[], thickness: number): void {
    const last = points.length - 2;
    const closed = points[0] === points[last] && points[1] === points[last + 1];
    for (let i = 0; i < last; i += 2) this.#segment(points.slice(i, i + 4), thickness);
    for (let i = closed ? 0 : 2; i < last; i += 2) {
      this.ellipse(points[i] ?? 0, points[i + 1] ?? 0, thickness / 2, thickness / 2);
    }
  }

  /** Ellipse with these radii, filled, or with a hole to leave an outline of `thickness` inside of it. */
  ellipse(x: number, y: number, radiusX: number, radiusY: number, thickness = Infinity, clip: Clip = EVERYWHERE): void {
    const holeX = Math.max(radiusX - thickness, 0);
    const holeY = Math.max(radiusY - thickness, 0);
    const end = this.#rowFrom(Math.min(y + radiusY, clip.bottom));
    for (let row = this.#rowFrom(Math.max(y - radiusY, clip.top)); row < end; row++) {
      const dy = (row + 0.5) / SAMPLES - y;
      const outer = halfChord(dy, radiusX, radiusY);
      const inner = halfChord(dy, holeX, holeY);
      this.#span(row, Math.max(x - outer, clip.left), Math.min(x - inner, clip.right));
      this.#span(row, Math.max(x + inner, clip.left), Math.min(x + outer, clip.right));
    }
  }

  #segment([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: readonly number[], thickness: number): void {
    const length = Math.sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0));
    if (length === 0) return;
    const alongX = ((x1 - x0) / length) * thickness;
    const alongY = ((y1 - y0) / length) * thickness;
    const acrossX = -alongY / 2;
    const acrossY = alongX / 2;
    // Two thicknesses past the border: at the flattest diagonal of a 1:2 cell both corners of the end are outside.
    const before = this.#onBorder(x0, y0) ? 2 : 0;
    const after = this.#onBorder(x1, y1) ? 2 : 0;
    const startX = x0 - alongX * before;
    const startY = y0 - alongY * before;
    const endX = x1 + alongX * after;
    const endY = y1 + alongY * after;
    this.polygon([
      startX + acrossX,
      startY + acrossY,
      endX + acrossX,
      endY + acrossY,
      endX - acrossX,
      endY - acrossY,
      startX - acrossX,
      startY - acrossY,
    ]);
  }

  #onBorder(x: number, y: number): boolean {
    return x <= 0 || y <= 0 || x >= this.#width || y >= this.#height;
  }

  /** First sample row whose centre is at or below `y`. */
  #rowFrom(y: number): number {
    return Math.min(Math.max(Math.ceil(y * SAMPLES - 0.5), 0), this.#height * SAMPLES);
  }

  #span(row: number, left: number, right: number): void {
    const from = Math.max(Math.ceil(left * SAMPLES - 0.5), 0);
    const last = Math.min(Math.ceil(right * SAMPLES - 0.5), this.#width * SAMPLES) - 1;
    if (from > last) return;
    const first = row * this.#width + (from >> 3);
    const final = row * this.#width + (last >> 3);
    const firstBits = (0xff << (from & 7)) & 0xff;
    const finalBits = 0xff >> (7 - (last & 7));
    if (first === final) {
      this.#put(first, firstBits & finalBits);
      return;
    }
    this.#put(first, firstBits);
    this.#bits.fill(this.#erasing ? 0 : 0xff, first + 1, final);
    this.#put(final, finalBits);
  }

  #put(at: number, bits: number): void {
    const before = this.#bits[at] ?? 0;
    this.#bits[at] = this.#erasing ? before & ~bits : before | bits;
  }
}

/** Pixels that a shape may touch. */
export interface Clip {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Samples per pixel and axis; eight, so that a byte is a pixel's row of samples. */
const SAMPLES = 8;
const SAMPLES_PER_PIXEL = SAMPLES * SAMPLES;
const EVERYWHERE: Clip = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
const BIT_COUNT = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let rest = byte; rest > 0; rest >>= 1) count += rest & 1;
  return count;
});

interface Edge {
  readonly top: number;
  readonly bottom: number;
  /** Place of the edge at `top`, and its change per pixel down. */
  readonly x: number;
  readonly slope: number;
}

/** Always taken from the upper end, so that an edge shared by two shapes is the same to the last bit in both. */
function edgesOf(points: readonly number[]): readonly Edge[] {
  const edges: Edge[] = [];
  for (let i = 0; i < points.length; i += 2) {
    const next = (i + 2) % points.length;
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = [points[i], points[i + 1], points[next], points[next + 1]];
    if (y0 < y1) edges.push({ top: y0, bottom: y1, x: x0, slope: (x1 - x0) / (y1 - y0) });
    if (y1 < y0) edges.push({ top: y1, bottom: y0, x: x1, slope: (x0 - x1) / (y0 - y1) });
  }
  return edges;
}

/** Puts `value` in its place among the first `count` numbers, which are in order. */
function insert(sorted: Float64Array, count: number, value: number): void {
  let at = count;
  for (; at > 0; at--) {
    const before = sorted[at - 1] ?? 0;
    if (before <= value) break;
    sorted[at] = before;
  }
  sorted[at] = value;
}

/** Half the width of an ellipse at `dy` from its centre. */
function halfChord(dy: number, radiusX: number, radiusY: number): number {
  const share = dy / radiusY;
  return radiusY > 0 && share > -1 && share < 1 ? radiusX * Math.sqrt(1 - share * share) : 0;
}
