/**
 * From which terminal a caller calls. The chain of its parents is asked first: it holds where the environment was cleared, and no variable
 * can change it. A caller that has left it (setsid -f, tmux, another namespace of pids) is the one that its environment names. It prevents
 * accidents, not attackers: all of them run as one user.
 */
import type { Environment } from '../client/callers-place.js';
import type { Processes } from './processes.js';

/** What of a terminal identifies it. */
export interface KnownTerminal {
  readonly id: string;
  readonly pid: number | null;
  readonly alive: boolean;
}

export interface Identity {
  /** Undefined: the caller is in no terminal of the daemon, as far as is known. */
  readonly terminal: string | undefined;
  readonly by: 'parents' | 'environment' | 'nothing';
}

export interface Caller {
  readonly pid: number;
  readonly env: Environment;
}

/** Parents that are asked about, at most: a circle of wrong answers ends here. */
const MAX_PARENTS = 256;

/** @param socketPath of the daemon, whose terminals those are */
export function identify(
  { pid, env }: Caller,
  terminals: readonly KnownTerminal[],
  socketPath: string,
  { parentOf, environmentOf }: Processes,
): Identity {
  const byPid = new Map(terminals.flatMap((one) => (one.alive && one.pid !== null ? [[one.pid, one.id]] : [])));
  let at: number | undefined = pid;
  for (let i = 0; at !== undefined && i < MAX_PARENTS; i++, at = parentOf(at)) {
    const id = byPid.get(at);
    // A pid of an ended terminal may be that of another process by now.
    if (id !== undefined && environmentOf(at)?.has(`T4A_TERMINAL=${id}`) !== false)
      return { terminal: id, by: 'parents' };
  }
  const named = env['T4A_TERMINAL'];
  const isOurs = env['T4A_SOCKET'] === undefined || env['T4A_SOCKET'] === socketPath;
  if (isOurs && terminals.some(({ id }) => id === named)) return { terminal: named, by: 'environment' };
  return { terminal: undefined, by: 'nothing' };
}
