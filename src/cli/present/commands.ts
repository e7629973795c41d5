import type { Reply } from '../../protocol/registry.js';
import type { Present } from '../presenters.js';
import { type Column, presentItems } from './items.js';
import { formatSpan } from './list.js';

type Command = Reply<'commands'>['commands'][number];

const COLUMNS: readonly Column<Command>[] = [
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

export const presentCommands: Present = (answer, surroundings) => {
  const { commands } = answer.reply as Reply<'commands'>;
  presentItems(commands, COLUMNS, 'No commands: the shell has told of none.', answer, surroundings);
};
