/** A range of `text` by the lasting number of its first row, which stays what it is while more is printed. */
import { T4aError } from '../../protocol/errors.js';
import type { Params } from '../../protocol/registry.js';
import type { ReadableLines } from '../../vt/readable-lines.js';
import type { CountedFromBottom } from '../../vt/region.js';

const DEFAULT_MAX_LINES = 1000;

/** @throws T4aError invalid_field */
export function assertNumbered(params: Params<'text'>): void {
  const { from_line: fromLine, max_lines: maxLines } = params;
  if (params.format === 'runs' && params.join_wrapped) {
    throw wrong('join_wrapped', '"join_wrapped" of "text" does not go with the format "runs", which has rows.');
  }
  if (fromLine === undefined) {
    if (maxLines !== undefined) throw wrong('max_lines', '"max_lines" of "text" needs "from_line".');
    return;
  }
  const other = (['start', 'end', 'last', 'command'] as const).find((field) => params[field] !== undefined);
  if (other !== undefined) throw wrong(other, `"${other}" of "text" does not go with "from_line".`);
}

/** @param total lines that are kept @returns also the number of lines that are kept no more */
export function numberedRange(
  screen: ReadableLines,
  { from_line: fromLine = 0, max_lines: maxLines = DEFAULT_MAX_LINES }: Params<'text'>,
  total: number,
): CountedFromBottom & { readonly lost: number } {
  const from = fromLine - screen.firstShownNumber;
  const first = Math.min(Math.max(0, from), total);
  const end = Math.min(Math.max(0, from + maxLines), total);
  return { start: total - end, end: total - first, lost: Math.min(Math.max(0, -from), maxLines) };
}

function wrong(field: string, message: string): T4aError {
  return new T4aError('invalid_field', message, {
    field,
    hint: 'Give one range: by "from_line", or by "start" and "end".',
  });
}
