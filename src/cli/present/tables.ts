/** Replies that list things: a table for people, the reply as it came for programs. */
import type { Reply } from '../../protocol/registry.js';
import type { Host } from '../host.js';
import { type Color, paintOf } from '../output/color.js';
import { formatTable } from '../output/table.js';
import type { Answer, Present } from './presenter.js';
import { replyLine } from './reply.js';

type ListedTerminal = Reply<'list'>['terminals'][number];

/** Longer ones would push every title off the screen. */
const MAX_COMMAND_LENGTH = 40;

const TERMINAL_COLUMNS: readonly Column<ListedTerminal>[] = [
  { heading: 'ID', cell: ({ id }) => id },
  { heading: 'STATE', cell: stateOf, color: colorOf },
  { heading: 'SIZE', cell: ({ cols, rows }) => `${cols}x${rows}` },
  { heading: 'PID', cell: ({ pid }) => String(pid) },
  { heading: 'IDLE', cell: ({ idle_ms: idleMs }) => formatSpan(idleMs) },
  { heading: 'FOREGROUND', cell: ({ foreground }) => foreground ?? '' },
  { heading: 'COMMAND', cell: ({ cmd }) => cmd.join(' ').slice(0, MAX_COMMAND_LENGTH) },
  { heading: 'TITLE', cell: ({ title }) => title },
];

export const presentList: Present<'list'> = (answer, host) => {
  const { terminals } = answer.reply;
  presentItems(terminals, TERMINAL_COLUMNS, 'No terminals. "t4a create" makes one.', answer, host);
};

/** What ended well needs no attention. */
function colorOf(terminal: ListedTerminal): Color | undefined {
  if (terminal.alive) return 'green';
  return terminal.exit_code === 0 ? undefined : 'red';
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

type Command = Reply<'commands'>['commands'][number];

const COMMAND_COLUMNS: readonly Column<Command>[] = [
  { heading: 'N', cell: ({ n }) => String(n) },
  {
    heading: 'CODE',
    cell: ({ running, code }) => (running ? 'running' : String(code ?? '?')),
    color: ({ running, code }) => (running || code === 0 ? undefined : 'red'),
  },
  {
    heading: 'TIME',
    cell: ({ duration_ms: durationMs }) => (durationMs === null ? '' : formatSpan(durationMs)),
  },
  { heading: 'ROWS', cell: ({ output_rows: rows }) => String(rows ?? '') },
  { heading: 'DIRECTORY', cell: ({ cwd }) => cwd ?? '' },
  { heading: 'COMMAND', cell: ({ command }) => command ?? '' },
];

export const presentCommands: Present<'commands'> = (answer, host) => {
  const { commands } = answer.reply;
  presentItems(commands, COMMAND_COLUMNS, 'No commands: the shell has reported none.', answer, host);
};

interface Column<Item> {
  readonly heading: string;
  readonly cell: (item: Item) => string;
  readonly color?: (item: Item) => Color | undefined;
}

/** A table for people, the reply for programs. @param none the note if there are no items */
function presentItems<Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  none: string,
  answer: Answer,
  host: Host,
): void {
  if (!host.stdoutIsTerminal) return host.out(replyLine(answer));
  if (items.length === 0) return host.note(`${none}\n`);
  const headings = columns.map(({ heading }) => heading);
  const rows = items.map((item) => columns.map(({ cell }) => cell(item)));
  const paint = paintOf(answer.invocation.options['color'], host);
  const width = host.columns() ?? Number.POSITIVE_INFINITY;
  host.out(
    formatTable([headings, ...rows], width, (text, row, column) => {
      if (row === 0) return paint('bold', text);
      const item = items[row - 1];
      const color = item === undefined ? undefined : columns[column]?.color?.(item);
      return color === undefined ? text : paint(color, text);
    }),
  );
}
