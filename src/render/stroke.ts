/** Thickness of lines in pixels: an eighth of the cell's width, the same as the light lines of box drawing. */
export function strokeOf(cellWidth: number): number {
  return Math.max(1, Math.round(cellWidth / 8));
}
