/** The bottom row of the shell. Pure. */
import type { Size } from '../../mirror/fit.js';
import { holderPart, type StatusLine } from '../status-line.js';
import type { Visit } from '../visit.js';
import { type Leader, WAY_BACK } from './leader.js';
import { doingWord } from '../../mirror/doing-word.js';

export interface ShellStatusParts {
  readonly project: string;
  readonly visit: Visit | undefined;
  /** Room for the screen. */
  readonly size: Size;
  /** Terminals beside the shown one that need the person. */
  readonly waiting: number;
  /** The shown one needs the person. */
  readonly isAsking: boolean;
  readonly leader: Leader;
  /** All keys are for the program. */
  readonly passes: boolean;
}

export function shellStatus({ project, visit, size, waiting, isAsking, leader, passes }: ShellStatusParts): StatusLine {
  const asks = waiting === 0 ? '' : `${waiting} ${waiting === 1 ? 'waits' : 'wait'} for you`;
  const rightOf = (...parts: readonly string[]): string =>
    `${[...parts, asks, passes ? `all keys pass, ${WAY_BACK.name} ends it` : `${leader.name} palette`].filter((part) => part !== '').join(' │ ')} `;
  const shortRight = `${(passes ? WAY_BACK : leader).short} `;
  if (visit === undefined) return { left: ` ${project}`, right: rightOf(), shortRight, look: 'plain' };
  const { id, mirror, hold, end } = visit.terminal;
  if (end !== undefined) {
    return {
      left: ` ${id} has ended: ${end.signal ?? `exit code ${end.exit_code}`}`,
      right: `Enter: leave it │ ${leader.name} palette `,
      shortRight: 'Enter ',
      look: end.exit_code === 0 ? 'ended' : 'failed',
    };
  }
  const { heldMs } = hold;
  const { doing, cols, title } = mirror.state;
  const isFitted = cols === size.cols && mirror.rows.length === size.rows;
  return {
    left: ` ${id}  ${title}`,
    right: rightOf(
      isAsking ? `${leader.name} answer` : '',
      doingWord(doing),
      holderPart({ mirror, heldMs }),
      isFitted ? '' : `${cols}x${mirror.rows.length}`,
    ),
    shortRight,
    look: heldMs === undefined ? 'plain' : 'held',
  };
}
