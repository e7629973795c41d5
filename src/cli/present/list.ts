import type { Reply } from '../../protocol/registry.js';
import type { Color } from '../output/color.js';
import type { Present } from '../presenters.js';
import { type Column, presentItems } from './items.js';

type ListedTerminal = Reply<'list'>['terminals'][number];

/** Longer ones would push every title off the screen. */
const MAX_COMMAND_LENGTH = 40;

const COLUMNS: readonly Column<ListedTerminal>[] = [
  { heading: 'ID', cell: ({ id }) => id },
  { heading: 'STATE', cell: stateOf, color: colorOf },
  { heading: 'SIZE', cell: ({ cols, rows }) => `${cols}x${rows}` },
  { heading: 'PID', cell: ({ pid }) => String(pid) },
  { heading: 'IDLE', cell: ({ idle_ms: idleMs }) => formatSpan(idleMs) },
  { heading: 'FOREGROUND', cell: ({ foreground }) => foreground ?? '' },
  { heading: 'COMMAND', cell: ({ cmd }) => cmd.join(' ').slice(0, MAX_COMMAND_LENGTH) },
  { heading: 'TITLE', cell: ({ title }) => title },
];

export const presentList: Present = (answer, surroundings) => {
  const { terminals } = answer.reply as Reply<'list'>;
  presentItems(terminals, COLUMNS, 'No terminals. "t4a create" makes one.', answer, surroundings);
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
