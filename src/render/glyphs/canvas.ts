/**
 * The only user of @napi-rs/canvas, which is loaded by the first glyph and not before.
 * Every face is registered under a family of its own, so that Skia neither picks a sibling nor makes one up.
 */
import type * as CanvasModule from '@napi-rs/canvas';
import { join } from 'node:path';
import { loadCanvas } from './canvas-module.js';

export interface TextDrawing {
  readonly text: string;
  /** File in fonts/, without `.ttf`; it must have every character of the text. */
  readonly file: string;
  readonly emPixels: number;
  readonly slant: boolean;
  readonly width: number;
  readonly height: number;
  readonly baseline: number;
  /** Pixels to the right of where the text's advance is centred. */
  readonly shift: number;
  /** Factor by which a glyph is higher than its face has it. */
  readonly stretch: number;
  /** Shrink and move ink that does not fit into the box. Text keeps its place, symbols are fitted, neither shifted nor stretched. */
  readonly fit: boolean;
}

/** Pixels to the right for each upwards, where a face has no slanted sibling. */
export const SLANT = 0.2;

/** Path -> family. Skia's registry is one per process, so this is too. */
const families = new Map<string, string>();

let loaded = false;

/** Whether it has been: loading it starts a thread for each processor. */
export function canvasIsLoaded(): boolean {
  return loaded;
}

export class TextCanvas {
  readonly #fontsDir: string;
  #module: typeof CanvasModule | undefined;
  #canvas: CanvasModule.Canvas | undefined;
  #context: CanvasModule.SKRSContext2D | undefined;

  constructor(fontsDir: string) {
    this.#fontsDir = fontsDir;
  }

  /**
   * RGBA of the box. Text is white upon black, so red is the coverage: Skia thins dark text on light ground, and the
   * alpha of text on nothing depends on its colour too.
   */
  drawMask(drawing: TextDrawing): Uint8ClampedArray {
    const context = this.#prepare(drawing);
    context.fillStyle = '#000';
    context.fillRect(0, 0, drawing.width, drawing.height);
    context.fillStyle = '#fff';
    return this.#draw(context, drawing);
  }

  /** RGBA of the box, not premultiplied, of a glyph that brings its own colours. */
  drawColors(drawing: TextDrawing): Uint8ClampedArray {
    const context = this.#prepare(drawing);
    context.clearRect(0, 0, drawing.width, drawing.height);
    context.fillStyle = '#fff';
    return this.#draw(context, drawing);
  }

  #draw(context: CanvasModule.SKRSContext2D, drawing: TextDrawing): Uint8ClampedArray {
    const { text, width, height, baseline, shift, stretch, slant, fit } = drawing;
    context.font = `${drawing.emPixels}px "${this.#family(drawing.file)}"`;
    const ink = context.measureText(text);
    context.save();
    if (fit) {
      const inkWidth = ink.actualBoundingBoxLeft + ink.actualBoundingBoxRight;
      const inkHeight = ink.actualBoundingBoxAscent + ink.actualBoundingBoxDescent;
      const scale = Math.min(1, width / inkWidth, height / inkHeight);
      const top = clamp(baseline - ink.actualBoundingBoxAscent * scale, 0, height - inkHeight * scale);
      const left = (width - inkWidth * scale) / 2;
      context.translate(left + ink.actualBoundingBoxLeft * scale, top + ink.actualBoundingBoxAscent * scale);
      context.scale(scale, scale);
    } else {
      const squeeze = Math.min(1, (width * 1.001) / ink.width);
      context.translate((width - ink.width * squeeze) / 2 + shift, baseline);
      context.scale(squeeze, stretch);
    }
    if (slant) context.transform(1, 0, -SLANT, 1, 0, 0);
    context.fillText(text, 0, 0);
    context.restore();
    return context.getImageData(0, 0, width, height).data;
  }

  #prepare({ width, height }: TextDrawing): CanvasModule.SKRSContext2D {
    this.#module ??= loadCanvas();
    loaded = true;
    if (
      this.#context === undefined ||
      this.#canvas === undefined ||
      this.#canvas.width < width ||
      this.#canvas.height < height
    ) {
      this.#canvas = this.#module.createCanvas(Math.max(width, 64), Math.max(height, 64));
      this.#context = this.#canvas.getContext('2d');
    }
    return this.#context;
  }

  #family(file: string): string {
    const path = join(this.#fontsDir, `${file}.ttf`);
    const known = families.get(path);
    if (known !== undefined) return known;
    const family = `t4a-${families.size}-${file}`;
    if (!this.#module?.GlobalFonts.registerFromPath(path, family))
      throw new Error(`The font ${path} cannot be opened.`);
    families.set(path, family);
    return family;
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
