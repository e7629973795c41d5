/** Screens of a clip as pixels, all of one size: a smaller screen stands at the top left. */
import type { RecordedGrid } from '../history/recording/recording-event.js';
import type { FilmSize } from '../render/film/film.js';
import { pngPixels } from '../render/film/png-pixels.js';
import type { PictureOptions } from '../render/picture-options.js';
import { Renderer } from '../render/renderer.js';
import type { Snapshot } from '../vt/snapshot.js';

export class Canvas {
  readonly size: FilmSize;
  readonly #options: PictureOptions;
  readonly #renderer: Renderer;
  readonly #terminal = {};
  #pixels: Uint32Array;
  #before: Uint32Array;

  constructor(grid: RecordedGrid, options: PictureOptions, fontsDir: string) {
    const { cellWidth, cellHeight, pad } = options;
    this.size = { width: grid.cols * cellWidth + 2 * pad, height: grid.rows * cellHeight + 2 * pad };
    this.#options = options;
    this.#renderer = new Renderer({ fontsDir });
    this.#pixels = new Uint32Array(this.size.width * this.size.height);
    this.#before = new Uint32Array(this.#pixels.length);
  }

  get pixels(): Uint32Array {
    return this.#pixels;
  }

  /** Pixels of the paint before the last. */
  get before(): Uint32Array {
    return this.#before;
  }

  paint(snapshot: Snapshot): void {
    [this.#pixels, this.#before] = [this.#before, this.#pixels];
    const { chunks } = this.#renderer.render(snapshot, this.#options, this.#terminal);
    const picture = pngPixels(Buffer.concat(chunks));
    const { width } = this.size;
    if (picture.width === width && picture.pixels.length === this.#pixels.length) {
      this.#pixels.set(picture.pixels);
      return;
    }
    this.#pixels.fill(snapshot.colors.background ?? this.#options.theme.background);
    for (let y = 0; y < picture.height; y++) {
      this.#pixels.set(picture.pixels.subarray(y * picture.width, (y + 1) * picture.width), y * width);
    }
  }

  /** The last paint turned out to change nothing. */
  takeBack(): void {
    [this.#pixels, this.#before] = [this.#before, this.#pixels];
  }
}
