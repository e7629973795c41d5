/**
 * Ends a terminal's processes with SIGHUP, SIGTERM, SIGKILL: the process group first, then the rest of the session.
 * Another user's process (sudo and the like) cannot be signalled: it delays nothing, and is returned if it survives.
 */
import { DEFAULT_CONFIG } from '../protocol/commands/config.js';
import { ignoresHangUp, isHungUp, isMember, readStat, sendSignal } from './system/processes.js';
import { processName } from './system/process-name.js';
import type { SessionTable } from './system/session-table.js';

/** The process that leads both its session and its first process group. */
export interface Leader {
  readonly pid: number;
  readonly sessions: Pick<SessionTable, 'members'>;
  /** Whether it has been waited for; its pid may have been reused then. */
  isReaped(): boolean;
  untilReaped(): Promise<void>;
}

/** In this order. A shell exits on SIGHUP at once; a job may have to clean up. */
const STEPS = ['SIGHUP', 'SIGTERM', 'SIGKILL'] as const;

/** For the kernel: no program can refuse it. */
const KILL_GRACE_MS = 1000;

/** For processes that only the kernel's hang-up reaches: sudo ends its command on it within some milliseconds. */
const HANG_UP_GRACE_MS = 250;

/** Pauses between checks, increasing. */
const FIRST_PAUSE_MS = 5;
const LAST_PAUSE_MS = 100;

/**
 * Resolves when all processes of the session that may be signalled have ended, or after the last grace period.
 * @param ownGraceMs after SIGHUP, and after SIGTERM
 * @param sparesNohup what ignores the hang-up outlives a leader that has ended by itself, as it would a real terminal
 * @returns survivors: other users' processes, and those that even SIGKILL has not ended
 */
export async function endSession(
  session: Leader,
  ownGraceMs = DEFAULT_CONFIG.kill_grace_ms,
  sparesNohup = false,
): Promise<number[]> {
  const leader = sparesNohup && session.isReaped() ? withoutNohup(session) : session;
  for (const signal of STEPS) {
    const graceMs = signal === 'SIGKILL' ? KILL_GRACE_MS : ownGraceMs;
    const foreign = signalSession(leader, signal);
    const isOver = await allEnded(leader, foreign, performance.now() + graceMs);
    if (isOver) return [...foreign].filter((pid) => lives(leader, pid));
  }
  return liveMembers(leader);
}

export interface LeftProcess {
  readonly pid: number;
  /** Name of the process. */
  readonly process: string;
}

/** What a leader that has ended has left in its session, before {@link endSession} with `sparesNohup`. */
export function leftBehind(
  sessions: SessionTable,
  pid: number,
): { readonly ended: LeftProcess[]; readonly living: LeftProcess[] } {
  const left = sessions.members(pid).flatMap((member) => {
    const stat = member === pid ? undefined : readStat(member);
    return stat === undefined ? [] : [{ pid: member, process: processName(member, stat.name) }];
  });
  return {
    // Under load the kernel's hang-up is on its way to some.
    ended: left.filter((each) => !ignoresHangUp(each.pid) && !isHungUp(each.pid)),
    living: left.filter((each) => ignoresHangUp(each.pid)),
  };
}

function withoutNohup(leader: Leader): Leader {
  const members = (pid: number): readonly number[] =>
    leader.sessions.members(pid).filter((member) => !ignoresHangUp(member));
  return {
    pid: leader.pid,
    sessions: { members },
    isReaped: () => leader.isReaped(),
    untilReaped: () => leader.untilReaped(),
  };
}

/** Without any grace period or wait: for a daemon that exits before the end. */
export function killSession(leader: Leader): void {
  signalSession(leader, 'SIGKILL');
}

/**
 * Call it once the kernel has hung up on the session, which reaches other users' processes, too.
 * @returns those of `pids` that survive
 */
export async function outliveHangUp(leader: Leader, pids: readonly number[]): Promise<number[]> {
  const left = [...pids];
  await haveEnded(leader, left, performance.now() + HANG_UP_GRACE_MS);
  return left.filter((pid) => lives(leader, pid));
}

/**
 * A reaped leader's pid may have been reused, so then only members of its session are signalled, one by one: a session
 * id stays taken as long as it has members.
 * @returns members that may not be signalled
 */
function signalSession(leader: Leader, signal: NodeJS.Signals): ReadonlySet<number> {
  const foreign = new Set<number>();
  if (!leader.isReaped()) sendSignal(-leader.pid, signal);
  for (const pid of liveMembers(leader)) {
    if (sendSignal(pid, signal) === 'not_ours') foreign.add(pid);
    // A stopped job cannot handle any signal but SIGKILL until it is continued.
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

/** Checks only these pids: finding new ones would read the whole process table. */
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

/** The leader counts until it is reaped, also on a system without a process table. */
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
