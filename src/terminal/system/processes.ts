/**
 * Queries about other processes, and signals to them. Linux answers from /proc; elsewhere only process groups are
 * known, and the functions return `undefined` or an empty list instead of guessing.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { errnoOf } from '../../base/errno.js';
import { processName } from './process-name.js';
import { readSmallFile } from './small-file.js';

/** Fields of /proc/PID/stat (proc_pid_stat(5)) that follow the name in parentheses. */
export interface ProcessStat {
  /** Name of its main thread, or of its program if a runtime has renamed the thread (process-name.ts). */
  readonly name: string;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Device number of its controlling terminal, as the kernel packs it; 0 without one. */
  readonly terminal: number;
  /** Foreground process group of its controlling terminal; -1 without one. */
  readonly foregroundGroup: number;
  /** Number of its threads. */
  readonly threads: number;
  /** Ticks since the boot, as text: pids are given out again. */
  readonly started: string;
}

/** Of some fifty; the start is the last one that is read. */
const STAT_FIELDS = 20;

export function readStat(pid: number): ProcessStat | undefined {
  const line = readSmallFile(`/proc/${pid}/stat`);
  if (line === undefined) return undefined;
  // The name may hold spaces and parentheses: the last one closes it.
  const close = line.lastIndexOf(')');
  const fields = line.slice(close + 2).split(' ', STAT_FIELDS);
  return {
    name: line.slice(line.indexOf('(') + 1, close),
    state: fields[0] ?? '',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    terminal: Number(fields[4]),
    foregroundGroup: Number(fields[5]),
    threads: Number(fields[17]),
    started: fields[19] ?? '',
  };
}

/** A process that computes, waits for a processor or the disk, or is stopped: it has not come to its next read yet. */
export function isHeldUp(pid: number): boolean {
  const state = readStat(pid)?.state;
  return state !== undefined && HELD_UP.includes(state);
}

/** States of proc_pid_stat(5): running, in the sleep of a disk, stopped, stopped by a tracer. */
const HELD_UP: readonly string[] = ['R', 'D', 'T', 't'];

/** Name of the leader of the foreground group, in the terminal of the session that `leader` leads. */
export function foregroundName(leader: number): string | undefined {
  const stat = readStat(leader);
  const group = stat?.foregroundGroup;
  const name = group === undefined || group <= 0 ? undefined : (group === leader ? stat : readStat(group))?.name;
  return group === undefined || name === undefined ? undefined : processName(group, name);
}

/** Whether it is a live process of the session that `leader` leads. */
export function isMember(pid: number, leader: number): boolean {
  return liveSession(pid) === leader;
}

/** Its session; undefined for a zombie, which only waits to be reaped. */
export function liveSession(pid: number): number | undefined {
  const stat = readStat(pid);
  return stat === undefined || stat.state === 'Z' ? undefined : stat.session;
}

/** Whether SIGHUP is ignored, as by nohup and daemons. False on a system without /proc. */
export function ignoresHangUp(pid: number): boolean {
  return hasHangUp(pid, ['SigIgn']);
}

/** Whether it has a handler of SIGHUP. False on a system without /proc. */
export function catchesHangUp(pid: number): boolean {
  return hasHangUp(pid, ['SigCgt']);
}

/** Whether SIGHUP has been sent to it already, and it has not run since. False on a system without /proc. */
export function isHungUp(pid: number): boolean {
  return hasHangUp(pid, ['SigPnd', 'ShdPnd']);
}

function hasHangUp(pid: number, sets: readonly string[]): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return sets.some((set) => {
      const [, signals = '0'] = new RegExp(`^${set}:\\s*([\\da-f]+)$`, 'm').exec(status) ?? [];
      return (BigInt(`0x${signals}`) & 1n) !== 0n;
    });
  } catch {
    return false; // ENOENT: it has ended, or there is no /proc.
  }
}

/** All pids; empty on a system without /proc. */
export function allPids(): number[] {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return [];
  }
  return entries.map(Number).filter((pid) => Number.isInteger(pid));
}

/** `not_ours`: it exists, and the daemon may not signal it. For a group: none of its members may be signalled. */
export type SignalOutcome = 'sent' | 'gone' | 'not_ours';

const REFUSED: Readonly<Record<string, SignalOutcome>> = { ESRCH: 'gone', EPERM: 'not_ours' };

/** @param pid negative for a process group */
export function sendSignal(pid: number, signal: NodeJS.Signals | number): SignalOutcome {
  try {
    process.kill(pid, signal);
    return 'sent';
  } catch (error) {
    const outcome = REFUSED[errnoOf(error) ?? ''];
    if (outcome === undefined) throw error;
    return outcome;
  }
}

/** "SIGINT", "int" or 2 as the system's signal; undefined if there is none. */
export function parseSignal(signal: string | number): { name: NodeJS.Signals; number: number } | undefined {
  const wanted = typeof signal === 'string' && /^\d+$/.test(signal) ? Number(signal) : signal;
  const spelled = typeof wanted === 'string' ? wanted.toUpperCase().replace(/^(?!SIG)/, 'SIG') : undefined;
  for (const [name, number] of Object.entries(constants.signals)) {
    if (name === spelled || number === wanted) return { name: name as NodeJS.Signals, number };
  }
  return undefined;
}

export const SIGNAL_NAMES = Object.keys(constants.signals);

export function signalName(number: number | null): string | null {
  return number === null ? null : (parseSignal(number)?.name ?? `SIG${number}`);
}
