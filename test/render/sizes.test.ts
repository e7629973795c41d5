import { expect, test } from 'vitest';

import { cellSizeOfScale, PictureSizeError, PROFILES } from '../../src/render/cell-size.js';
import { THEMES } from '../../src/render/theme.js';
import { estimateTokens } from '../../src/render/costs.js';

test('scale is a percentage of a cell of 10x20 pixels', () => {
  expect(cellSizeOfScale(66)).toEqual({ cellWidth: 7, cellHeight: 14 });
  expect(cellSizeOfScale(80)).toEqual({ cellWidth: 8, cellHeight: 16 });
  expect(cellSizeOfScale(100)).toEqual({ cellWidth: 10, cellHeight: 20 });
});

test('a scale with an invalid cell is refused with the limits', () => {
  for (const scale of [0, 30, 700, -5, Number.NaN]) {
    expect(() => cellSizeOfScale(scale)).toThrow(PictureSizeError);
    expect(() => cellSizeOfScale(scale)).toThrow(/4 to 64/);
  }
});

test('every profile has a cell twice as high as wide', () => {
  for (const { cellWidth, cellHeight } of Object.values(PROFILES)) expect(cellHeight).toBe(cellWidth * 2);
});

test('tokens are counted in the patches of each family', () => {
  expect(estimateTokens(640, 384)).toEqual({ claude: 23 * 14, gpt: Math.ceil(20 * 12 * 1.2), gemini: 1090 });
  expect(estimateTokens(1, 1)).toEqual({ claude: 1, gpt: 2, gemini: 1090 });
});

test('every built-in theme has sixteen colours', () => {
  expect([...THEMES.keys()]).toEqual(['dark', 'light', 'tokyo-night', 'solarized', 'gruvbox', 'xterm']);
  for (const theme of THEMES.values()) expect(theme.ansi).toHaveLength(16);
});
