/** A clip as a video, made by ffmpeg from frames at a constant rate. The program is the owner's own; t4a brings none. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { T4aError } from '../protocol/errors.js';
import { Canvas } from './canvas.js';
import type { RecordedClip } from './clip.js';
import type { Exported } from './exported.js';
import { assertFilmSize, boundedFrames, type FilmOptions, LAST_MS } from './film.js';

export type VideoFormat = 'mp4' | 'webm';

/** Encoders read even sizes and fewer colours than a screen has: text stays sharp at these rates. */
const CODECS: Readonly<Record<VideoFormat, readonly string[]>> = {
  mp4: ['-c:v', 'libx264', '-preset', 'medium', '-crf', '20', '-movflags', '+faststart'],
  webm: ['-c:v', 'libvpx-vp9', '-crf', '30', '-b:v', '0'],
};

const EVEN = 'pad=ceil(iw/2)*2:ceil(ih/2)*2';

/** Bound of what ffmpeg reports. */
const MAX_REPORT_LENGTH = 2000;

export interface VideoOptions extends FilmOptions {
  readonly format: VideoFormat;
  readonly fontsDir: string;
}

/** @throws T4aError unsupported, render_failed, image_too_large, export_too_large */
export async function videoOf(clip: RecordedClip, options: VideoOptions): Promise<Exported> {
  const { format, fps } = options;
  await clip.begin();
  assertFilmSize(clip, options);
  const canvas = new Canvas(clip.grid(), options, options.fontsDir);
  const { width, height } = canvas.size;
  const folder = await mkdtemp(join(tmpdir(), 't4a-export-'));
  const file = join(folder, `film.${format}`);
  try {
    const encoder = new Encoder(format, { width, height, fps, file });
    let frames = 0;
    let picture: Uint8Array = new Uint8Array(0);
    const fill = async (untilMs: number): Promise<void> => {
      for (const end = Math.round((untilMs * fps) / 1000); frames < end; frames++) await encoder.write(picture);
    };
    for await (const { snapshot, atMs } of boundedFrames(clip, options, width * height)) {
      await fill(atMs);
      canvas.paint(snapshot);
      picture = rgbOf(canvas.pixels);
    }
    const durationMs = Math.max(clip.durationMs, (frames * 1000) / fps + LAST_MS);
    await fill(durationMs);
    await encoder.end();
    return { chunks: [await readFile(file)], durationMs, frames, width, height };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function rgbOf(pixels: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(pixels.length * 3);
  let at = 0;
  for (const rgb of pixels) {
    bytes[at++] = rgb >> 16;
    bytes[at++] = rgb >> 8;
    bytes[at++] = rgb;
  }
  return bytes;
}

interface Input {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly file: string;
}

class Encoder {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #report = '';

  constructor(format: VideoFormat, { width, height, fps, file }: Input) {
    const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', String(fps), '-i', '-'];
    const out = ['-vf', EVEN, '-pix_fmt', 'yuv420p', ...CODECS[format], file];
    this.#child = spawn('ffmpeg', ['-nostdin', '-loglevel', 'error', ...raw, ...out], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#report = (this.#report + text.toString()).slice(-MAX_REPORT_LENGTH);
    });
    // Its end says more than that it reads no more.
    this.#child.stdin?.on('error', () => {});
    this.#ended = this.#end(format);
    this.#ended.catch(() => {});
  }

  /** Resolves once there is room for more. @throws T4aError if ffmpeg has ended */
  async write(picture: Uint8Array): Promise<void> {
    const { stdin } = this.#child;
    if (stdin === null || stdin.destroyed) return this.#ended;
    if (stdin.write(picture)) return;
    await Promise.race([once(stdin, 'drain'), this.#ended]);
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    await this.#ended;
  }

  async #end(format: VideoFormat): Promise<void> {
    try {
      const [code] = (await once(this.#child, 'close')) as [number | null];
      if (code === 0) return;
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
      throw new T4aError('unsupported', `A ${format} is made by ffmpeg, which is not on the PATH.`, {
        hint: 'apt-get install ffmpeg, or export a .gif or .html.',
        field: 'format',
      });
    }
    throw new T4aError('render_failed', `ffmpeg has made no ${format}: ${this.#report.trim() || 'no reason given'}`);
  }
}
