/** Pixels of one row of cells: palette indices in bytes, or colours in words. */
export type PixelBuffer = Uint8Array | Uint32Array;

/** The lines of one row of cells as they are deflated, each with its filter byte. */
export interface ScanLines {
  readonly bytes: Uint8Array;
  /** Bytes of a line. */
  readonly stride: number;
  /** Start of a line's first cell. */
  readonly start: number;
  /** Bytes of a cell's part of a line, of several cells' or of a part of one: what repeats does so in units. 4 or more. */
  readonly unit: number;
  /** Runs of pixels are all there is to find: repetitions further back cost more than they save. */
  readonly flat: boolean;
}
