/** One terminal as vtr's session. */
import { constants } from 'node:os';
import type { Reply } from '../protocol/registry.js';
import { type Session, timestamp } from './messages.js';

type State = Omit<Reply<'list'>['terminals'][number], never>;

export function sessionOf(terminal: State): Session {
  const common = {
    name: terminal.id,
    cols: terminal.cols,
    rows: terminal.rows,
    created_at: timestamp(terminal.created_at),
  };
  if (terminal.alive) return { ...common, status: 'SESSION_STATUS_RUNNING' };
  return {
    ...common,
    status: 'SESSION_STATUS_EXITED',
    exit_code: sessionExitCode(terminal),
    ...(terminal.exited_at === null ? {} : { exited_at: timestamp(terminal.exited_at) }),
  };
}

export interface SessionEnd {
  readonly exit_code?: number | null | undefined;
  readonly signal?: string | null | undefined;
}

/** The field is no optional one, and no exit code is negative. */
const UNKNOWN = -1;

/** Exit code as shells report it: 128 and the number of the signal that ended the process; -1 if neither is known. */
export function sessionExitCode({ exit_code: code, signal }: SessionEnd): number {
  if (typeof signal !== 'string') return code ?? UNKNOWN;
  return 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}
