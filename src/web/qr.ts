/** A link as a QR code of half blocks, dark on light whatever the terminal's colors are. */
import { encode } from 'uqr';

const LIGHT_ON = '\x1b[38;2;0;0;0;48;2;255;255;255m';
const OFF = '\x1b[0m';

/** Two rows of modules a line, as upper and lower half blocks. */
const HALVES = [' ', '▄', '▀', '█'] as const;

export function qrLines(text: string): string[] {
  // Readers want a border of 4 modules; 2 are enough for all of today's.
  const { data, size } = encode(text, { ecc: 'L', border: 2 });
  const isDark = (row: number, col: number): boolean => data[row]?.[col] === true;
  return Array.from({ length: Math.ceil(size / 2) }, (_, i) => {
    const modules = Array.from({ length: size }, (_, col) => {
      const both = (isDark(2 * i, col) ? 2 : 0) + (isDark(2 * i + 1, col) ? 1 : 0);
      return HALVES[both];
    });
    return `${LIGHT_ON}${modules.join('')}${OFF}`;
  });
}
