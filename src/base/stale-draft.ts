/**
 * The draft of a writer that was killed. It is the claim of one writer among several, so it is removed only once it is old and no
 * process has it open, and by one process alone. Systems without /proc keep it. Nothing of Node is imported, as in `private-file.ts`.
 */
import { systemClock } from './clock.js';

/** A writer that lives has its draft for a moment, and open all the time. */
const OLD_MS = 10_000;

/** @returns whether it was removed */
export function dropStaleDraft(path: string): boolean {
  const { linkSync, lstatSync, rmSync } = process.getBuiltinModule('node:fs');
  try {
    const { dev, ino, mtimeMs } = lstatSync(path);
    if (systemClock.wallNow() - mtimeMs < OLD_MS || isOpen(dev, ino) !== false) return false;
    // Of several that have found it, the one that makes this name removes it: until then another cannot have a new one there.
    const taken = `${path}.${ino}`;
    linkSync(path, taken);
    try {
      if (lstatSync(taken).ino !== ino) return false;
      rmSync(path);
      return true;
    } finally {
      rmSync(taken, { force: true });
    }
  } catch {
    return false;
  }
}

/** Whether a process whose descriptors can be seen has it open. @returns undefined: the system does not show them */
function isOpen(dev: number, ino: number): boolean | undefined {
  const { existsSync, readdirSync, statSync } = process.getBuiltinModule('node:fs');
  if (!existsSync('/proc/self/fd')) return undefined;
  const isIt = (file: string): boolean => {
    try {
      const stat = statSync(file);
      return stat.dev === dev && stat.ino === ino;
    } catch {
      return false;
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.some((pid) => {
    try {
      return readdirSync(`/proc/${pid}/fd`).some((fd) => isIt(`/proc/${pid}/fd/${fd}`));
    } catch {
      // It has ended, or is another user's.
      return false;
    }
  });
}
