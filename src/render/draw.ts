/** A picture in any format, painted or written in slices; WebP and JPEG are made from PNG on sharp's threads. */
import type Sharp from 'sharp';
import { T4aError } from '../protocol/errors.js';
import type { Snapshot } from '../vt/snapshot.js';
import type { PictureSize } from './cell-size.js';
import type { PictureOptions, Renderer } from './renderer.js';
import { inSlices } from './slices.js';

export { canvasIsLoaded } from './glyphs/canvas.js';

export const DRAWN_FORMATS = ['png', 'webp', 'jpeg', 'svg', 'html'] as const;
export type PictureFormat = (typeof DRAWN_FORMATS)[number];

export interface EncodedPicture {
  readonly format: PictureFormat;
  readonly chunks: readonly Uint8Array[];
  readonly byteLength: number;
  readonly width: number;
  readonly height: number;
}

/** Chroma at full resolution: coloured text on dark ground is smeared without. */
const JPEG = { quality: 90, chromaSubsampling: '4:4:4' } as const;
/** Exact pixels; more effort takes several times as long for a few per cent. */
const WEBP = { lossless: true, effort: 2 } as const;

/** @throws the signal's reason, once that is aborted */
export async function draw(
  renderer: Renderer,
  snapshot: Snapshot,
  options: PictureOptions,
  format: PictureFormat = 'png',
  terminal?: object,
  signal?: AbortSignal,
): Promise<EncodedPicture> {
  if (format === 'svg') return written(format, (await import('./vector/svg.js')).drawSvg(snapshot, options), signal);
  if (format === 'html') return written(format, (await import('./vector/html.js')).drawHtml(snapshot, options), signal);
  const picture = await renderer.renderInSlices(snapshot, options, terminal, signal);
  if (format === 'png') return picture;
  const sharp = await loadSharp(format);
  const image = sharp(Buffer.concat(picture.chunks));
  const bytes = await (format === 'webp' ? image.webp(WEBP) : image.jpeg(JPEG)).toBuffer();
  return { format, chunks: [bytes], byteLength: bytes.length, width: picture.width, height: picture.height };
}

/** An optional dependency, a fifth of the whole install: who wants PNG, SVG and HTML only may go without. */
async function loadSharp(format: PictureFormat): Promise<typeof Sharp> {
  try {
    const sharp = (await import('sharp')).default;
    // No picture is made twice.
    sharp.cache(false);
    return sharp;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new T4aError('render_failed', `A ${format} needs the package sharp, which cannot be loaded: ${reason}`, {
      hint: 'npm install sharp, or ask for png.',
      field: 'format',
    });
  }
}

function written(
  format: PictureFormat,
  pieces: Generator<string, PictureSize>,
  signal: AbortSignal | undefined,
): Promise<EncodedPicture> {
  return inSlices(encoded(format, pieces), signal);
}

function* encoded(format: PictureFormat, pieces: Generator<string, PictureSize>): Generator<void, EncodedPicture> {
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for (;;) {
    const piece = pieces.next();
    if (piece.done === true) return { format, chunks, byteLength, ...piece.value };
    const chunk = Buffer.from(piece.value);
    chunks.push(chunk);
    byteLength += chunk.length;
    yield;
  }
}
