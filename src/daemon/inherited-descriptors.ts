/**
 * Descriptors that whoever started the daemon has left open for it by accident. They would be open in every program of
 * every terminal, for as long as the daemon lives: a pipe whose reader waits for its end would wait for days. Node opens
 * its own with O_CLOEXEC, which tells them apart.
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
