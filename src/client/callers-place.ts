/** Working directory and environment for a caller's program: the caller's own, never the daemon's. */

import { type Environment, withoutNpx } from '../base/npx-environment.js';
import { withoutCallingAgent } from '../base/calling-agents.js';
import { isOfOtherTerminal } from '../base/other-terminals.js';

/** Variables that describe the caller's own terminal or server, not the new one. By T4A_TERMINAL the daemon knows the parent. */
const CALLERS_TERMINAL = new Set(['TERM', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'T4A_CREW_PLACES']);

export interface CallersPlace {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly inherit_env: false;
}

export type { Environment };

/**
 * @param added variables on top of the caller's
 * @param keepsAgent also those by which an agent marks what runs within it
 */
export function callersPlace(cwd: string, env: Environment, added: Environment = {}, keepsAgent = false): CallersPlace {
  const own = withoutNpx(env);
  const inherited = Object.entries(keepsAgent ? own : withoutCallingAgent(own)).filter(
    ([name, value]) => !CALLERS_TERMINAL.has(name) && !isOfOtherTerminal(name, value),
  );
  const all = [...inherited, ...Object.entries(added)];
  const set = all.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { cwd, env: Object.fromEntries(set), inherit_env: false };
}
