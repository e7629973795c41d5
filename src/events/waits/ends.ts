/** End of a command or a program, as the fields of a wait that it ended. */
import type { TerminalEvent } from '../../protocol/events.js';
import type { Evidence } from './armed-condition.js';
import type { WaitSubject } from './subject.js';

/** @param level see `WaitSubject.inner` */
export function commandEnd({ code, command, isNone = false }: WaitSubject['lastCommand'], level = 0): Evidence {
  const end = { code, exit_code: code, signal: null, command, ...(isNone ? { nothing_ran: true as const } : {}) };
  return level === 0 ? end : { ...end, shell_level: level };
}

export function programEnd({ exit: { code, signal } }: Pick<WaitSubject, 'exit'>): Evidence {
  return { exit_code: code, signal };
}

/** Empty for events that are no end. */
export function endOf(event: TerminalEvent): Evidence {
  if (event.event === 'exit') return { exit_code: event.code, signal: event.signal };
  if (event.event !== 'command_done') return {};
  return { exit_code: event.code, signal: null, command: event.command };
}
