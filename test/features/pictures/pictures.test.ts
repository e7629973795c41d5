import { Parts } from '../../../src/base/parts.js';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { MarkedCapture } from '../../../src/features/pictures/capture.js';
import { type PictureReply, Pictures } from '../../../src/features/pictures/pictures.js';
import { Themes } from '../../../src/features/pictures/themes.js';
import { DEFAULT_CONFIG } from '../../../src/protocol/commands/config.js';
import type { Call } from '../../../src/rpc/service.js';
import { defaultPicture } from '../../../src/protocol/picture.js';
import { Random } from '../../../trials/support/random.js';
import { indexed, rgb, rowOf, screenOf } from '../../render/support/screen.js';
import { testCall } from '../../support/test-call.js';

const FONTS_DIR = fileURLToPath(new URL('../../../fonts/', import.meta.url));
const MEMORY = 64 << 20;
/** A quarter of it. */
const MOST_BYTES = MEMORY / 4;
const COUNT = 8;

function newPictures(): Pictures {
  const limits = { ...DEFAULT_CONFIG, max_memory_bytes: MEMORY };
  return new Pictures(FONTS_DIR, new Themes(DEFAULT_CONFIG), () => limits);
}

/** Of another terminal each time: nothing can be shared. */
function captureOf(cols: number, rows: number): MarkedCapture {
  const lines = Array.from({ length: rows }, (_, y) =>
    rowOf(cols, [[`${y} `.repeat(cols).slice(0, cols), { fg: indexed(y % 16) }]]),
  );
  return {
    terminal: new Parts(),
    snapshot: screenOf(lines),
    region: undefined,
    above: 0,
    marks: [],
    unchangedRows: undefined,
  };
}

function callOf(signal: AbortSignal): Call {
  return testCall({ signal });
}

function bytesOf({ bytes }: PictureReply): Buffer {
  return Buffer.concat(bytes);
}

it('the number of pictures drawn at once is bounded by memory', async () => {
  const pictures = newPictures();
  const large = { ...defaultPicture(), profile: 'exact' as const };
  const all = Promise.all(Array.from({ length: COUNT }, () => pictures.draw(captureOf(200, 50), large)));
  let done = false;
  const finished = all.finally(() => (done = true));
  let most = { drawing: 0, waiting: 0, bytes: 0 };
  while (!done) {
    const { drawing, waiting, bytes } = pictures.drawing;
    most = {
      drawing: Math.max(most.drawing, drawing),
      waiting: Math.max(most.waiting, waiting),
      bytes: Math.max(most.bytes, bytes),
    };
    await new Promise((resolve) => void setImmediate(resolve));
  }
  expect(most.bytes).toBeGreaterThan(MOST_BYTES / 4);
  expect(most.bytes).toBeLessThanOrEqual(MOST_BYTES);
  expect(most.drawing).toBe(2);
  expect(most.waiting).toBe(COUNT - 2);
  const drawn = await finished;
  expect(new Set(drawn.map((each) => bytesOf(each).toString('base64'))).size).toBe(1);
  expect(pictures.drawing).toEqual({ drawing: 0, waiting: 0, bytes: 0 });
});

it('drawing stops for a disconnected client, in the queue or half done', async () => {
  const pictures = newPictures();
  const large = { ...defaultPicture(), profile: 'exact' as const };
  const controllers = Array.from({ length: COUNT }, () => new AbortController());
  const outcomes = controllers.map(({ signal }) =>
    pictures.draw(captureOf(200, 50), large, callOf(signal)).then(
      () => 'drawn',
      (error: unknown) => String(error),
    ),
  );
  while (pictures.drawing.drawing === 0) await new Promise((resolve) => void setImmediate(resolve));
  for (const controller of controllers.slice(0, -1)) controller.abort('gone');
  expect(await Promise.all(outcomes)).toEqual([...Array<string>(COUNT - 1).fill('gone'), 'drawn']);
  expect(pictures.drawing).toEqual({ drawing: 0, waiting: 0, bytes: 0 });
});

it('pictures have the same bytes after caches were dropped, also in the middle of a picture', async () => {
  const pictures = newPictures();
  const small = captureOf(80, 24);
  const first = bytesOf(await pictures.draw(small, defaultPicture()));
  const kept = pictures.keptBytes;
  expect(kept.glyphs).toBeGreaterThan(0);
  expect(kept.pictures).toBeGreaterThan(0);
  pictures.dropCaches();
  expect(pictures.keptBytes).toEqual({ glyphs: 0, pictures: 0 });
  expect(bytesOf(await pictures.draw(small, defaultPicture())).equals(first)).toBe(true);

  const large = captureOf(200, 50);
  const exact = { ...defaultPicture(), profile: 'exact' as const };
  const whole = bytesOf(await newPictures().draw(large, exact));
  const halfDrawn = pictures.draw(large, exact);
  while (pictures.drawing.drawing === 0) await new Promise((resolve) => void setImmediate(resolve));
  pictures.dropCaches();
  expect(bytesOf(await halfDrawn).equals(whole)).toBe(true);
  expect(bytesOf(await pictures.draw(small, defaultPicture())).equals(first)).toBe(true);
});

it('pictures drawn at once keep no more memory than pictures drawn one after another', async () => {
  const pictures = newPictures();
  const human = { ...defaultPicture(), profile: 'human' as const };
  const drawn = await Promise.all(Array.from({ length: 5 }, () => pictures.draw(noiseCapture(), human)));
  const sizes = drawn.map((each) => bytesOf(each).length);
  expect(sizes.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(20 << 20);
  expect(pictures.keptBytes.pictures).toBeLessThanOrEqual((16 << 20) + Math.max(...sizes));
});

/** Letters in all colours, so that little of the picture is deflated away. */
function noiseCapture(): MarkedCapture {
  const random = new Random(1);
  const lines = Array.from({ length: 50 }, () =>
    rowOf(
      200,
      Array.from({ length: 200 }, () => [
        String.fromCharCode(0x21 + random.below(94)),
        { fg: rgb(random.below(1 << 24)), bg: rgb(random.below(1 << 24)) },
      ]),
    ),
  );
  return { ...captureOf(1, 1), snapshot: screenOf(lines) };
}
