/** Whether a person should look at a terminal. Apart from the schemas: the command line and the page load none. */
import type { Need } from './doing.js';

/** Terminal of a list, an event or a frame. */
export interface NeedingTerminal {
  /** Absent: nothing watches what the terminal does, as that of a recording. */
  readonly doing?: { readonly needs_you: Need | null } | undefined;
}

/** Why a person should look at the terminal; null: nothing needs them. Lists, rails, pages and calls all ask here. */
export function needOf({ doing }: NeedingTerminal): Need | null {
  return doing?.needs_you ?? null;
}

/** Call of a person for a need. */
export function callFor(need: Need): 'ask' | 'waiting' | 'failed' {
  if (need === 'ask') return 'ask';
  return need === 'error' ? 'failed' : 'waiting';
}
