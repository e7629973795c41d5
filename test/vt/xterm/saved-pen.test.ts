import { describe, expect, test } from 'vitest';
import * as S from '../../../src/vt/snapshot.js';
import { openScreen, show } from '../screens.js';

/** Style of the underline (3: curly), its colour, and the link of the first cell. */
async function penOf(text: string): Promise<{ style: number; color: number | undefined; link: string | undefined }> {
  const { lines } = await show(openScreen(), text);
  const row = lines[0]!;
  const style = ((row.cells[3] ?? 0) & S.ATTR_UNDERLINE_MASK) >> S.ATTR_UNDERLINE_SHIFT;
  return { style, color: row.underlineColors?.get(0), link: row.links?.get(0) };
}

const CURLY_RED = '\x1b[4:3m\x1b[58:2::255:0:0m';
const NOTHING = { style: 0, color: undefined, link: undefined };

describe.each([
  ['ESC 7 and ESC 8', '\x1b7', '\x1b8'],
  ['CSI s and CSI u', '\x1b[s', '\x1b[u'],
  ['mode 1048', '\x1b[?1048h', '\x1b[?1048l'],
])('%s', (_name, save, restore) => {
  test('restore the style and colour of the underline', async () => {
    expect(await penOf(`${CURLY_RED}${save}\x1b[0m${restore}x`)).toEqual({
      ...NOTHING,
      style: 3,
      color: S.COLOR_RGB | 0xff0000,
    });
  });

  test('restore a pen without an underline, even before SGR 59', async () => {
    expect(await penOf(`${save}${CURLY_RED}${restore}\x1b[59mx`)).toEqual(NOTHING);
  });

  test('keep a link that was opened in between', async () => {
    const link = 'http://a.example/';
    expect(await penOf(`${save}\x1b]8;;${link}\x07${restore}x`)).toEqual({ ...NOTHING, link });
  });
});

test('a restored cursor that was never saved has no underline', async () => {
  expect(await penOf(`${CURLY_RED}\x1b8\x1b[59mx`)).toEqual(NOTHING);
});

test('a soft reset drops the saved underline', async () => {
  expect(await penOf(`${CURLY_RED}\x1b7\x1b[!p\x1b8\x1b[59mx`)).toEqual(NOTHING);
});
