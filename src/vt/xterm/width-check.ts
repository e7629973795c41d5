/** The start-up check that widths are right in this very process: emoji, clusters, CJK, combining marks. */
import { Emulator } from './emulator.js';

/** Text, cells that it must cover, and how many characters a person would count. */
const SAMPLES: readonly (readonly [text: string, cells: number, clusters: number])[] = [
  ['a', 1, 1],
  ['\u00e9', 1, 1],
  ['e\u0301', 1, 1],
  ['\u{1f600}', 2, 1],
  ['\u2764', 1, 1],
  ['\u2764\ufe0f', 2, 1],
  ['1\ufe0f\u20e3', 2, 1],
  ['\u{1f44d}\u{1f3fd}', 2, 1],
  ['\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}', 2, 1],
  ['\u{1f1e9}\u{1f1ea}', 2, 1],
  ['\u{1f1e9}\u{1f1ea}\u{1f1eb}\u{1f1f7}', 4, 2],
  ['\u4e2d\u6587', 4, 2],
  ['\uff76\uff9e', 2, 1],
  ['\ud55c', 2, 1],
  ['\u1112\u1161\u11ab', 2, 1],
  ['\u0915\u094d\u0937', 2, 1],
];

/** @returns what is wrong, or undefined when every sample is right */
export function checkWidths(): string | undefined {
  const emulator = new Emulator({ cols: 20, rows: 1, scrollback: 0 });
  try {
    for (const [text, cells, clusters] of SAMPLES) {
      emulator.parse(`\x1bc${text}`);
      const { lines, x } = emulator.buffer;
      const found = occupiedCells(lines.get(0)?._data ?? new Uint32Array());
      if (x !== cells || found !== clusters) {
        const name = Array.from(text, (char) => `U+${char.codePointAt(0)?.toString(16).toUpperCase()}`).join(' ');
        return `${name} took ${x} cells as ${found} characters instead of ${cells} as ${clusters}`;
      }
    }
    return undefined;
  } finally {
    emulator.dispose();
  }
}

const RAW_HAS_CONTENT = 0x3f_ffff;

function occupiedCells(words: Uint32Array): number {
  let occupied = 0;
  for (let i = 0; i < words.length; i += 3) if (((words[i] ?? 0) & RAW_HAS_CONTENT) !== 0) occupied++;
  return occupied;
}
