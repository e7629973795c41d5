/**
 * Ends a terminal's processes with SIGHUP, SIGTERM, SIGKILL, each once for each process: many programs take a second
 * signal for "at once", and drop their clean-up.
 * Another user's process (sudo and the like) cannot be signalled: it delays nothing, and is returned if it survives.
 */
import { DEFAULT_CONFIG } from '../protocol/commands/config.js';
import {
  catchesHangUp,
  ignoresHangUp,
  isHungUp,
  isMember,
  type ProcessStat,
  readStat,
  sendSignal,
} from './system/processes.js';
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

/** Shells that pass a hang-up on to their jobs, each a process group. */
const PASS_ON: readonly string[] = ['bash', 'zsh', 'fish'];

/** Signals that have been sent to processes of a session: an end may be asked for while another one is under way. */
export class SentSignals {
  readonly #sent = new Set<string>();

  has(pid: number, signal: NodeJS.Signals): boolean {
    return this.#sent.has(`${pid} ${signal}`);
  }

  add(pid: number, signal: NodeJS.Signals): void {
    this.#sent.add(`${pid} ${signal}`);
  }

  clear(): void {
    this.#sent.clear();
  }
}

export interface Ending {
  /** After SIGHUP, and after SIGTERM. */
  readonly graceMs?: number | undefined;
  /** What ignores the hang-up outlives a leader that has ended by itself, as it would a real terminal. */
  readonly sparesNohup?: boolean;
  readonly sent?: SentSignals;
}

/**
 * Resolves when all processes of the session that may be signalled have ended, or after the last grace period.
 * @returns survivors: other users' processes, and those that even SIGKILL has not ended
 */
export async function endSession(
  session: Leader,
  { graceMs: ownGraceMs = DEFAULT_CONFIG.kill_grace_ms, sparesNohup = false, sent = new SentSignals() }: Ending = {},
): Promise<number[]> {
  const leader = sparesNohup && session.isReaped() ? withoutNohup(session) : session;
  for (const signal of STEPS) {
    const graceMs = signal === 'SIGKILL' ? KILL_GRACE_MS : ownGraceMs;
    const foreign = signalSession(leader, signal, sent);
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
 * SIGKILL goes to the leader's group, which no fork escapes, and then to the others. A reaped leader's pid may have been
 * reused, so then only members of its session are signalled, one by one: a session id stays taken as long as it has
 * members.
 * @returns members that may not be signalled
 */
function signalSession(leader: Leader, signal: NodeJS.Signals, sent = new SentSignals()): ReadonlySet<number> {
  const foreign = new Set<number>();
  const pids = liveMembers(leader);
  const members = new Map(pids.flatMap((pid) => [[pid, readStat(pid)] as const]));
  // Without a process table only the leader's group can be reached. One that lacks the leader alone has it ended, and not reaped yet.
  const goesToGroup = signal === 'SIGKILL' || pids.every((pid) => members.get(pid) === undefined);
  if (goesToGroup && !leader.isReaped()) sendSignal(-leader.pid, signal);
  for (const pid of pids) {
    const isDue = signal === 'SIGKILL' || !sent.has(pid, signal);
    const isPassedOn = signal === 'SIGHUP' && comesFromOthers(pid, leader, members);
    const isLed = goesToGroup && pid === leader.pid;
    if (sendSignal(pid, isDue && !isPassedOn && !isLed ? signal : 0) === 'not_ours') foreign.add(pid);
    else if (isDue && !isPassedOn) sent.add(pid, signal);
    // A stopped job cannot handle any signal but SIGKILL until it is continued.
    if (signal !== 'SIGKILL' && isStopped(readStat(pid))) sendSignal(pid, 'SIGCONT');
  }
  return foreign;
}

/**
 * Whether a process that catches SIGHUP gets it without us. As the leader ends, the kernel sends it to the foreground
 * group, and to groups with a stopped member; a shell that is hung up sends it to its jobs. Processes that do not catch
 * it end by the first one, so that a second one cannot be told.
 */
function comesFromOthers(pid: number, leader: Leader, members: ReadonlyMap<number, ProcessStat | undefined>): boolean {
  const stat = members.get(pid);
  if (pid === leader.pid || stat === undefined || !catchesHangUp(pid)) return false;
  const { group } = stat;
  // The leader has ended, and may not be reaped yet: most likely with its own group in the foreground.
  const foreground = leader.isReaped() ? undefined : members.get(leader.pid)?.foregroundGroup;
  if (foreground === undefined || foreground < 0) return group === leader.pid;
  if (group === foreground) return true;
  const grouped = [...members].filter(([, other]) => other?.group === group);
  return grouped.some(([, other]) => isStopped(other) || isPassingOn(other?.parent, group, members));
}

/** Whether it is a shell of the session with jobs in groups of their own. */
function isPassingOn(
  pid: number | undefined,
  group: number,
  members: ReadonlyMap<number, ProcessStat | undefined>,
): boolean {
  const stat = pid === undefined ? undefined : members.get(pid);
  if (pid === undefined || stat === undefined || stat.group === group) return false;
  return PASS_ON.includes(processName(pid, stat.name).replace(/^-/, '')) && catchesHangUp(pid);
}

/** By a signal, or by a tracer. */
function isStopped(stat: ProcessStat | undefined): boolean {
  return stat?.state === 'T' || stat?.state === 't';
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
