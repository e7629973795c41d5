/** Rows as text for the clipboard: what the terminal has wrapped is one line, and blanks at the ends are left out. Pure. */

export interface TextRow {
  readonly text: string;
  /** The row continues the one above. */
  readonly wrapped: boolean;
}

/** @param from characters of the first row that are left out @param to characters of the last row that are taken */
export function joined(rows: readonly TextRow[], from: number, to: number): string {
  let text = '';
  for (const [i, row] of rows.entries()) {
    const part = row.text.slice(i === 0 ? from : 0, i === rows.length - 1 ? to : undefined);
    text = i === 0 ? part : row.wrapped ? text + part : `${text.trimEnd()}\n${part}`;
  }
  return text.trimEnd();
}
