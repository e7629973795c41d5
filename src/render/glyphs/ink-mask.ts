/** Coverage by pixel, and what can be done with it: find its ink, cut that out, make it lower, draw it into a box of any size. */
export interface InkMask {
  readonly width: number;
  readonly height: number;
  /** 0..255 by pixel. */
  readonly alpha: Uint8Array;
}

/** Box in pixels from the upper left corner, also in fractions of them. */
export interface InkBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Less is the soft edge of ink that begins in the next pixel. */
const INK = 64;

export function inkBoxOf({ width, height, alpha }: InkMask): InkBox | undefined {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((alpha[y * width + x] ?? 0) < INK) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = y + 1;
    }
  }
  return left < right ? { left, top, right, bottom } : undefined;
}

export function cutOut({ width, alpha }: InkMask, { left, top, right, bottom }: InkBox): InkMask {
  const cut = new Uint8Array((right - left) * (bottom - top));
  for (let y = top; y < bottom; y++) {
    cut.set(alpha.subarray(y * width + left, y * width + right), (y - top) * (right - left));
  }
  return { width: right - left, height: bottom - top, alpha: cut };
}

/** Draws all of `ink` into `box` of `target`, each pixel by the area that it covers; the stronger of two stays. */
export function drawInto(target: InkMask, ink: InkMask, box: InkBox): void {
  const { width, alpha } = target;
  const scaleX = ink.width / (box.right - box.left);
  const scaleY = ink.height / (box.bottom - box.top);
  const lastX = Math.min(width, Math.ceil(box.right));
  const lastY = Math.min(target.height, Math.ceil(box.bottom));
  for (let y = Math.max(0, Math.floor(box.top)); y < lastY; y++) {
    for (let x = Math.max(0, Math.floor(box.left)); x < lastX; x++) {
      const share = meanOf(ink, (x - box.left) * scaleX, (y - box.top) * scaleY, scaleX, scaleY);
      alpha[y * width + x] = Math.max(alpha[y * width + x] ?? 0, Math.round(share));
    }
  }
}

/**
 * Less so many of its rows as leaves `rows`: each time one goes that is like the next, of two such the one with less ink, so
 * that bars keep their weight. What hinting has put upon rows stays upon them, as it does not when all of them are scaled.
 */
export function shortened({ width, height, alpha }: InkMask, rows: number): InkMask {
  const kept = Array.from({ length: height }, (_, y) => alpha.subarray(y * width, (y + 1) * width));
  while (kept.length > Math.max(1, rows)) {
    const losses = kept.slice(1).map((row, at) => lossOf(kept[at] ?? row, row));
    kept.splice(losses.indexOf(Math.min(...losses)), 1);
  }
  const result = new Uint8Array(width * kept.length);
  for (const [y, row] of kept.entries()) result.set(row, y * width);
  return { width, height: kept.length, alpha: result };
}

/**
 * The rows of a cell out of a mask that has `margin` more above and below. A letter whose ink reaches into the margin becomes
 * lower upon its baseline by up to `most` rows; what still does not fit is scaled.
 */
export function rowsWithin(mask: InkMask, margin: number, baseline: number, most: number): Uint8Array {
  const { width, height } = mask;
  const box = inkBoxOf(mask);
  const [first, last] = [margin, height - margin];
  if (box === undefined || (box.top >= first && box.bottom <= last))
    return mask.alpha.slice(first * width, last * width);
  const foot = clamp(baseline, box.top, box.bottom);
  const across = { left: 0, right: width };
  const rowsAbove = foot - box.top - clamp(first - box.top, 0, most);
  const rowsBelow = box.bottom - foot - clamp(box.bottom - last, 0, most);
  const above = shortened(cutOut(mask, { ...across, top: box.top, bottom: foot }), rowsAbove);
  const below = shortened(cutOut(mask, { ...across, top: foot, bottom: box.bottom }), rowsBelow);
  const cell = { width, height: last - first, alpha: new Uint8Array(width * (last - first)) };
  const standing = foot - first;
  drawInto(cell, above, { ...across, top: Math.max(0, standing - above.height), bottom: standing });
  drawInto(cell, below, { ...across, top: standing, bottom: Math.min(cell.height, standing + below.height) });
  return cell.alpha;
}

function lossOf(row: Uint8Array, next: Uint8Array): number {
  return row.reduce((sum, ink, x) => sum + Math.abs(ink - (next[x] ?? 0)) + ink / 2, 0);
}

/** The mean of a box of pixels, of which those outside of the mask are 0. */
function meanOf({ width, height, alpha }: InkMask, left: number, top: number, across: number, down: number): number {
  let sum = 0;
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, top + down); y++) {
    const shareY = Math.min(y + 1, top + down) - Math.max(y, top);
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, left + across); x++) {
      const shareX = Math.min(x + 1, left + across) - Math.max(x, left);
      sum += shareX * shareY * (alpha[y * width + x] ?? 0);
    }
  }
  return sum / (across * down);
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
