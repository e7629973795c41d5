import type { Reply } from '../../protocol/registry.js';
import { paintOf, type Color } from '../color.js';
import type { Present } from '../shapes.js';
import { formatTable } from '../table.js';
import { replyLine } from './fields.js';

type ListedTerminal = Reply<'list'>['terminals'][number];

const COLUMNS: readonly (readonly [heading: string, cell: (terminal: ListedTerminal) => string])[] = [
  ['ID', (terminal) => terminal.id],
  ['STATE', stateOf],
  ['SIZE', (terminal) => `${terminal.cols}x${terminal.rows}`],
  ['PID', (terminal) => String(terminal.pid)],
  ['IDLE', (terminal) => formatSpan(terminal.idle_ms)],
  ['FOREGROUND', (terminal) => terminal.foreground ?? ''],
  ['COMMAND', (terminal) => terminal.cmd.join(' ').slice(0, MAX_COMMAND_LENGTH)],
  ['TITLE', (terminal) => terminal.title],
];

/** Longer ones would push every title off the screen. */
const MAX_COMMAND_LENGTH = 40;

export const presentList: Present = (answer, surroundings) => {
  if (!surroundings.stdoutIsTerminal) return surroundings.out(replyLine(answer));
  const { terminals } = answer.reply as Reply<'list'>;
  if (terminals.length === 0) return surroundings.note('No terminals. "t4a create" makes one.\n');
  const rows = terminals.map((terminal) => COLUMNS.map(([, cell]) => cell(terminal)));
  const headings = COLUMNS.map(([heading]) => heading);
  const paint = paintOf(answer.invocation.options['color'], surroundings);
  const width = surroundings.columns() ?? Number.POSITIVE_INFINITY;
  surroundings.out(
    formatTable([headings, ...rows], width, (text, row, column) => {
      if (row === 0) return paint('bold', text);
      const color = column === STATE_COLUMN ? colorOf(terminals[row - 1]) : undefined;
      return color === undefined ? text : paint(color, text);
    }),
  );
};

const STATE_COLUMN = COLUMNS.findIndex(([heading]) => heading === 'STATE');

/** What ended well needs no attention. */
function colorOf(terminal: ListedTerminal | undefined): Color | undefined {
  if (terminal?.alive === true) return 'green';
  return terminal?.exit_code === 0 ? undefined : 'red';
}

function stateOf(terminal: ListedTerminal): string {
  if (terminal.alive) return 'running';
  return terminal.signal ?? `exited ${terminal.exit_code ?? ''}`.trimEnd();
}

/** `850ms`, `12s`, `5m`, `3h`, `2d`: one unit is enough to see how long ago. */
export function formatSpan(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 1) return `${ms}ms`;
  if (seconds < 60) return `${Math.floor(seconds)}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
