/** Colours as 0xRRGGBB numbers: mixing, luminance and contrast (WCAG 2.1, in sRGB). */

/** `share`/`whole` of `over` upon `under`, in sRGB: what the eye expects of antialiased text. */
export function mixColors(under: number, over: number, share: number, whole: number): number {
  const r = channel(under >> 16, over >> 16, share, whole);
  const g = channel(under >> 8, over >> 8, share, whole);
  const b = channel(under, over, share, whole);
  return (r << 16) | (g << 8) | b;
}

function channel(under: number, over: number, share: number, whole: number): number {
  const low = under & 0xff;
  return Math.round(low + (((over & 0xff) - low) * share) / whole);
}

/** Engines may disagree about the last bits of a power. */
const CERTAIN_DIGITS = 1e12;

/** Linear light of an sRGB byte: https://www.w3.org/TR/WCAG21/#dfn-relative-luminance */
const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255;
  const light = share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  return Math.round(light * CERTAIN_DIGITS) / CERTAIN_DIGITS;
});

export function luminance(rgb: number): number {
  return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8) + 0.0722 * linear(rgb);
}

function linear(value: number): number {
  return LINEAR[value & 0xff] ?? 0;
}

/** 1 (the same) to 21 (black on white). */
export function contrastRatio(a: number, b: number): number {
  const first = luminance(a);
  const second = luminance(b);
  return first > second ? (first + 0.05) / (second + 0.05) : (second + 0.05) / (first + 0.05);
}

/** `fg` itself, or the nearest colour on the way from it to white or black that reaches `ratio` upon `bg`. */
export function withContrast(fg: number, bg: number, ratio: number): number {
  if (contrastRatio(fg, bg) >= ratio) return fg;
  const end = contrastRatio(0xffffff, bg) >= contrastRatio(0, bg) ? 0xffffff : 0;
  let low = 0;
  let high = 255;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (contrastRatio(mixColors(fg, end, middle, 255), bg) >= ratio) high = middle;
    else low = middle + 1;
  }
  return mixColors(fg, end, high, 255);
}
