/** Processes by session. The process table is read once for all terminals that end in one turn of the event loop. */
import { allPids, isMember, liveSession } from './processes.js';

export class SessionTable {
  #sessions: ReadonlyMap<number, readonly number[]> | undefined;

  /** Live processes of the session, its leader included; empty on a system without /proc. */
  members(leader: number): readonly number[] {
    const known = this.#known(leader);
    // A process that has died since the table was read may have left a child that is not in it.
    if (known.every((pid) => isMember(pid, leader))) return known;
    this.#sessions = undefined;
    return this.#known(leader);
  }

  #known(leader: number): readonly number[] {
    if (this.#sessions === undefined) {
      this.#sessions = readSessions();
      setImmediate(() => {
        this.#sessions = undefined;
      });
    }
    return this.#sessions.get(leader) ?? [];
  }
}

function readSessions(): Map<number, number[]> {
  const sessions = new Map<number, number[]>();
  for (const pid of allPids()) {
    const session = liveSession(pid);
    if (session === undefined) continue;
    const members = sessions.get(session);
    if (members === undefined) sessions.set(session, [pid]);
    else members.push(pid);
  }
  return sessions;
}
