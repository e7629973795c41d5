import { T4aError } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import type { Screen } from '../../vt/screen.js';
import { readLines } from '../lines.js';
import type { Daemon } from '../daemon.js';

export const text =
  (daemon: Daemon): Handler<'text'> =>
  async (params) => {
    const terminal = daemon.terminals.use(params.id);
    await terminal.settle();
    const { screen } = terminal;
    const { first, total } = regionBounds(screen, params.region);
    const start = Math.min(params.start ?? 0, total);
    const end = Math.min(params.end ?? total, total);
    if (params.start !== undefined && params.end !== undefined && params.end < params.start) {
      throw new T4aError(
        'invalid_field',
        `"end" of "text" is ${params.end}: before "start", which is ${params.start}.`,
        {
          field: 'end',
          hint: 'Both count from the bottom: 0 and 5 are the last five lines.',
        },
      );
    }
    const { row, col, visible } = terminal.snapshot().cursor;
    return {
      lines: readLines(screen, first + total - end, first + total - start, params.trim),
      region: params.region,
      start,
      end,
      total_lines: total,
      rev: screen.rev,
      cursor: { row, col, visible },
    };
  };

/** First line (0 = oldest of the scrollback) and number of lines. */
function regionBounds(screen: Screen, region: 'viewport' | 'scrollback' | 'all'): { first: number; total: number } {
  const above = screen.scrollbackLines;
  if (region === 'viewport') return { first: above, total: screen.rows };
  return { first: 0, total: region === 'scrollback' ? above : above + screen.rows };
}
