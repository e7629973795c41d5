import type { Present } from '../shapes.js';
import { formatTable } from '../table.js';
import { replyLine } from './fields.js';

/** For people: each field, its value, and where that comes from. */
export const presentConfig: Present = (answer, surroundings) => {
  const { sources, file, ...fields } = answer.reply as Record<string, unknown> & { sources?: Record<string, string> };
  if (!surroundings.stdoutIsTerminal || sources === undefined) return surroundings.out(replyLine(answer));
  const rows = Object.entries(fields).map(([field, value]) => [
    field,
    typeof value === 'string' ? value : JSON.stringify(value),
    sources[field] ?? '',
  ]);
  surroundings.out(formatTable(rows, surroundings.columns() ?? Number.POSITIVE_INFINITY));
  surroundings.note(`Its file: ${String(file)}\n`);
};
