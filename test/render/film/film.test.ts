/** Films, decoded by another program: every frame has the pixels that were given. */
import * as fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { ApngEncoder } from '../../../src/render/film/apng.js';
import { changedArea, type FilmEncoder, type FilmSize } from '../../../src/render/film/film.js';
import { GifEncoder } from '../../../src/render/film/gif.js';
import { chunk, SIGNATURE } from '../../../src/render/png/image.js';
import { pngPixels } from '../../../src/render/film/png-pixels.js';
import { runsOf } from '../../support/trial.js';

/** The frames as an encoder takes them; the first is whole. */
function encode(encoder: FilmEncoder, size: FilmSize, frames: readonly Uint32Array[], frameMs = 100): Buffer {
  for (const [index, pixels] of frames.entries()) {
    const previous = frames[index - 1];
    const whole = { left: 0, top: 0, ...size };
    const area = previous === undefined ? whole : changedArea(previous, pixels, size);
    if (area !== undefined) encoder.add({ pixels, previous, area, atMs: index * frameMs });
  }
  return Buffer.concat(encoder.end(frames.length * frameMs));
}

function colorsOf(raw: Uint8Array, channels: number): number[] {
  return Array.from({ length: raw.length / channels }, (_, i) => {
    const at = i * channels;
    return ((raw[at] ?? 0) << 16) | ((raw[at + 1] ?? 0) << 8) | (raw[at + 2] ?? 0);
  });
}

async function gifFrames(gif: Buffer): Promise<number[][]> {
  const { pages = 1 } = await sharp(gif, { animated: true }).metadata();
  const frames: number[][] = [];
  for (let page = 0; page < pages; page++) {
    const { data, info } = await sharp(gif, { page }).raw().toBuffer({ resolveWithObject: true });
    frames.push(colorsOf(data, info.channels));
  }
  return frames;
}

/** Each frame as a PNG of its own, pasted over the ones before. */
async function apngFrames(apng: Buffer): Promise<number[][]> {
  const frames: number[][] = [];
  const [width, height] = [apng.readUInt32BE(16), apng.readUInt32BE(20)];
  const canvas = Array.from({ length: width * height }, () => 0);
  const colorType = apng[25] ?? 0;
  const palette: Uint8Array[] = [];
  let control: Buffer = Buffer.alloc(0);
  for (let at = 8; at < apng.length;) {
    const length = apng.readUInt32BE(at);
    const type = apng.toString('latin1', at + 4, at + 8);
    const body = apng.subarray(at + 8, at + 8 + length);
    if (type === 'PLTE') palette.push(body);
    if (type === 'fcTL') control = body;
    if (type === 'IDAT' || type === 'fdAT') {
      const [w, h, left, top] = [4, 8, 12, 16].map((offset) => control.readUInt32BE(offset)) as [
        number,
        number,
        number,
        number,
      ];
      const pixels = await readPng(
        { width: w, height: h, colorType, palette },
        type === 'IDAT' ? body : body.subarray(4),
      );
      for (let y = 0; y < h; y++)
        for (let x = 0; x < w; x++) canvas[(top + y) * width + left + x] = pixels[y * w + x] ?? 0;
      frames.push([...canvas]);
    }
    at += length + 12;
  }
  return frames;
}

interface PngParts extends FilmSize {
  readonly colorType: number;
  readonly palette: readonly Uint8Array[];
}

async function readPng({ width, height, colorType, palette }: PngParts, data: Uint8Array): Promise<number[]> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colorType], 8);
  const chunks = [chunk('IHDR', header), ...palette.map((bytes) => chunk('PLTE', bytes)), chunk('IDAT', data)];
  const png = Buffer.concat([SIGNATURE, ...chunks, chunk('IEND', new Uint8Array(0))]);
  return colorsOf(await sharp(png).toColourspace('srgb').removeAlpha().raw().toBuffer(), 3);
}

/** The frames that differ from the one before. */
const distinct = (frames: readonly Uint32Array[]): number[][] =>
  frames
    .filter((frame, i) => i === 0 || frame.some((rgb, at) => rgb !== frames[i - 1]?.[at]))
    .map((frame) => [...frame]);

const size = fc.record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 30 }) });

const film = (colors: fc.Arbitrary<number>): fc.Arbitrary<{ size: FilmSize; frames: Uint32Array[] }> =>
  size.chain((one) => {
    const count = one.width * one.height;
    const pixels = fc.array(colors, { minLength: count, maxLength: count }).map((list) => Uint32Array.from(list));
    return fc.array(pixels, { minLength: 1, maxLength: 4 }).map((frames) => ({ size: one, frames }));
  });

const fewColors = fc.constantFrom(0x101418, 0xffffff, 0xff0000, 0x00ff00, 0x123456);

describe('a GIF', () => {
  test('has the pixels of every frame, of a few colours', async () => {
    await fc.assert(
      fc.asyncProperty(film(fewColors), async (given) => {
        const gif = encode(new GifEncoder(given.size), given.size, given.frames);
        expect(await gifFrames(gif)).toEqual(distinct(given.frames));
      }),
      { numRuns: runsOf({ suite: 12, trial: 60 }) },
    );
  });

  test('has long runs and codes of all lengths, up to a full table', async () => {
    const own = { width: 400, height: 300 };
    let state = 1;
    const noise = Uint32Array.from({ length: own.width * own.height }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 16) % 250;
    });
    const flat = new Uint32Array(own.width * own.height).fill(7);
    const gif = encode(new GifEncoder(own), own, [noise, flat, noise]);
    expect(await gifFrames(gif)).toEqual([noise, flat, noise].map((frame) => [...frame]));
  });

  test('has every pixel where those that change have as many colours as fit, beside those that stay', async () => {
    const own = { width: 60, height: 40 };
    const flat = new Uint32Array(own.width * own.height).fill(0x101418);
    const some = flat.map((rgb, at) => (at % 7 === 0 && at < 255 * 7 ? at * 0x000305 + 1 : rgb));
    const gif = encode(new GifEncoder(own), own, [flat, some]);
    expect(await gifFrames(gif)).toEqual([flat, some].map((frame) => [...frame]));
  });

  test('of more colours than a table has keeps each channel within a few levels', async () => {
    const own = { width: 64, height: 64 };
    const many = Uint32Array.from({ length: 4096 }, (_, i) => ((i & 63) << 18) | ((i >> 6) << 10) | 0x40);
    const [frame = []] = await gifFrames(encode(new GifEncoder(own), own, [many]));
    const far = [16, 8, 0].map((shift) =>
      Math.max(...frame.map((rgb, i) => Math.abs(((rgb >> shift) & 0xff) - (((many[i] ?? 0) >> shift) & 0xff)))),
    );
    expect(Math.max(...far)).toBeLessThanOrEqual(43);
  });

  test('repeats, and its delays add up to the times of its frames', async () => {
    const own = { width: 2, height: 2 };
    const frames = Array.from({ length: 31 }, (_, i) => new Uint32Array(4).fill(i));
    const gif = encode(new GifEncoder(own), own, frames, 1000 / 30);
    const { delay = [], loop } = await sharp(gif, { animated: true }).metadata();
    expect(loop).toBe(0);
    expect(delay.every((ms) => ms === 30 || ms === 40)).toBe(true);
    expect(delay.reduce((sum, ms) => sum + ms, 0)).toBe(1030);
  });
});

describe('an animated PNG', () => {
  test.each([
    ['a few colours', fewColors, 3],
    ['any colours', fc.nat(0xffffff), undefined],
  ])('has the pixels of every frame, of %s', async (_name, colors, colorType) => {
    await fc.assert(
      fc.asyncProperty(film(colors), async (given) => {
        const apng = encode(new ApngEncoder(given.size), given.size, given.frames);
        expect(await apngFrames(apng)).toEqual(distinct(given.frames));
        expect(apng.readUInt32BE(apng.indexOf('acTL') + 4)).toBe(distinct(given.frames).length);
        if (colorType !== undefined) expect(apng[25]).toBe(colorType);
      }),
      { numRuns: runsOf({ suite: 9, trial: 40 }) },
    );
  });

  test('goes over to true colours when a later frame brings too many', async () => {
    const own = { width: 20, height: 20 };
    const few = Uint32Array.from({ length: 400 }, (_, i) => (i % 7) * 0x010203);
    const many = Uint32Array.from({ length: 400 }, (_, i) => i * 0x000321);
    const apng = encode(new ApngEncoder(own), own, [few, many, few]);
    expect(apng[25]).toBe(2);
    expect(await apngFrames(apng)).toEqual([few, many, few].map((frame) => [...frame]));
  });
});

test('the changed area is the smallest rectangle around all differences', () => {
  const own = { width: 12, height: 9 };
  const places = fc.array(fc.tuple(fc.nat(11), fc.nat(8)), { maxLength: 6 });
  fc.assert(
    fc.property(places, (changed) => {
      const before = new Uint32Array(own.width * own.height);
      const after = before.slice();
      for (const [x, y] of changed) after[y * own.width + x] = 1;
      const area = changedArea(before, after, own);
      const [xs, ys] = [changed.map(([x]) => x), changed.map(([, y]) => y)];
      const [left, top] = [Math.min(...xs), Math.min(...ys)];
      expect(area).toEqual(
        changed.length === 0
          ? undefined
          : { left, top, width: Math.max(...xs) - left + 1, height: Math.max(...ys) - top + 1 },
      );
    }),
  );
});

test.each([1, 2, 4, 8] as const)('pixels of a PNG with %i bits are read as they were written', async (depth) => {
  const width = 13;
  const indices = Buffer.from(Array.from({ length: width * 3 }, (_, i) => (i * 7) % 2 ** depth));
  const png = await sharp(indices, { raw: { width, height: 3, channels: 1 } })
    .png({ palette: true, colours: 2 ** depth, effort: 1 })
    .toBuffer();
  const decoded = colorsOf(await sharp(png).toColourspace('srgb').removeAlpha().raw().toBuffer(), 3);
  const filters = png[25] === 3;
  expect(filters).toBe(true);
  expect([...pngPixels(png).pixels]).toEqual(decoded);
});
