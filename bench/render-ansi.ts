/** A snapshot as the bytes that would draw it, for renderers that take bytes. */
import {
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_INVERSE,
  CELL_ATTRS,
  CELL_BG,
  CELL_FG,
  CELL_WORDS,
  COLOR_KIND_MASK,
  COLOR_PALETTE,
  COLOR_RGB,
  graphemeAt,
  type Snapshot,
  type SnapshotRow,
} from '../src/vt/snapshot.js';

export function ansiOf(snapshot: Snapshot): string {
  return snapshot.lines.map(lineOf).join('\r\n');
}

function lineOf(row: SnapshotRow): string {
  let line = '';
  let pen = '';
  for (let col = 0; col < row.cells.length / CELL_WORDS; col++) {
    const next = penAt(row, col);
    if (next !== pen) line += `\u001b[${next}m`;
    pen = next;
    line += graphemeAt(row, col) || ' ';
  }
  return `${line}\u001b[0m`;
}

function penAt(row: SnapshotRow, col: number): string {
  const at = col * CELL_WORDS;
  const attrs = row.cells[at + CELL_ATTRS] ?? 0;
  const codes = ['0'];
  if ((attrs & ATTR_BOLD) !== 0) codes.push('1');
  if ((attrs & ATTR_DIM) !== 0) codes.push('2');
  if ((attrs & ATTR_INVERSE) !== 0) codes.push('7');
  codes.push(...colorCodes(38, row.cells[at + CELL_FG] ?? 0), ...colorCodes(48, row.cells[at + CELL_BG] ?? 0));
  return codes.join(';');
}

function colorCodes(target: 38 | 48, word: number): string[] {
  const kind = word & COLOR_KIND_MASK;
  if (kind === COLOR_PALETTE) return [`${target};5;${word & 0xff}`];
  if (kind === COLOR_RGB) return [`${target};2;${(word >> 16) & 0xff};${(word >> 8) & 0xff};${word & 0xff}`];
  return [];
}
