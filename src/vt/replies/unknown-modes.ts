/**
 * Records modes that are set or reset and that neither the library nor this code supports: the library silently accepts
 * every mode.
 */
import type { Emulator } from '../xterm/emulator.js';
import { paramsText } from './queries.js';
import type { UnknownSequence } from './sequences.js';

/** The library's modes, and those of screen-modes.ts. */
const KNOWN_PRIVATE: ReadonlySet<unknown> = new Set([
  1, 2, 3, 5, 6, 7, 9, 12, 25, 45, 47, 66, 67, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 1047, 1048, 1049, 2004,
  2026, 2027,
]);
const KNOWN_ANSI: ReadonlySet<unknown> = new Set([4, 20]);

export function noteUnknownModes(emulator: Emulator, note: (sequence: UnknownSequence) => void): void {
  for (const final of ['h', 'l']) {
    for (const [prefix, known] of [
      ['?', KNOWN_PRIVATE],
      ['', KNOWN_ANSI],
    ] as const) {
      emulator.onCsi({ ...(prefix === '' ? {} : { prefix }), final }, (modes) => {
        const unknown = modes.filter((mode) => !known.has(mode));
        if (unknown.length > 0) note({ kind: 'csi', text: `${prefix}${paramsText(unknown)}${final}` });
        return false;
      });
    }
  }
}
