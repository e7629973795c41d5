/** The characters of a run, each with the cells that it covers. */
import type { MirrorRun } from './mirror.js';

export interface MirrorCell {
  readonly text: string;
  readonly width: number;
}

export function runCells([text, , cells = 0]: MirrorRun): MirrorCell[] {
  const codePoints = Array.from(text);
  if (cells === 0) return codePoints.map((one) => ({ text: one, width: 1 }));
  if (cells === 2 * codePoints.length) return codePoints.map((one) => ({ text: one, width: 2 }));
  return [{ text, width: cells }];
}
