/** A snapshot as the bytes that would draw it, for renderers that take bytes. */
import {
  ATTR_BLINK,
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
  ATTR_UNDERLINE_MASK,
  ATTR_UNDERLINE_SHIFT,
  ATTR_WIDTH_MASK,
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

const SGR_OF_ATTR: readonly (readonly [attr: number, code: string])[] = [
  [ATTR_BOLD, '1'],
  [ATTR_DIM, '2'],
  [ATTR_ITALIC, '3'],
  [ATTR_BLINK, '5'],
  [ATTR_INVERSE, '7'],
  [ATTR_INVISIBLE, '8'],
  [ATTR_STRIKETHROUGH, '9'],
  [ATTR_OVERLINE, '53'],
];

/** Characters are clusters (mode 2027), and the cursor ends where the snapshot has it. */
export function ansiOf({ lines, cursor }: Snapshot): string {
  const end = cursor.visible ? `\u001b[${cursor.row + 1};${cursor.col + 1}H` : '\u001b[?25l';
  return `\u001b[?2027h${lines.map(lineOf).join('\r\n')}${end}`;
}

function lineOf(row: SnapshotRow): string {
  let line = '';
  let pen = '';
  let plain = true;
  for (let col = 0; col < row.cells.length / CELL_WORDS; col++) {
    if (isSecondHalf(row, col)) continue;
    const next = penAt(row, col);
    if (next !== pen) line += `\u001b[${next}m`;
    pen = next;
    const text = graphemeAt(row, col) || ' ';
    const wasPlain = plain;
    plain = text >= ' ' && text <= '~';
    // Terminals differ in how wide clusters are: behind one, as before one, the column is named.
    line += plain && wasPlain ? text : `\u001b[${col + 1}G${text}`;
  }
  return `${line}\u001b[0m`;
}

function isSecondHalf(row: SnapshotRow, col: number): boolean {
  return ((row.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0) & ATTR_WIDTH_MASK) === 0;
}

function penAt(row: SnapshotRow, col: number): string {
  const at = col * CELL_WORDS;
  const attrs = row.cells[at + CELL_ATTRS] ?? 0;
  const codes = ['0', ...SGR_OF_ATTR.filter(([attr]) => (attrs & attr) !== 0).map(([, code]) => code)];
  const underline = (attrs & ATTR_UNDERLINE_MASK) >> ATTR_UNDERLINE_SHIFT;
  if (underline !== 0) codes.push(`4:${underline}`);
  codes.push(...colorCodes(38, row.cells[at + CELL_FG] ?? 0), ...colorCodes(48, row.cells[at + CELL_BG] ?? 0));
  codes.push(...colorCodes(58, row.underlineColors?.get(col) ?? 0));
  return codes.join(';');
}

function colorCodes(target: 38 | 48 | 58, word: number): string[] {
  const kind = word & COLOR_KIND_MASK;
  if (kind === COLOR_PALETTE) return [`${target};5;${word & 0xff}`];
  if (kind === COLOR_RGB) return [`${target};2;${(word >> 16) & 0xff};${(word >> 8) & 0xff};${word & 0xff}`];
  return [];
}
