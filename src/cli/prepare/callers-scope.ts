/**
 * Scope of the commands of one shell: its session, which a shell and its scripts and pipelines share. A command that has a
 * session of its own, as some tools start theirs, has the scope of its parent.
 */
import { readFileSync, readlinkSync } from 'node:fs';

/** Names of a system for its processes. */
export interface ProcessNames {
  readonly pid: number;
  readonly ppid: number;
  /** Text of a file under /proc. @throws if there is none */
  readonly stat: (of: string) => string;
  /** Namespace of the pids. @throws if it is unknown */
  readonly namespace: () => string;
}

const OWN: ProcessNames = {
  pid: process.pid,
  get ppid() {
    return process.ppid;
  },
  // The name of a program may be no UTF-8, but what is read here comes after it. Node reads UTF-8 in one step.
  stat: (of) => readFileSync(`/proc/${of}/stat`, 'utf8'),
  namespace: () => readlinkSync('/proc/self/ns/pid'),
};

/** Scope of the caller. Without /proc (macOS) it is the parent's pid alone. */
export function callersScope(names = OWN): string {
  const session = sessionOf(names);
  const started = session === undefined ? undefined : startOf(session, names);
  if (session !== undefined && started !== undefined) return `s${session}.${started}.${namespaceOf(names)}`;
  return `p${names.ppid}.${startOf(String(names.ppid), names) ?? ''}.${namespaceOf(names)}`;
}

/** The process that started this one. */
export function callersProcess(names = OWN): { readonly pid: number; readonly started?: string } {
  const { ppid } = names;
  const started = startOf(String(ppid), names);
  return { pid: ppid, ...(started === undefined ? {} : { started }) };
}

/** Undefined: its leader is this process, or in another namespace of pids. */
function sessionOf(names: ProcessNames): string | undefined {
  const session = fieldOf('self', SESSION, names);
  return session === '0' || session === String(names.pid) ? undefined : session;
}

/** Pids are given out again. Undefined if the process has gone. */
function startOf(pid: string, names: ProcessNames): string | undefined {
  return fieldOf(pid, START, names);
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, fields 6 and 22, counted from field 3. */
const SESSION = 6 - 3;
const START = 22 - 3;

function fieldOf(pid: string, index: number, { stat }: ProcessNames): string | undefined {
  try {
    const text = stat(pid);
    // Field 2, the program's name, may itself hold blanks and parentheses.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[index];
  } catch {
    return undefined;
  }
}

function namespaceOf({ namespace }: ProcessNames): string {
  try {
    return namespace().replaceAll(/\D/g, '');
  } catch {
    return '';
  }
}
