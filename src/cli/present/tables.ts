/** Replies that list things, as tables. */
import { systemClock } from '../../base/clock.js';
import { formatSpan } from '../../base/span.js';
import { STATE_LOOKS, stateKind, listedWord } from '../../mirror/doing-word.js';
import { endWord } from '../../protocol/end-words.js';
import type { Reply } from '../../protocol/registry.js';
import type { Fields } from '../argv/invocation.js';
import type { Host } from '../host.js';
import { type Color, paintOf } from '../output/color.js';
import { printable } from '../output/printable.js';
import { formatTable } from '../output/table.js';
import type { Present } from './presenter.js';

type ListedTerminal = Reply<'list'>['terminals'][number];

/** A line of the short list has one row of a usual terminal, also in a pipe. */
const SHORT_WIDTH = 79;
const MAX_COMMAND_LENGTH = 40;

const ID: Column<ListedTerminal> = { heading: 'ID', cell: ({ id }) => id };
const STATE: Column<ListedTerminal> = { heading: 'STATE', cell: stateOf, color: colorOf };
const IDLE: Column<ListedTerminal> = { heading: 'IDLE', cell: ({ idle_ms: idleMs }) => formatSpan(idleMs) };
const FOREGROUND: Column<ListedTerminal> = { heading: 'FOREGROUND', cell: ({ foreground }) => foreground ?? '' };

/** Only where a terminal has one: most lists are of one person. */
const OWNER: Column<ListedTerminal> = { heading: 'OWNER', cell: ({ owner }) => owner ?? '' };

const SHORT: readonly Column<ListedTerminal>[] = [
  ID,
  STATE,
  IDLE,
  FOREGROUND,
  { heading: 'COMMAND', cell: ({ cmd }) => cmd.join(' ').slice(0, MAX_COMMAND_LENGTH) },
];

const LONG: readonly Column<ListedTerminal>[] = [
  ID,
  STATE,
  { heading: 'SIZE', cell: ({ cols, rows }) => `${cols}x${rows}` },
  { heading: 'AGE', cell: ageOf },
  { heading: 'PID', cell: ({ pid }) => String(pid) },
  IDLE,
  FOREGROUND,
  { heading: 'COMMAND', cell: ({ cmd }) => cmd.join(' ') },
  { heading: 'DIRECTORY', cell: ({ cwd }) => cwd },
  { heading: 'TITLE', cell: ({ title }) => title },
];

/** The clock of another host may be ahead. */
function ageOf({ created_at: createdAt }: ListedTerminal): string {
  return formatSpan(Math.max(0, Math.round(systemClock.wallNow() - createdAt)));
}

export const presentList: Present<'list'> = (answer, host) => {
  const isLong = answer.invocation.options['long'] === true;
  const width = isLong ? Number.POSITIVE_INFINITY : Math.min(host.columns() ?? SHORT_WIDTH, SHORT_WIDTH);
  const { params, options } = answer.invocation;
  const none = isOfAll(params, options) ? 'No terminals. "t4a create" makes one.' : NONE_MEANT;
  noteUnreachable(answer.reply.unreachable ?? [], host);
  noteAliases(answer.reply.aliases ?? [], host);
  const { terminals } = answer.reply;
  presentItems(
    terminals,
    columnsFor(terminals, isLong),
    { none, width, color: answer.invocation.options['color'] },
    host,
  );
};

const NONE_MEANT = 'No terminal fits. "t4a list" shows all.';

/** Whether no condition leaves terminals out. */
export function isOfAll(params: Fields, options: Fields): boolean {
  return params['where'] === undefined && params['owner'] === undefined && options['mine'] !== true;
}

/** Hosts without a list, or without a whole one. */
export function noteUnreachable(unreachable: NonNullable<Reply<'list'>['unreachable']>, host: Host): void {
  for (const { host: name, error } of unreachable) host.note(`t4a: ${printable(name)}: ${printable(error)}\n`);
}

export function noteAliases(aliases: NonNullable<Reply<'list'>['aliases']>, host: Host): void {
  for (const { host: name, of } of aliases) host.note(`t4a: ${printable(aliasSentence(name, of))}\n`);
}

function aliasSentence(name: string, of: string): string {
  return `${name}: Its daemon says that it is the one of ${of}: the terminals are listed under both names.`;
}

function columnsFor(terminals: readonly ListedTerminal[], isLong: boolean): readonly Column<ListedTerminal>[] {
  const columns = isLong ? LONG : SHORT;
  if (terminals.every(({ owner }) => owner === undefined)) return columns;
  return [ID, OWNER, ...columns.slice(1)];
}

type Listed = ListedTerminal & { readonly host: string };

/** The ids are addresses, as commands take them. */
export function presentTerminalsOfAll(
  terminals: readonly Listed[],
  { isLong, ofAll, color }: { readonly isLong: boolean; readonly ofAll: boolean; readonly color: unknown },
  host: Host,
): void {
  const width = isLong ? Number.POSITIVE_INFINITY : Math.min(host.columns() ?? SHORT_WIDTH, SHORT_WIDTH);
  const addressed = terminals.map((terminal) => ({ ...terminal, id: `${terminal.host}/${terminal.id}` }));
  presentItems(
    addressed,
    columnsFor(terminals, isLong),
    { none: ofAll ? 'No terminals.' : NONE_MEANT, width, color },
    host,
  );
}

/** Those of the page. */
function colorOf(terminal: ListedTerminal): Color {
  if (terminal.alive && terminal.asks !== undefined) return STATE_LOOKS.waits.color;
  return STATE_LOOKS[stateKind(terminal)].color;
}

function stateOf(terminal: ListedTerminal): string {
  const word = terminal.alive ? listedWord(terminal) : endWord(terminal);
  return `${word}${terminal.asks === undefined ? '' : ', asks'}`;
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
  const width = host.columns() ?? Number.POSITIVE_INFINITY;
  presentItems(
    commands,
    COMMAND_COLUMNS,
    { none: 'No commands: the shell has reported none.', width, color: answer.invocation.options['color'] },
    host,
  );
};

type Recording = Reply<'recordings'>['recordings'][number];

const RECORDING_COLUMNS: readonly Column<Recording>[] = [
  {
    heading: 'STARTED',
    cell: ({ started_at: ms }) => (ms === null ? '' : `${new Date(ms).toISOString().slice(0, 19)}Z`),
  },
  { heading: 'TERMINAL', cell: ({ terminal }) => terminal ?? '' },
  { heading: 'BYTES', cell: ({ size }) => String(size) },
  {
    heading: 'STATE',
    cell: ({ live, opened }) => (live ? 'recording' : opened.map((id) => `open as ${id}`).join(', ')),
    color: ({ live }) => (live ? 'red' : undefined),
  },
  // Whole: commands take it.
  { heading: 'PATH', cell: ({ path }) => path },
  { heading: 'TITLE', cell: ({ title }) => title ?? '' },
];

export const presentRecordings: Present<'recordings'> = (answer, host) => {
  presentItems(
    answer.reply.recordings,
    RECORDING_COLUMNS,
    {
      none: 'No recordings. "t4a record" begins one.',
      width: Number.POSITIVE_INFINITY,
      color: answer.invocation.options['color'],
    },
    host,
  );
};

interface Column<Item> {
  readonly heading: string;
  readonly cell: (item: Item) => string;
  readonly color?: (item: Item) => Color | undefined;
}

interface Listing {
  /** The note if there are no items. */
  readonly none: string;
  readonly width: number;
  /** The flag. */
  readonly color: unknown;
}

function presentItems<Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  { none, width, color: choice }: Listing,
  host: Host,
): void {
  if (items.length === 0) return host.note(`${none}\n`);
  const headings = columns.map(({ heading }) => heading);
  const rows = items.map((item) => columns.map(({ cell }) => cell(item)));
  const paint = paintOf(choice, host);
  host.out(
    formatTable([headings, ...rows], width, (text, row, column) => {
      if (row === 0) return paint('bold', text);
      const item = items[row - 1];
      const color = item === undefined ? undefined : columns[column]?.color?.(item);
      return color === undefined ? text : paint(color, text);
    }),
  );
}
