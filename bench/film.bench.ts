/** What the encoders of films cost beside sharp's: CPU time of all threads, and bytes. Each gets the same pixels. */
import path from 'node:path';
import sharp from 'sharp';
import { Canvas } from '../src/playback/canvas.js';
import { recordedColors, themeNamed } from '../src/playback/colors.js';
import { ApngEncoder } from '../src/render/film/apng.js';
import { changedArea, type FilmEncoder, type FilmSize } from '../src/render/film/film.js';
import { GifEncoder } from '../src/render/film/gif.js';
import { DEFAULT_THEME } from '../src/render/theme.js';
import { Screen } from '../src/vt/screen.js';
import { untilParsed } from '../src/vt/parsing/until-parsed.js';
import { colouredLog } from './support/print-outs.js';
import { median, type BenchContext, type Figure } from './support/figure.js';

const GRID = { cols: 80, rows: 24 };
const FRAME_MS = 100;
const ROUNDS = 5;

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const { size, frames } = await session(path.join(root, 'fonts'));
  // Not counted: the compiler's work.
  encode(new GifEncoder(size), size, frames);
  encode(new ApngEncoder(size), size, frames);
  const bytes = rgbBytes(size, frames);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const gif = await cost(() => encode(new GifEncoder(size), size, frames));
    const apng = await cost(() => encode(new ApngEncoder(size), size, frames));
    rounds.push({ gif, apng, sharp: await cost(() => sharpGif(size, frames.length, bytes)) });
  }
  const [first] = rounds;
  if (first === undefined) throw new Error('no round was measured');
  const note = (cost: Cost): string => `${frames.length} frames, ${Math.round(cost.bytes / 1000)} kB`;
  return [
    {
      name: 'CPU time of a GIF, times that of the one by sharp with the least effort',
      value: median(rounds.map(({ gif, sharp: other }) => gif.cpuMs / other.cpuMs)),
      limit: 0.25,
      note: `${Math.round(median(rounds.map(({ gif }) => gif.cpuMs)))} ms against ${Math.round(median(rounds.map((round) => round.sharp.cpuMs)))} ms`,
    },
    { name: 'its bytes, times those', value: first.gif.bytes / first.sharp.bytes, limit: 1.1, note: note(first.gif) },
    {
      name: 'bytes of an animated PNG, times those of the GIF',
      value: first.apng.bytes / first.gif.bytes,
      limit: 0.8,
      note: `${note(first.apng)}, ${Math.round(median(rounds.map(({ apng }) => apng.cpuMs)))} ms`,
    },
  ];
}

interface Cost {
  readonly cpuMs: number;
  readonly bytes: number;
}

async function cost(act: () => Buffer | Promise<Buffer>): Promise<Cost> {
  const start = process.cpuUsage();
  const { length: bytes } = await act();
  const { user, system } = process.cpuUsage(start);
  return { cpuMs: (user + system) / 1000, bytes };
}

function encode(encoder: FilmEncoder, size: FilmSize, frames: readonly Uint32Array[]): Buffer {
  for (const [index, pixels] of frames.entries()) {
    const previous = frames[index - 1];
    const whole = { left: 0, top: 0, ...size };
    const area = previous === undefined ? whole : changedArea(previous, pixels, size);
    if (area !== undefined) encoder.add({ pixels, previous, area, atMs: index * FRAME_MS });
  }
  return Buffer.concat(encoder.end(frames.length * FRAME_MS));
}

function rgbBytes({ width, height }: FilmSize, frames: readonly Uint32Array[]): Uint8Array {
  const bytes = new Uint8Array(width * height * 3 * frames.length);
  let at = 0;
  for (const pixels of frames) {
    for (const rgb of pixels) {
      bytes[at++] = rgb >> 16;
      bytes[at++] = rgb >> 8;
      bytes[at++] = rgb;
    }
  }
  return bytes;
}

function sharpGif({ width, height }: FilmSize, frames: number, bytes: Uint8Array): Promise<Buffer> {
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const;
  return sharp(bytes, { raw, limitInputPixels: false })
    .gif({ effort: 1, dither: 0, delay: Array.from({ length: frames }, () => FRAME_MS) })
    .toBuffer();
}

/** An editor that scrolls, a word that is typed, output, meters that change in place. */
async function session(fontsDir: string): Promise<{ size: FilmSize; frames: Uint32Array[] }> {
  const theme = themeNamed(DEFAULT_THEME);
  const screen = new Screen({ ...GRID, scrollback: 0, colors: recordedColors(DEFAULT_THEME), version: 'bench' });
  const options = { cellWidth: 8, cellHeight: 16, pad: 0, cursor: true, theme };
  const canvas = new Canvas(GRID, options, fontsDir);
  const frames: Uint32Array[] = [];
  for (const step of steps()) {
    screen.write(Buffer.from(step));
    await untilParsed(screen);
    canvas.paint(screen.snapshot());
    frames.push(canvas.pixels.slice());
  }
  screen.dispose();
  return { size: canvas.size, frames };
}

const KEYWORDS = ['export', 'const', 'return', 'readonly', 'function', 'interface'];

function* steps(): Generator<string> {
  yield '\x1b[?1049h\x1b[2J';
  const code = (line: number): string =>
    `\x1b[33m${String(line).padStart(4)} \x1b[0m${' '.repeat((line % 3) * 2)}\x1b[1;35m${KEYWORDS[line % 6]}\x1b[0m name${(line * 7919) % 97} = \x1b[32m'value ${line}'\x1b[0m; \x1b[34m// ${'note '.repeat(line % 5)}\x1b[0m\x1b[K`;
  for (let top = 1; top <= 60; top++) {
    const rows = Array.from({ length: 23 }, (_, y) => `\x1b[${y + 1};1H${code(top + y)}`);
    yield `${rows.join('')}\x1b[24;1H\x1b[7m file.ts  ${top}/400 \x1b[K\x1b[0m\x1b[12;20H`;
  }
  for (let typed = 0; typed < 60; typed++)
    yield `${'abcdefghij'[typed % 10]}\x1b[s\x1b[24;12H\x1b[7m ${typed} \x1b[0m\x1b[u`;
  yield '\x1b[?1049l';
  const log = colouredLog(12_000).split('\n');
  for (let at = 0; at < log.length; at += 3) yield log.slice(at, at + 3).join('\r\n') + '\r\n';
  yield '\x1b[2J';
  for (let tick = 0; tick < 40; tick++) {
    const meters = Array.from({ length: 8 }, (_, y) => {
      const used = (tick * (y + 3)) % 50;
      return `\x1b[${y + 2};3H\x1b[36mCPU${y}\x1b[0m[\x1b[32m${'|'.repeat(used)}\x1b[31m${'|'.repeat(6)}\x1b[0m${' '.repeat(60 - used)}]`;
    });
    yield meters.join('');
  }
}
