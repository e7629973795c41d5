// The ink of one cell, and the whole-pixel operations on it. What needs antialiasing is drawn on a Stencil first.

/** Alpha mask of one cell, row-major, `width * height` bytes, 0 = background, 255 = full ink. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly alpha: Uint8Array;
}

export const FULL_INK = 255;

export function blankMask(width: number, height: number): Mask {
  return { width, height, alpha: new Uint8Array(width * height) };
}

/** Sets the pixels of `[left, right) x [top, bottom)`, cut to the cell, to `ink`, whatever they were. */
export function setRect(
  mask: Mask,
  left: number,
  top: number,
  right: number,
  bottom: number,
  ink: number = FULL_INK,
): void {
  const from = Math.max(left, 0);
  const to = Math.min(right, mask.width);
  if (from >= to) return;
  const end = Math.min(bottom, mask.height);
  for (let y = Math.max(top, 0); y < end; y++) mask.alpha.fill(ink, y * mask.width + from, y * mask.width + to);
}

/** The ink where there was none and the reverse: a shape and its inverse add up to a full cell in every pixel. */
export function inverted(mask: Mask): Mask {
  return { ...mask, alpha: mask.alpha.map((ink) => FULL_INK - ink) };
}

/** The mask with all its ink thinned to `ink` of 255. */
export function shaded(mask: Mask, ink: number): Mask {
  return { ...mask, alpha: mask.alpha.map((full) => Math.floor((full * ink + 127) / FULL_INK)) };
}
