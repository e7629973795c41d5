/** The tables of docs/compatibility.md: a trial writes its row, and what is around it stays. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The first cell names the row; an empty cell was not tried. */
export type Row = readonly [name: string, ...cells: string[]];

export function writeRow(root: string, table: string, row: Row): void {
  const file = path.join(root, 'docs/compatibility.md');
  writeFileSync(file, withRow(readFileSync(file, 'utf8'), table, row));
}

/**
 * Replaces the row of that name in the table under the heading `### table`, or adds it at the end.
 * @throws Error where there is no such table, or it has another number of columns
 */
export function withRow(page: string, table: string, row: Row): string {
  const lines = page.split('\n');
  const heading = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === table);
  const head = heading < 0 ? -1 : lines.findIndex((line, at) => at > heading && line.startsWith('|'));
  if (head < 0) throw new Error(`docs/compatibility.md has no table under "${table}"`);
  const columns = cellsOf(lines[head] ?? '').length;
  if (columns !== row.length) throw new Error(`the table of ${table} has ${columns} columns, the row ${row.length}`);
  let end = head + 2;
  while (lines[end]?.startsWith('|') === true) end++;
  const same = lines.findIndex((line, at) => at >= head + 2 && at < end && cellsOf(line)[0] === row[0]);
  const written = `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  if (same < 0) lines.splice(end, 0, written);
  else lines[same] = written;
  return lines.join('\n');
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}
