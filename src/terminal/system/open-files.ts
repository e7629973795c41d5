/**
 * The soft limit of open files that a program starts with: that of whoever started the daemon. Node raises its own to the
 * hard one, which its children inherit: a million in containers, where programs that close or poll all descriptors take
 * seconds. prlimit(1) of util-linux sets it, in the program's own process before it is executed; without it, or on a system
 * without /proc, Node's remains.
 */
import { existsSync, readlinkSync } from 'node:fs';
import { readStat } from './processes.js';
import { readSmallFile } from './small-file.js';

const PRLIMIT = ['/usr/bin/prlimit', '/bin/prlimit'].find((file) => existsSync(file));

/** Processes above this one that are looked at: wrappers of npm and the client are some. */
const MOST_ANCESTORS = 8;

interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The limit of the nearest ancestor that is no Node; call it while the process that started this one runs.
 * Undefined: unknown, or that of this process.
 */
export function startersOpenFiles(): number | undefined {
  const own = softLimit('self');
  let pid = process.ppid;
  for (let count = 0; count < MOST_ANCESTORS && pid > 1; count++) {
    if (!isNode(pid)) {
      const limit = softLimit(pid);
      return limit === own ? undefined : limit;
    }
    pid = readStat(pid)?.parent ?? 0;
  }
  return undefined;
}

/** @returns the program, started with this soft limit; the hard one stays */
export function withOpenFiles(program: Program, limit: number | undefined): Program {
  if (limit === undefined || PRLIMIT === undefined) return program;
  return { file: PRLIMIT, args: [`--nofile=${limit}:`, '--', program.file, ...program.args] };
}

function softLimit(pid: number | 'self'): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(readSmallFile(`/proc/${pid}/limits`) ?? '')?.[1];
  return soft === undefined ? undefined : Number(soft);
}

/** Another user's process is none: its program cannot be read, and its limit can. */
function isNode(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) === readlinkSync('/proc/self/exe');
  } catch {
    return false;
  }
}
