/** What a draw is: the values of one, as they are drawn. */
import type { Leftover } from './leftovers.js';
import type { Program } from './programs.js';
import type { DrawnShell, Setting } from './settings.js';

export type More =
  | 'over ssh'
  | 'asked over ssh'
  | 'beside an attach'
  | 'after its own output, printed again'
  | 'asked for several lines'
  | 'in two columns'
  | 'while the clock jumps';

/** `run`: in a terminal of its own. `run --id`, `type`: in the shell that was drawn. */
export const WAYS = ['run', 'run --id', 'type'] as const;
export const MEANWHILES = ['nothing', 'a resize', 'other readers'] as const;

export interface Draw {
  readonly number: number;
  readonly shell: DrawnShell;
  readonly settings: readonly Setting[];
  readonly leftovers: readonly Leftover[];
  readonly program: Program;
  readonly way: (typeof WAYS)[number];
  readonly meanwhile: (typeof MEANWHILES)[number] | 'an attach' | 'a clock that jumps';
  /** The line that runs `sh FILE`. */
  readonly form: Form;
  readonly cols: number;
  /** A kind that came later. */
  readonly more?: More;
}

export interface Form {
  readonly name: string;
  readonly shells?: readonly DrawnShell[];
  /** @param sshConfig of a server on this machine that lets everyone in who has it */
  readonly line: (command: string, sshConfig: string) => string;
  /** The line's own status in place of the program's. */
  readonly status?: number;
}
