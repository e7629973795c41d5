/**
 * Descriptors that a process gets from its parent by accident. Node opens its own with O_CLOEXEC, which tells them apart.
 *
 * The daemon closes those that whoever started it has left open: they would be open in every program of every terminal,
 * and a pipe whose reader waits for its end would wait for days. Its own children must not get the masters of PTYs, which
 * node-pty leaves inheritable: the kernel hangs up once nobody has the master open.
 */
import { closeSync, readFileSync, readdirSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;
const FIRST_AFTER_STANDARD = 3;

/** To be called before anything is opened. @param kept the channel to a parent that is Node itself, if there is one */
export function closeInheritedDescriptors(kept: string | undefined): void {
  for (const name of openDescriptors()) {
    const fd = Number(name);
    if (fd < FIRST_AFTER_STANDARD || name === kept || !isInherited(fd)) continue;
    try {
      closeSync(fd);
    } catch {
      // EBADF: it was the listing's own.
    }
  }
}

/**
 * Of a child's `stdio`, what follows the first three: whatever it would inherit is /dev/null in it.
 * @param devNull a descriptor of /dev/null
 */
export function withoutInherited(devNull: number): (number | 'ignore')[] {
  const inherited = new Set(openDescriptors().map(Number).filter(isInherited));
  const count = Math.max(0, ...inherited) - FIRST_AFTER_STANDARD + 1;
  // "ignore" leaves a descriptor of the child as it is.
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
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false; // ENOENT: it was the listing's own.
  }
}
