/**
 * What is selected, as text: rows that were printed as one line are joined, without the blank in which a wide character did
 * not fit; blanks at the ends of lines are left out, as is what a terminal would act on.
 */
import type { DaemonConnection } from '../client/connection.js';
import type { MirrorRow } from '../mirror/mirror.js';
import { safeText } from '../mirror/safe-text.js';
import { lineCells, mayEndInGap } from './row-places.js';
import type { RowsPage, ScrollbackRows } from './scrollback-rows.js';
import { selectedColumns, ordered, type Selection } from './selection.js';

/** Bound in UTF-8. */
export const MAX_COPIED_BYTES = 64 * 1024;

/** Rows of one question. Each has a byte at least, its line break or a character. */
const PAGE_ROWS = 500;

export interface CopiedOptions {
  readonly connection: DaemonConnection;
  readonly id: string;
  readonly rows: ScrollbackRows;
  readonly cols: number;
}

/** Undefined: it is longer than {@link MAX_COPIED_BYTES}. @throws T4aError */
export async function copiedText(selection: Selection, options: CopiedOptions): Promise<string | undefined> {
  const { from, to } = ordered(selection);
  let text = '';
  let page = options.rows.page;
  // What is seen is copied as it is seen.
  if (from.line < page.from || to.line + 1 > page.from + page.rows.length) page = await pageFrom(from.line, options);
  for (let line = Math.max(from.line, page.from); line <= to.line; line++) {
    if (line + 1 >= page.from + page.rows.length && line < to.line) page = await pageFrom(line, options);
    const row = page.rows[line - page.from];
    if (row === undefined) break;
    const next = page.rows[line + 1 - page.from];
    const continues = line < to.line && next?.wrapped === true;
    const part = safeText(await partOf({ row, next, line, selection }, options));
    text += continues ? part : part.trimEnd();
    if (!continues && line < to.line) text += '\n';
    if (Buffer.byteLength(text) > MAX_COPIED_BYTES) return undefined;
  }
  return text.trimEnd();
}

function pageFrom(line: number, { rows }: CopiedOptions): Promise<RowsPage> {
  return rows.pageAt(line, PAGE_ROWS);
}

interface SelectedRow {
  readonly row: MirrorRow;
  readonly next: MirrorRow | undefined;
  readonly line: number;
  readonly selection: Selection;
}

async function partOf({ row, next, line, selection }: SelectedRow, options: CopiedOptions): Promise<string> {
  const { cols } = options;
  const { from, to } = selectedColumns(selection, line, cols) ?? { from: 0, to: 0 };
  const isPrinted = to >= cols && mayEndInGap(row, next, cols) && (await endsInBlank(row, line, options));
  let col = 0;
  let part = '';
  for (const { text, width } of [...lineCells(row, next, cols), ...(isPrinted ? [{ text: ' ', width: 1 }] : [])]) {
    if (col + width > from && col < to) part += text;
    col += width;
  }
  return part;
}

/** The daemon knows whether the last cell was printed. */
async function endsInBlank(row: MirrorRow, line: number, { connection, id, cols }: CopiedOptions): Promise<boolean> {
  const both = { from_line: line, max_lines: 2, join_wrapped: true };
  const { lines } = await connection.call('text', { id, ...both });
  const text = lineCells(row, undefined, cols).map((cell) => cell.text);
  return lines[0]?.startsWith(text.join('')) === true;
}
