/** Coverage by pixel, and what can be done with it: find its ink, cut that out, draw it into a box of any size. */
export interface InkMask {
  readonly width: number;
  readonly height: number;
  /** 0..255 by pixel. */
  readonly alpha: Uint8Array;
}

/** In pixels from the upper left corner, also fractions of them. */
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
 * The rows of a cell out of a mask that has `margin` more above and below: ink in the margin is moved into the cell by whole
 * rows, so far as `most`, and is made lower after that.
 */
export function rowsWithin({ width, height, alpha }: InkMask, margin: number, most: number): Uint8Array {
  const box = inkBoxOf({ width, height, alpha });
  const [first, last] = [margin, height - margin];
  const down = box === undefined ? 0 : clamp(first - box.top, 0, most);
  const up = box === undefined ? 0 : clamp(box.bottom - last, 0, most);
  const start = first - down + up;
  const end = start + last - first;
  if (box === undefined || (box.top >= start && box.bottom <= end)) return alpha.slice(start * width, end * width);
  const ink = cutOut({ width, height, alpha }, box);
  const cell = { width, height: end - start, alpha: new Uint8Array(width * (end - start)) };
  const [top, bottom] = [Math.max(0, box.top - start), Math.min(cell.height, box.bottom - start)];
  drawInto(cell, ink, { left: box.left, right: box.right, top, bottom });
  return cell.alpha;
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
