/**
 * Descriptors that a process inherits by accident. Node opens its own with O_CLOEXEC, which distinguishes them.
 *
 * The daemon closes those that its starter has left open: they would be open in every program of every terminal, and a
 * reader that waits for the end of such a pipe would wait for days. Its own children must not get the masters of PTYs,
 * which node-pty leaves inheritable: the kernel hangs up once no process has the master open.
 */
import { closeSync, openSync, readSync, readdirSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;
const FIRST_AFTER_STANDARD = 3;

/**
 * Call it before anything is opened.
 * @param kept descriptor of the channel to a Node parent, if there is one
 * @param first those before it are meant for this process
 */
export function closeInheritedDescriptors(kept: string | undefined, first = FIRST_AFTER_STANDARD): void {
  for (const name of openDescriptors()) {
    const fd = Number(name);
    if (fd < first || name === kept || !isInherited(fd)) continue;
    try {
      closeSync(fd);
    } catch {
      // EBADF: it was the descriptor of the listing itself.
    }
  }
}

/**
 * Entries of a child's `stdio` after the first three: inherited descriptors become /dev/null.
 * @param devNull a descriptor of /dev/null
 */
export function withoutInherited(devNull: number): (number | 'ignore')[] {
  const inherited = new Set(openDescriptors().map(Number).filter(isInherited));
  const count = Math.max(0, ...inherited) - FIRST_AFTER_STANDARD + 1;
  // "ignore" leaves this descriptor of the child closed.
  return Array.from({ length: Math.max(0, count) }, (_, at) =>
    inherited.has(at + FIRST_AFTER_STANDARD) ? devNull : 'ignore',
  );
}

function openDescriptors(): string[] {
  try {
    return readdirSync('/proc/self/fd');
  } catch {
    return []; // ENOENT: a system without /proc.
  }
}

/** https://man7.org/linux/man-pages/man5/proc_pid_fdinfo.5.html: flags in octal, close-on-exec among them. */
function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(beginOf(`/proc/self/fdinfo/${fd}`))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false; // ENOENT: it was the descriptor of the listing itself.
  }
}

/** The flags are in the second line. */
const begin = Buffer.alloc(256);

/** Three system calls; `readFileSync` makes five, which for twenty descriptors is a millisecond of the daemon's start. */
function beginOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    return begin.toString('latin1', 0, readSync(file, begin));
  } finally {
    closeSync(file);
  }
}
