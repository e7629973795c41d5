import type { Cell } from './cell.js';
import type { Mask } from './mask.js';

/** Code points that are drawn by one rule from one table. */
export interface Family {
  has(codePoint: number): boolean;
  /** Called only for code points that the family has. */
  draw(codePoint: number, cell: Cell): Mask;
}
