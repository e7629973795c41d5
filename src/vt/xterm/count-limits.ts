/**
 * Bounds on repeat counts. The library runs a loop as long as the number in the sequence: `CSI 2147483647 S` would hold
 * the process for an hour, `CSI 2147483647 b` would take 8 GB. Nothing changes after a screenful, so counts end there.
 */
import type { PatchTarget } from './patch-target.js';
import type { CountedOperation } from './internals.js';

const COUNTED: readonly (readonly [final: string, intermediates: string, operation: CountedOperation])[] = [
  ['L', '', 'insertLines'],
  ['M', '', 'deleteLines'],
  ['S', '', 'scrollUp'],
  ['T', '', 'scrollDown'],
  ['@', ' ', 'scrollLeft'],
  ['A', ' ', 'scrollRight'],
  ['}', "'", 'insertColumns'],
  ['~', "'", 'deleteColumns'],
  ['I', '', 'cursorForwardTab'],
  ['Z', '', 'cursorBackwardTab'],
  ['b', '', 'repeatPrecedingCharacter'],
];

export function limitCounts(emulator: PatchTarget): void {
  for (const [final, intermediates, operation] of COUNTED) {
    emulator.onCsi({ final, ...(intermediates === '' ? {} : { intermediates }) }, ([count]) => {
      const { cols, rows } = emulator.terminal;
      if (typeof count !== 'number') return false;
      const limit = operation === 'repeatPrecedingCharacter' ? repeatLimit(count, cols, rows) : Math.max(cols, rows);
      if (count <= limit) return false;
      return emulator.internals._inputHandler[operation]({ params: [limit], length: 1 });
    });
  }
}

/** A screenful, and as much of a row more as leaves the cursor in the column that the whole count would. */
function repeatLimit(count: number, cols: number, rows: number): number {
  const screenful = cols * rows;
  return screenful + (Math.max(0, count - screenful) % cols);
}
