/** Errors that a person need not read: the screen shows why. */
import type { T4aError } from '../protocol/errors.js';

/** Frames say that a terminal has ended or the daemon has gone; a mouse outside of what the program wants is ignored. */
const QUIET_ERRORS: ReadonlySet<string> = new Set([
  'terminal_exited',
  'input_interrupted',
  'connection_lost',
  'mouse_off',
  'cell_outside',
  'focus_off',
]);

export function isQuiet({ code }: T4aError): boolean {
  return QUIET_ERRORS.has(code);
}
