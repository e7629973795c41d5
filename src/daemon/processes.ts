/**
 * Questions about other processes and signals to them. Linux answers from /proc; elsewhere only what a process group
 * knows is known, and the functions say `undefined` or an empty list rather than guess.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';

/** Fields of /proc/PID/stat (proc_pid_stat(5)) that follow the name in parentheses. */
interface ProcessStat {
  readonly name: string;
  readonly state: string;
  readonly group: number;
  readonly session: number;
  /** Foreground process group of its controlling terminal; -1 without one. */
  readonly foregroundGroup: number;
}

export function readStat(pid: number): ProcessStat | undefined {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name may hold spaces and parentheses itself: the last one closes it.
  const close = line.lastIndexOf(')');
  const fields = line.slice(close + 2).split(' ');
  return {
    name: line.slice(line.indexOf('(') + 1, close),
    state: fields[0] ?? '',
    group: Number(fields[2]),
    session: Number(fields[3]),
    foregroundGroup: Number(fields[5]),
  };
}

/** Name of the process that leads the foreground group of the terminal whose session `leader` leads. */
export function foregroundName(leader: number): string | undefined {
  const group = readStat(leader)?.foregroundGroup;
  return group === undefined || group <= 0 ? undefined : readStat(group)?.name;
}

/** Live processes of the session, its leader included; empty where the system has no /proc. */
export function sessionMembers(leader: number): number[] {
  let entries: string[];
  try {
    entries = readdirSync('/proc');
  } catch {
    return [];
  }
  return entries
    .map(Number)
    .filter((pid) => Number.isInteger(pid))
    .filter((pid) => isMember(pid, leader));
}

/** Whether it lives in the session that `leader` leads. */
export function isMember(pid: number, leader: number): boolean {
  const stat = readStat(pid);
  return stat !== undefined && stat.session === leader && stat.state !== 'Z';
}

/** False when there is no such process (or group, for a negative pid) any more. */
export function sendSignal(pid: number, signal: NodeJS.Signals | number): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** "SIGINT", "int" or 2 as the system's signal; undefined when there is none such. */
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
