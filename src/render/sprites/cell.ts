// The geometry that all sprites share. Neighbouring cells are drawn apart, so every position must follow from the
// cell's size alone: equal parts begin where `boundary` says, strokes lie where `centred` says, in all families.

export interface Cell {
  readonly width: number;
  readonly height: number;
  /** Thickness of a light stroke in pixels; heavy is two of them, double is stroke, gap, stroke. */
  readonly stroke: number;
}

/** Pixels `from` up to, not including, `to`. */
export interface Band {
  readonly from: number;
  readonly to: number;
}

/**
 * Where part `index` of `parts` equal parts begins. Rounded, but held one pixel off both edges: the left k/8 and the
 * right (8-k)/8 then tile at every size, and neither vanishes in a cell of four pixels.
 */
export function boundary(size: number, index: number, parts: number): number {
  if (index <= 0) return 0;
  if (index >= parts) return size;
  const rounded = Math.floor((2 * index * size + parts) / (2 * parts));
  return Math.min(Math.max(rounded, 1), size - 1);
}

/** Parts `from` up to `to` of `parts`, one pixel at least: an eighth of seven pixels has no pixel of its own. */
export function slice(size: number, from: number, to: number, parts: number): Band {
  const start = boundary(size, from, parts);
  return { from: start, to: Math.max(boundary(size, to, parts), start + 1) };
}

/** The middle `thickness` pixels; an odd rest goes to the far side, in every cell alike. */
export function centred(size: number, thickness: number): Band {
  const from = Math.max(0, Math.floor((size - thickness) / 2));
  return { from, to: Math.min(size, from + thickness) };
}

/** Middle of a light stroke across `size`: half a pixel off the cell's own middle when their parities differ. */
export function strokeCentre(size: number, stroke: number): number {
  return centred(size, stroke).from + stroke / 2;
}
