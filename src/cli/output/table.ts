/** Aligned columns for people. Cells are made printable here, so that no caller can forget it. */
import { graphemesOf } from '../../base/graphemes.js';
import { printable } from './printable.js';

const GAP = '  ';

/** Colours a cell by its place; its width is that of the text. */
export type PaintCell = (text: string, row: number, column: number) => string;

/** Rows of equal length, the headings first. Lines are cut at `width`; the last column is not padded. */
export function formatTable(
  rows: readonly (readonly string[])[],
  width: number,
  paint: PaintCell = (text) => text,
): string {
  const cells = rows.map((row) => row.map((cell) => graphemes(printable(cell))));
  const columns = cells[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  return cells
    .map((row, y) => {
      const padded = row.map((cell, i) => cell.join('') + ' '.repeat((widths[i] ?? 0) - cell.length));
      const line = cutAt(padded.join(GAP).trimEnd(), width);
      return `${painted(line, row, widths, (text, column) => paint(text, y, column))}\n`;
    })
    .join('');
}

/** The line with its cells coloured where they stand, as far as they were not cut off. */
function painted(
  line: string,
  row: readonly (readonly string[])[],
  widths: readonly number[],
  paint: (text: string, column: number) => string,
): string {
  const characters = graphemes(line);
  let at = 0;
  return row
    .map((cell, column) => {
      const last = column === row.length - 1;
      const end = last ? characters.length : at + (widths[column] ?? 0) + GAP.length;
      const text = characters.slice(at, at + cell.length).join('');
      const rest = characters.slice(at + cell.length, end).join('');
      at = end;
      return (text === '' ? '' : paint(text, column)) + rest;
    })
    .join('');
}

/** `key  value` lines; the fields of an object within are named with a dot. */
export function formatFields(fields: Readonly<Record<string, unknown>>): string {
  const rows = flatten(fields, '');
  return formatTable(rows, Number.POSITIVE_INFINITY);
}

function flatten(fields: Readonly<Record<string, unknown>>, prefix: string): string[][] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return flatten(value as Record<string, unknown>, `${prefix}${key}.`);
    }
    return [[`${prefix}${key}`, typeof value === 'string' ? value : JSON.stringify(value)]];
  });
}

/** Counted as one column each, also where the terminal gives a wide one two: what follows then stands a column off. */
function graphemes(text: string): string[] {
  return [...graphemesOf(text)];
}

function cutAt(line: string, width: number): string {
  const characters = graphemes(line);
  return characters.length <= width ? line : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
