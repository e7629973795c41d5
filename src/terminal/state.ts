/**
 * The life of a terminal: `running -> draining -> exited -> removed`; removal is possible from any state, and a restart from `exited`. Draining: the
 * process is gone, and its last bytes are not all parsed. Exited: the screen is final and stays readable.
 */
import type { PtyExit } from './pty/pty.js';

export type TerminalState =
  | { readonly kind: 'running' }
  | { readonly kind: 'draining'; readonly exit: PtyExit }
  | { readonly kind: 'exited'; readonly exit: PtyExit }
  | { readonly kind: 'removed'; readonly exit: PtyExit | undefined };

export type Transition =
  | { readonly kind: 'process_ended'; readonly exit: PtyExit }
  | { readonly kind: 'output_parsed' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'remove' };

/** @throws Error on an impossible transition: a bug of the caller */
export function transition(state: TerminalState, step: Transition): TerminalState {
  switch (step.kind) {
    case 'process_ended':
      if (state.kind === 'running') return { kind: 'draining', exit: step.exit };
      break;
    case 'output_parsed':
      if (state.kind === 'draining') return { kind: 'exited', exit: state.exit };
      break;
    case 'restart':
      if (state.kind === 'exited') return { kind: 'running' };
      break;
    case 'remove':
      if (state.kind !== 'removed') return { kind: 'removed', exit: exitOf(state) };
      break;
  }
  throw new Error(`a terminal that is ${state.kind} cannot take the step ${step.kind}`);
}

export function exitOf(state: TerminalState): PtyExit | undefined {
  return state.kind === 'running' ? undefined : state.exit;
}
