/** Working directory and environment for a caller's program: the caller's own, never the daemon's. */

import { type Environment, withoutNpx } from '../base/npx-environment.js';
import { isOfOtherTerminal } from '../base/other-terminals.js';

/** Variables that describe the caller's own terminal, not the new one. By T4A_TERMINAL the daemon knows the parent. */
const CALLERS_TERMINAL = new Set(['TERM', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION']);

export interface CallersPlace {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly inherit_env: false;
}

export type { Environment };

/** @param added variables on top of the caller's */
export function callersPlace(cwd: string, env: Environment, added: Environment = {}): CallersPlace {
  const inherited = Object.entries(withoutNpx(env)).filter(
    ([name, value]) => !CALLERS_TERMINAL.has(name) && !isOfOtherTerminal(name, value),
  );
  const all = [...inherited, ...Object.entries(added)];
  const set = all.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { cwd, env: Object.fromEntries(set), inherit_env: false };
}
