import type { Reply } from '../../protocol/registry.js';
import { paintOf } from '../color.js';
import type { Present } from '../shapes.js';
import { formatTable } from '../table.js';
import { replyLine } from './fields.js';
import { formatSpan } from './list.js';

type Command = Reply<'commands'>['commands'][number];

const COLUMNS: readonly (readonly [heading: string, cell: (command: Command) => string])[] = [
  ['N', ({ n }) => String(n)],
  ['CODE', ({ running, code }) => (running ? 'running' : String(code ?? '?'))],
  ['TIME', ({ duration_ms: durationMs }) => (durationMs === null ? '' : formatSpan(durationMs))],
  ['ROWS', ({ output_rows: rows }) => String(rows ?? '')],
  ['DIRECTORY', ({ cwd }) => cwd ?? ''],
  ['COMMAND', ({ command }) => command ?? ''],
];

const CODE_COLUMN = COLUMNS.findIndex(([heading]) => heading === 'CODE');

export const presentCommands: Present = (answer, surroundings) => {
  if (!surroundings.stdoutIsTerminal) return surroundings.out(replyLine(answer));
  const { commands } = answer.reply as Reply<'commands'>;
  if (commands.length === 0) return surroundings.note('No commands: the shell has told of none.\n');
  const rows = commands.map((command) => COLUMNS.map(([, cell]) => cell(command)));
  const headings = COLUMNS.map(([heading]) => heading);
  const paint = paintOf(answer.invocation.options['color'], surroundings);
  const width = surroundings.columns() ?? Number.POSITIVE_INFINITY;
  surroundings.out(
    formatTable([headings, ...rows], width, (text, row, column) => {
      if (row === 0) return paint('bold', text);
      const command = commands[row - 1];
      const isFailure = command?.running === false && command.code !== 0;
      return column === CODE_COLUMN && isFailure ? paint('red', text) : text;
    }),
  );
};
