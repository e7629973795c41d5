/** A clip as an animated picture: its screens are drawn by the renderer, and an encoder gets what changes between them. */
import { T4aError } from '../protocol/errors.js';
import { ApngEncoder } from '../render/film/apng.js';
import { changedArea, type FilmEncoder, type FilmSize } from '../render/film/film.js';
import { GifEncoder } from '../render/film/gif.js';
import type { PictureOptions } from '../render/picture-options.js';
import { Canvas } from './canvas.js';
import { type RecordedClip, type ClipFrame, framesOf } from './clip.js';
import type { Exported } from './exported.js';

export interface FilmOptions extends PictureOptions {
  readonly fps: number;
  readonly onProgress?: ((share: number, frames: number) => void) | undefined;
}

/** A side; a GIF has 16 bits for it. */
const MAX_SIDE = 8192;
const MAX_FRAMES = 20_000;
/** Bound of the pixels of all frames: some minutes of drawing. */
const MAX_PIXELS = 10_000_000_000;
const MAX_BYTES = 256 * 1024 * 1024;
/** The last screen of a film that repeats stands at least this long. */
export const LAST_MS = 1500;

const ENCODERS: Readonly<Record<'gif' | 'apng', (size: FilmSize) => FilmEncoder>> = {
  gif: (size) => new GifEncoder(size),
  apng: (size) => new ApngEncoder(size),
};

export interface AnimationOptions extends FilmOptions {
  readonly format: 'gif' | 'apng';
  readonly fontsDir: string;
  readonly maxBytes?: number;
}

/** @throws T4aError image_too_large, export_too_large */
export async function filmOf(clip: RecordedClip, options: AnimationOptions): Promise<Exported> {
  const { maxBytes = MAX_BYTES } = options;
  await clip.begin();
  assertFilmSize(clip, options);
  const canvas = new Canvas(clip.grid(), options, options.fontsDir);
  const encoder = ENCODERS[options.format](canvas.size);
  const { width, height } = canvas.size;
  const whole = { left: 0, top: 0, width, height };
  let frames = 0;
  let lastMs = 0;
  for await (const { snapshot, atMs } of boundedFrames(clip, options, width * height)) {
    canvas.paint(snapshot);
    const { pixels, before } = canvas;
    const area = frames === 0 ? whole : changedArea(before, pixels, canvas.size);
    if (area === undefined) continue;
    encoder.add({ pixels, previous: frames === 0 ? undefined : before, area, atMs });
    frames++;
    lastMs = atMs;
    if (encoder.byteLength > maxBytes) throw tooLarge(`more than ${maxBytes} bytes`);
  }
  const durationMs = Math.max(clip.durationMs, lastMs + LAST_MS);
  return { chunks: encoder.end(durationMs), durationMs, frames, width, height };
}

/** The screens of a clip, as many as a film may have. @throws T4aError export_too_large */
export async function* boundedFrames(
  clip: RecordedClip,
  { fps, onProgress }: FilmOptions,
  pixelsOfFrame: number,
): AsyncGenerator<ClipFrame> {
  let frames = 0;
  for await (const frame of framesOf(clip, fps)) {
    if (++frames > MAX_FRAMES) throw tooLarge(`more than ${MAX_FRAMES} frames`);
    if (frames * pixelsOfFrame > MAX_PIXELS) throw tooLarge(`more than ${MAX_PIXELS} pixels in all of its frames`);
    onProgress?.(clip.durationMs === 0 ? 1 : Math.min(1, frame.atMs / clip.durationMs), frames);
    yield frame;
  }
}

/** Call it after `begin` of the clip. @throws T4aError image_too_large */
export function assertFilmSize(clip: RecordedClip, { cellWidth, cellHeight, pad }: PictureOptions): void {
  const { cols, rows } = clip.grid();
  const [width, height] = [cols * cellWidth + 2 * pad, rows * cellHeight + 2 * pad];
  if (Math.max(width, height) <= MAX_SIDE) return;
  throw new T4aError(
    'image_too_large',
    `The film would be ${width}x${height} pixels; the limit is ${MAX_SIDE} a side.`,
    {
      hint: 'Use a smaller "--scale".',
      field: 'scale',
    },
  );
}

function tooLarge(what: string): T4aError {
  return new T4aError('export_too_large', `The film would have ${what}.`, {
    hint: 'Use "--from" and "--to", a shorter "--idle", a lower "--fps" or a smaller "--scale".',
  });
}
