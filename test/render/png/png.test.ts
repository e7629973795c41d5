import * as fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, expect, test } from 'vitest';
import { adler32, combineAdler32 } from '../../../src/render/png/checksums.js';
import type { EncodedPng } from '../../../src/render/renderer.js';
import type { SnapshotRow } from '../../../src/vt/snapshot.js';
import { itNeeds, requireProgram } from '../../support/programs.js';
import { pixelsHash, seenByChromium } from '../support/chromium.js';
import { bytesOf, pixelsOf } from '../support/pixels.js';
import { cursorAt, indexed, rgb, rowOf, type Run, screenOf } from '../support/screen.js';
import { newRenderer, OPTIONS } from '../support/test-renderer.js';

const directory = mkdtempSync(join(tmpdir(), 't4a-png-'));
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));

const COLS = 30;
const blank = rowOf(COLS, []);

/** One picture of every bit depth and palette mode, with what it is meant to be. */
const SCREENS: readonly (readonly [what: string, depth: number, colorType: number, lines: readonly SnapshotRow[]])[] = [
  ['two colours', 1, 3, [blank, rowOf(COLS, [['████']])]],
  [
    'four colours',
    2,
    3,
    [
      rowOf(COLS, [
        ['████', { fg: rgb(0xff0000) }],
        ['██', { fg: rgb(0x00ff00), bg: rgb(0x0000ff) }],
      ]),
    ],
  ],
  ['sixteen levels', 4, 3, [rowOf(COLS, [['plain text']]), blank]],
  ['many pens', 8, 3, Array.from({ length: 8 }, (_, y) => rowOf(COLS, [[`pen ${y}`, { fg: indexed(y) }], [' ├──┤']]))],
  ['folded levels', 8, 3, Array.from({ length: 30 }, (_, y) => rowOf(COLS, [['fold', { fg: indexed(40 + 5 * y) }]]))],
  [
    'truecolour',
    8,
    2,
    Array.from({ length: 9 }, (_, y) =>
      rowOf(
        COLS,
        Array.from({ length: COLS }, (_, x): Run => ['▀', { fg: rgb(x * 80_000 + y), bg: rgb(y * 700_001 + x) }]),
      ),
    ),
  ],
];

/** Each as painted at once, and as put together after one row changed, with and without a border. */
function pictures(): readonly (readonly [string, EncodedPng, number, number])[] {
  return SCREENS.flatMap(([what, depth, colorType, lines]) =>
    [0, 3].flatMap((pad) => {
      const renderer = newRenderer();
      const options = { ...OPTIONS, pad, cursor: depth === 8 };
      const cursor = cursorAt(0, 1);
      const first = renderer.render(screenOf(lines, { cursor }), options);
      renderer.render(screenOf(lines.with(0, blank), { cursor }), options);
      const again = renderer.render(screenOf(lines, { cursor }), options);
      return [
        [`${what}, pad ${pad}`, first, depth, colorType] as const,
        [`${what}, pad ${pad}, put together`, again, depth, colorType] as const,
      ];
    }),
  );
}

test('every bit depth and palette mode occurs in these pictures', () => {
  for (const [what, picture, depth, colorType] of pictures()) {
    const png = bytesOf(picture);
    const incremental = what.endsWith('together');
    expect(png[25], what).toBe(colorType);
    if (incremental) expect(png[24], what).toBeGreaterThanOrEqual(depth);
    else expect(png[24], what).toBe(depth);
  }
});

itNeeds('python3')('libspng, Skia and zlib by hand read the same pixels from every picture', async () => {
  const all = pictures();
  const byHand = byPython(all.map(([, picture]) => bytesOf(picture)));
  for (const [at, [what, picture]] of all.entries()) {
    const expected = (await pixelsOf(picture)).rgb;
    expect(hashOf(bySkia(await loadImage(bytesOf(picture)))), `Skia: ${what}`).toBe(pixelsHash(expected));
    expect(hashOf(byHand[at]!), `zlib: ${what}`).toBe(pixelsHash(expected));
  }
});

itNeeds('chromium')('Chromium reads the same pixels too', async () => {
  const all = pictures();
  const hashes = await Promise.all(all.map(async ([, picture]) => pixelsHash((await pixelsOf(picture)).rgb)));
  const pngs = all.map(([, picture]) => bytesOf(picture));
  expect(seenByChromium(requireProgram('chromium'), pngs, directory)).toEqual(hashes);
});

test('Adler-32 equals that of zlib, and joins', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 9000 }), fc.uint8Array({ maxLength: 100 }), (first, second) => {
      const joined = Buffer.concat([first, second]);
      expect(combineAdler32(adler32(first), adler32(second), second.length)).toBe(adler32(joined));
    }),
  );
  // RFC 1950 has no test vectors; this one is well known.
  expect(adler32(Buffer.from('Wikipedia'))).toBe(0x11e60398);
  expect(adler32(new Uint8Array(100_000).fill(255))).toBe(0x149a_302c);
});

function bySkia(image: Awaited<ReturnType<typeof loadImage>>): Uint8Array {
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return context
    .getImageData(0, 0, image.width, image.height)
    .data.filter((_, at) => at % 4 !== 3) as unknown as Uint8Array;
}

/** In one process, which takes longer to start than to read a picture. */
function byPython(pngs: readonly Buffer[]): Uint8Array[] {
  const paths = pngs.map((png, at) => {
    const path = join(directory, `picture-${at}.png`);
    writeFileSync(path, png);
    return path;
  });
  const script = fileURLToPath(new URL('../support/decode_png.py', import.meta.url));
  execFileSync('python3', [script, ...paths]);
  return paths.map((path) => readFileSync(`${path}.rgb`));
}

function hashOf(bytes: Uint8Array): string {
  return pixelsHash(
    Uint32Array.from(
      { length: bytes.length / 3 },
      (_, at) => (bytes[at * 3]! << 16) | (bytes[at * 3 + 1]! << 8) | bytes[at * 3 + 2]!,
    ),
  );
}
