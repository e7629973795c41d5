/**
 * Ending a terminal's processes: ask, insist, force; the group first, then whoever is left in the session. Another user's
 * process (sudo and its likes) cannot be signalled: it holds up nobody, and is returned if it lives on.
 */
import { isMember, sendSignal } from '../system/processes.js';
import type { SessionTable } from '../system/session-table.js';

/** The process that leads both its session and its first process group. */
export interface Leader {
  readonly pid: number;
  readonly sessions: SessionTable;
  /** It has been waited for, so its pid may be anybody's. */
  isReaped(): boolean;
  untilReaped(): Promise<void>;
}

/** What is sent, and how long each may take to work. A shell leaves on SIGHUP at once; a job may have to tidy up. */
const STEPS: readonly { readonly signal: NodeJS.Signals; readonly graceMs: number }[] = [
  { signal: 'SIGHUP', graceMs: 1000 },
  { signal: 'SIGTERM', graceMs: 1000 },
  { signal: 'SIGKILL', graceMs: 1000 },
];

/** For processes that only the kernel's hang-up reaches: sudo ends its command on it within some milliseconds. */
const HANG_UP_GRACE_MS = 250;

/** Between looks at who is left, rising. */
const FIRST_PAUSE_MS = 5;
const LAST_PAUSE_MS = 100;

/**
 * Resolves when everybody in the session who may be signalled has ended, or after the last grace period.
 * @returns members that live on: other users', and those that even SIGKILL has not ended
 */
export async function endSession(leader: Leader): Promise<number[]> {
  for (const { signal, graceMs } of STEPS) {
    const foreign = signalSession(leader, signal);
    const isOver = await allEnded(leader, foreign, performance.now() + graceMs);
    if (isOver) return [...foreign].filter((pid) => lives(leader, pid));
  }
  return liveMembers(leader);
}

/** Without a grace and without a wait: for a daemon that leaves before the end. */
export function killSession(leader: Leader): void {
  signalSession(leader, 'SIGKILL');
}

/**
 * Once the kernel has hung up on the session, which reaches other users' processes, too.
 * @returns those of `pids` who live on all the same
 */
export async function outliveHangUp(leader: Leader, pids: readonly number[]): Promise<number[]> {
  const left = [...pids];
  await haveEnded(leader, left, performance.now() + HANG_UP_GRACE_MS);
  return left.filter((pid) => lives(leader, pid));
}

/**
 * A reaped leader's pid may be anybody's by now, so then only members of its session are signalled, one by one: a
 * session id stays taken as long as it has members.
 * @returns members who may not be signalled
 */
function signalSession(leader: Leader, signal: NodeJS.Signals): ReadonlySet<number> {
  const foreign = new Set<number>();
  if (!leader.isReaped()) sendSignal(-leader.pid, signal);
  for (const pid of liveMembers(leader)) {
    if (sendSignal(pid, signal) === 'not_ours') foreign.add(pid);
    // A stopped job cannot act on anything but SIGKILL before it is continued.
    else if (signal !== 'SIGKILL') sendSignal(pid, 'SIGCONT');
  }
  return foreign;
}

async function allEnded(leader: Leader, foreign: ReadonlySet<number>, deadlineMs: number): Promise<boolean> {
  for (;;) {
    const left = liveMembers(leader).filter((pid) => !foreign.has(pid));
    if (left.length === 0) return true;
    if (!(await haveEnded(leader, left, deadlineMs))) return false;
  }
}

/** Looks at these alone: to look for newcomers reads the whole process table. */
async function haveEnded(leader: Leader, pids: readonly number[], deadlineMs: number): Promise<boolean> {
  const reaped = leader.untilReaped();
  let left = pids;
  for (let waitMs = FIRST_PAUSE_MS; ; waitMs = Math.min(waitMs * 2, LAST_PAUSE_MS)) {
    left = left.filter((pid) => lives(leader, pid));
    if (left.length === 0) return true;
    const leftMs = deadlineMs - performance.now();
    if (leftMs <= 0) return false;
    const pauseMs = Math.min(leftMs, waitMs);
    await (leader.isReaped() ? pause(pauseMs) : Promise.race([reaped, pause(pauseMs)]));
  }
}

/** The leader counts until it is reaped, also where the system has no process table to look at. */
function liveMembers(leader: Leader): number[] {
  const others = leader.sessions.members(leader.pid).filter((pid) => pid !== leader.pid);
  return leader.isReaped() ? others : [leader.pid, ...others];
}

function lives(leader: Leader, pid: number): boolean {
  return pid === leader.pid ? !leader.isReaped() : isMember(pid, leader.pid);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
