/** Ending a terminal's processes: ask, insist, force; the group first, then whoever is left in the session. */
import { isMember, sendSignal, sessionMembers } from './processes.js';

/** What is sent, and how long each may take to work. A shell leaves on SIGHUP at once; a job may have to tidy up. */
const STEPS: readonly { readonly signal: NodeJS.Signals; readonly graceMs: number }[] = [
  { signal: 'SIGHUP', graceMs: 1000 },
  { signal: 'SIGTERM', graceMs: 1000 },
  { signal: 'SIGKILL', graceMs: 1000 },
];

/** Between looks at who is left, rising. */
const FIRST_LOOK_MS = 5;
const LAST_LOOK_MS = 100;

/**
 * Resolves when the leader has been reaped and no member of its session lives, or after the last grace period.
 * @param leader pid that leads both its session and its first process group
 * @param reaped resolves once the leader has been waited for
 */
export async function endSession(leader: number, isReaped: () => boolean, reaped: Promise<void>): Promise<void> {
  for (const step of STEPS) {
    let members = signalSession(leader, step.signal, isReaped());
    const deadline = performance.now() + step.graceMs;
    for (let waitMs = FIRST_LOOK_MS; ; waitMs = Math.min(waitMs * 2, LAST_LOOK_MS)) {
      // Those who were there are looked at alone: to look for all reads the whole process table.
      members = members.filter((pid) => isMember(pid, leader));
      if (isReaped() && members.length === 0) members = sessionMembers(leader);
      if (isReaped() && members.length === 0) return;
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) break;
      await (isReaped() ? pause(waitMs) : Promise.race([reaped, pause(Math.min(leftMs, LAST_LOOK_MS))]));
    }
  }
}

/**
 * A reaped leader's pid may be anybody's by now, so then only members of its session are signalled, one by one: a
 * session id stays taken as long as it has members.
 * @returns the members, the leader included
 */
function signalSession(leader: number, signal: NodeJS.Signals, leaderReaped: boolean): number[] {
  const members = sessionMembers(leader);
  if (!leaderReaped) sendSignal(-leader, signal);
  for (const pid of members) {
    if (pid !== leader || !leaderReaped) sendSignal(pid, signal);
    // A stopped job cannot act on anything but SIGKILL before it is continued.
    if (signal !== 'SIGKILL') sendSignal(pid, 'SIGCONT');
  }
  return members;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
