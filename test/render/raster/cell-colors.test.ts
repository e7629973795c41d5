import { describe, expect, test } from 'vitest';
import { contrastRatio, mixColors } from '../../../src/render/color.js';
import { CellColorRules, type ColorRules, ScreenColors } from '../../../src/render/raster/cell-colors.js';
import { ATTR_BOLD, ATTR_DIM, ATTR_INVERSE } from '../../../src/vt/snapshot.js';
import { indexed, rgb } from '../support/screen.js';
import { themeNamed } from '../support/test-renderer.js';

const NO_COLORS = {
  palette: new Map<number, number>(),
  foreground: undefined,
  background: undefined,
  cursor: undefined,
};
const theme = themeNamed('xterm');
const colors = new ScreenColors(theme, NO_COLORS, false);
const AS_TOLD: ColorRules = { minimumContrast: 1, boldAsBright: false, faded: false };
const rulesOf = (rules: Partial<ColorRules> = {}): CellColorRules =>
  new CellColorRules(colors, { ...AS_TOLD, ...rules });

const RED = 0xff0000;
const NAVY = 0x000030;

test('colours are those of the cell, and the defaults otherwise', () => {
  expect(rulesOf().resolve(rgb(RED), rgb(NAVY), 0, false)).toEqual({ fg: RED, bg: NAVY });
  expect(rulesOf().resolve(0, 0, 0, false)).toEqual({ fg: colors.foreground, bg: colors.background });
});

test('inverse swaps them, dim is three fifths of the way from the background', () => {
  expect(rulesOf().resolve(rgb(RED), rgb(NAVY), ATTR_INVERSE, false)).toEqual({ fg: NAVY, bg: RED });
  const dim = mixColors(NAVY, RED, 3, 5);
  expect(rulesOf().resolve(rgb(RED), rgb(NAVY), ATTR_DIM, false)).toEqual({ fg: dim, bg: NAVY });
  const both = rulesOf().resolve(rgb(RED), rgb(NAVY), ATTR_DIM | ATTR_INVERSE, false);
  expect(both).toEqual({ fg: mixColors(RED, NAVY, 3, 5), bg: RED });
});

describe('bold as bright', () => {
  const bright = rulesOf({ boldAsBright: true });

  test.each([0, 3, 7])('makes colour %i of bold text the one eight higher', (index) => {
    const { fg } = bright.resolve(indexed(index), 0, ATTR_BOLD, false);
    expect(fg).toBe(theme.ansi[index + 8]);
    expect(bright.resolve(indexed(index), 0, 0, false).fg).toBe(theme.ansi[index]);
    expect(rulesOf().resolve(indexed(index), 0, ATTR_BOLD, false).fg).toBe(theme.ansi[index]);
  });

  test('leaves all other colours unchanged', () => {
    for (const word of [indexed(8), indexed(15), indexed(16), indexed(200), rgb(3), 0]) {
      expect(bright.resolve(word, 0, ATTR_BOLD, false)).toEqual(rulesOf().resolve(word, 0, 0, false));
    }
  });

  test('applies to text, not to backgrounds', () => {
    expect(bright.resolve(rgb(RED), indexed(1), ATTR_BOLD, false).bg).toBe(theme.ansi[1]);
  });
});

describe('the contrast of text', () => {
  const legible = rulesOf({ minimumContrast: 4.5 });

  test('is at least the requested one, and 3 for dim text', () => {
    const { fg } = legible.resolve(rgb(NAVY), rgb(0), 0, false);
    expect(contrastRatio(fg, 0)).toBeGreaterThanOrEqual(4.5);
    const dim = legible.resolve(rgb(NAVY), rgb(0), ATTR_DIM, false);
    expect(contrastRatio(dim.fg, 0)).toBeGreaterThanOrEqual(3);
    expect(contrastRatio(dim.fg, 0)).toBeLessThan(3.3);
    const low = rulesOf({ minimumContrast: 2 }).resolve(rgb(NAVY), rgb(0), ATTR_DIM, false);
    expect(contrastRatio(low.fg, 0)).toBeLessThan(2.3);
  });

  test('of graphics is unchanged', () => {
    expect(legible.resolve(rgb(NAVY), rgb(0), 0, true)).toEqual({ fg: NAVY, bg: 0 });
    expect(legible.resolve(rgb(NAVY), rgb(0), ATTR_INVERSE, true)).toEqual({ fg: 0, bg: NAVY });
    expect(legible.resolve(rgb(NAVY), rgb(0), ATTR_DIM, true)).toEqual({ fg: mixColors(0, NAVY, 3, 5), bg: 0 });
    expect(legible.resolve(rgb(NAVY), rgb(0), 0, false)).not.toEqual({ fg: NAVY, bg: 0 });
  });

  test('of text that a program hides with equal colours stays none', () => {
    expect(legible.resolve(rgb(NAVY), rgb(NAVY), 0, false)).toEqual({ fg: NAVY, bg: NAVY });
    expect(legible.resolve(indexed(4), indexed(4), 0, false)).toEqual({ fg: theme.ansi[4], bg: theme.ansi[4] });
  });

  test('is raised for colours that are equal by chance', () => {
    const sameColors = new ScreenColors({ ...theme, foreground: NAVY, background: NAVY }, NO_COLORS, false);
    const same = new CellColorRules(sameColors, { ...AS_TOLD, minimumContrast: 4.5 });
    for (const [fgWord, bgWord] of [
      [0, 0],
      [rgb(NAVY), 0],
    ] as const) {
      const { fg, bg } = same.resolve(fgWord, bgWord, 0, false);
      expect(contrastRatio(fg, bg)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

test('faded colours are two fifths of the way from the default background, and no others', () => {
  const faded = rulesOf({ faded: true });
  const back = (color: number): number => mixColors(colors.background, color, 2, 5);
  expect(faded.resolve(rgb(RED), rgb(NAVY), 0, false)).toEqual({ fg: back(RED), bg: back(NAVY) });
  expect(faded.resolve(rgb(RED), rgb(NAVY), 0, true)).toEqual({ fg: back(RED), bg: back(NAVY) });
  expect(faded.fade(RED)).toBe(back(RED));
  expect(rulesOf().fade(RED)).toBe(RED);
});

test('equal pairs of colours share an answer, and each pair and each attribute has its own', () => {
  const all = rulesOf({ boldAsBright: true, minimumContrast: 4.5 });
  const ask = () =>
    [0, ATTR_BOLD, ATTR_DIM, ATTR_INVERSE].flatMap((attrs) =>
      [indexed(1), indexed(2), rgb(RED)].flatMap((word) =>
        [0, indexed(1)].flatMap((bg) => [false, true].map((graphic) => all.resolve(word, bg, attrs, graphic))),
      ),
    );
  const first = ask();
  expect(ask()).toEqual(first);
  const fresh = [0, ATTR_BOLD, ATTR_DIM, ATTR_INVERSE].flatMap((attrs) =>
    [indexed(1), indexed(2), rgb(RED)].flatMap((word) =>
      [0, indexed(1)].flatMap((bg) =>
        [false, true].map((graphic) =>
          rulesOf({ boldAsBright: true, minimumContrast: 4.5 }).resolve(word, bg, attrs, graphic),
        ),
      ),
    ),
  );
  expect(first).toEqual(fresh);
});
