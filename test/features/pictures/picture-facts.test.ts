import { Parts } from '../../../src/base/parts.js';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { MarkedCapture } from '../../../src/features/pictures/capture.js';
import { Pictures } from '../../../src/features/pictures/pictures.js';
import { Themes } from '../../../src/features/pictures/themes.js';
import { DEFAULT_CONFIG } from '../../../src/protocol/commands/config.js';
import { defaultPicture, type PictureParams } from '../../../src/protocol/picture.js';
import { screen } from '../../render/support/screen.js';
import { testCall } from '../../support/test-call.js';

const FONTS_DIR = fileURLToPath(new URL('../../../fonts/', import.meta.url));

function newPictures(fontsDir = FONTS_DIR, limits = {}): Pictures {
  return new Pictures(fontsDir, new Themes(DEFAULT_CONFIG), () => ({ ...DEFAULT_CONFIG, ...limits }));
}

const CAPTURE: MarkedCapture = {
  terminal: new Parts(),
  snapshot: screen(10, ['text', '', 'more'], { rev: 7 }),
  region: undefined,
  above: 0,
  marks: [],
  unchangedRows: undefined,
};

/** SVG needs no canvas. */
const svg = (fields: Partial<PictureParams> = {}): PictureParams => ({ ...defaultPicture(), format: 'svg', ...fields });

test('a picture is reported with its size in pixels and cells', async () => {
  const pictures = newPictures();
  expect(pictures.keptBytes).toEqual({ glyphs: 0, pictures: 0 });
  pictures.dropCaches();
  const { facts, bytes } = await pictures.draw(CAPTURE, svg({ pad: 5 }));
  expect(facts).toMatchObject({
    format: 'svg',
    width: 10 * 8 + 10,
    height: 3 * 16 + 10,
    cell_width: 8,
    cell_height: 16,
    cols: 10,
    rows: 3,
    rev: 7,
  });
  expect(facts.tokens).toBeDefined();
  expect(Buffer.concat(bytes).toString()).toContain('<svg');
  const region = { row: 0, col: 0, rows: 1, cols: 4 };
  const part = await pictures.draw({ ...CAPTURE, region }, svg());
  expect(part.facts).toMatchObject({ width: 4 * 8, height: 16, cols: 4, rows: 1 });
});

test('a picture is drawn in the requested theme, else in the configured one', async () => {
  const pictures = newPictures();
  const drawn = async (fields: Partial<PictureParams>): Promise<string> =>
    Buffer.concat((await pictures.draw(CAPTURE, svg(fields))).bytes).toString();
  expect(await drawn({})).toBe(await drawn({ theme: 'dark' }));
  expect(await drawn({})).not.toBe(await drawn({ theme: 'light' }));
  await expect(drawn({ theme: 'nonesuch' })).rejects.toThrow('There is no theme "nonesuch".');
});

test('a picture beyond the limits is refused', async () => {
  await expect(newPictures(FONTS_DIR, { max_image_side: 79 }).draw(CAPTURE, svg())).rejects.toThrow(
    expect.objectContaining({ code: 'image_too_large' }) as Error,
  );
});

test('a picture is not drawn before its client has read earlier replies', async () => {
  const pictures = newPictures();
  const asked: string[] = [];
  let behind = 2;
  const call = {
    ...testCall({ caughtUp: async () => void asked.push('caught up') }),
    get behind() {
      asked.push('behind?');
      return behind-- > 0;
    },
  };
  await pictures.draw(CAPTURE, svg(), call);
  expect(asked).toEqual(['caught up', 'behind?', 'caught up', 'behind?', 'caught up', 'behind?']);
  expect(pictures.drawing).toEqual({ drawing: 0, waiting: 0, bytes: 0 });
});

test('a picture needs its fonts', async () => {
  await expect(newPictures('/no/such/fonts').draw(CAPTURE, defaultPicture())).rejects.toThrow(
    expect.objectContaining({
      code: 'render_failed',
      message: expect.stringContaining('is incomplete') as string,
    }) as Error,
  );
});
