import { T4aError } from '../../protocol/errors.js';
import type { Handler } from '../../rpc/service.js';
import type { Screen } from '../../vt/screen.js';
import { readLines } from '../lines.js';
import type { Daemon } from '../daemon.js';
import type { Terminal } from '../terminal.js';

export const text =
  (daemon: Daemon): Handler<'text'> =>
  async (params) => {
    const terminal = daemon.terminals.use(params.id);
    await terminal.settle();
    const { screen } = terminal;
    const { first, total, lost } =
      params.command === undefined ? regionBounds(screen, params.region) : commandBounds(terminal, params.command);
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
      region: params.command === undefined ? params.region : ('command' as const),
      start,
      end,
      total_lines: total,
      ...(lost === undefined ? {} : { lost_lines: lost }),
      rev: screen.rev,
      cursor: { row, col, visible },
    };
  };

interface Bounds {
  /** 0 = oldest of the scrollback. */
  readonly first: number;
  readonly total: number;
  /** Lines before `first` that are gone. */
  readonly lost?: number;
}

/** The output of a shell command; of one that still runs, up to the cursor. @throws T4aError command_not_found */
function commandBounds({ id, screen, detectors }: Terminal, n: number): Bounds {
  const fail = (why: string): T4aError =>
    new T4aError('command_not_found', why, { field: 'command', hint: `t4a commands ${id}` });
  const record = detectors.commands.find(n);
  if (record === undefined) throw fail(`Terminal "${id}" has no shell command ${n}.`);
  if (screen.altScreen) throw fail(`Terminal "${id}" shows the alternate screen, which holds no output of commands.`);
  if (record.output === undefined) throw fail(`Where the output of shell command ${record.n} begins is not known.`);
  const { firstLineNumber, scrollbackLines } = screen;
  const cursorLine = firstLineNumber + scrollbackLines + screen.snapshot().cursor.row;
  const end = record.output.end ?? cursorLine + 1;
  const first = Math.min(end, Math.max(record.output.first, firstLineNumber));
  return { first: first - firstLineNumber, total: end - first, lost: first - record.output.first };
}

function regionBounds(screen: Screen, region: 'viewport' | 'scrollback' | 'all'): Bounds {
  const above = screen.scrollbackLines;
  if (region === 'viewport') return { first: above, total: screen.rows };
  return { first: 0, total: region === 'scrollback' ? above : above + screen.rows };
}
