/** What pictures leave behind is counted, and bounded however many sizes, characters and pictures there were. */
import { expect, test } from 'vitest';
import { GlyphAtlas } from '../../../src/render/glyphs/atlas.js';
import { Renderer } from '../../../src/render/renderer.js';
import { FONTS_DIR, OPTIONS } from '../support/test-renderer.js';
import { Random } from '../../../trials/support/random.js';
import type { Snapshot } from '../../../src/vt/snapshot.js';
import { rgb, rowOf, screenOf } from '../support/screen.js';

const LIMIT = 1024 * 1024;

test('glyphs of unused sizes are dropped like any unused glyph', () => {
  const atlas = new GlyphAtlas(FONTS_DIR, () => LIMIT);
  let drawn = 0;
  for (let width = 8; width <= 64; width += 4) {
    for (let code = 0x21; code < 0x7f; code++) {
      const { levels } = atlas.sheet(width, width * 2, 'single').glyph(code, 0);
      drawn += levels.length;
      expect(atlas.byteLength).toBeLessThanOrEqual(LIMIT);
    }
  }
  expect(drawn).toBeGreaterThan(2 * LIMIT);
});

test('finished parts of pictures are kept up to 16 MiB and the last picture', () => {
  const renderer = new Renderer({ fontsDir: FONTS_DIR });
  let drawn = 0;
  for (let count = 0; drawn <= 18 * 1024 * 1024; count++) {
    const picture = renderer.render(noise(count), { ...OPTIONS, cellWidth: 20, cellHeight: 40 }, {});
    drawn += picture.byteLength;
    expect(renderer.keptBytes.pictures).toBeLessThanOrEqual(16 * 1024 * 1024 + picture.byteLength);
  }
});

test.each([
  ['of one terminal', () => ({})],
  ['of rows without a terminal', () => undefined],
])('parts of pictures %s are kept once, however often it is drawn', (_, terminal) => {
  const renderer = new Renderer({ fontsDir: FONTS_DIR });
  const screen = noise(1);
  const owner = terminal();
  renderer.render(screen, OPTIONS, owner);
  const once = renderer.keptBytes.pictures;
  for (let count = 0; count < 5; count++) renderer.render(screen, OPTIONS, owner);
  expect(once).toBeGreaterThan(0);
  expect(renderer.keptBytes.pictures).toBe(once);
});

test('a picture painted beside another one of its terminal is not kept', async () => {
  const renderer = new Renderer({ fontsDir: FONTS_DIR });
  const terminal = {};
  const large = { ...OPTIONS, cellWidth: 20, cellHeight: 40 };
  const [sliced, ...beside] = await Promise.all(
    [1, 2, 3].map((seed) => renderer.renderInSlices(noise(seed), large, terminal)),
  );
  expect(beside).toHaveLength(2);
  expect(renderer.keptBytes.pictures).toBe(sliced?.byteLength);
  const after = renderer.render(noise(2), large, terminal);
  expect(Buffer.concat(after.chunks).equals(Buffer.concat(beside[0]?.chunks ?? []))).toBe(true);
  expect(renderer.keptBytes.pictures).toBe(after.byteLength);
});

/** Cells of all colours, so that little of it is deflated away. */
function noise(seed: number): Snapshot {
  const random = new Random(seed);
  const rows = Array.from({ length: 40 }, () =>
    rowOf(
      100,
      Array.from({ length: 100 }, () => [
        String.fromCharCode(0x21 + random.below(94)),
        { fg: rgb(random.below(1 << 24)), bg: rgb(random.below(1 << 24)) },
      ]),
    ),
  );
  return screenOf(rows);
}
