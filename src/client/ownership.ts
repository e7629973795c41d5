/**
 * Whether a file is the caller's own, which decides whom a client trusts. In a user namespace the kernel shows every user that is
 * not mapped there as one, the overflow uid: that of a directory in front of it proves nothing and need not, but the caller's own
 * number may be that one too (`unshare -U`, or nobody in a container). Then it is asked for what only an owner may do.
 */
import { lutimesSync, readFileSync, type Stats } from 'node:fs';

/** The kernel's default, https://docs.kernel.org/admin-guide/sysctl/kernel.html#overflowgid-overflowuid. */
const OVERFLOW_UID = 65_534;
/** Of the machine's own namespace, in which nobody is hidden. */
const ALL_USERS = /^\s*0\s+0\s+4294967295\s*$/;

export function isOurs(path: string, stat: Stats): boolean {
  if (stat.uid !== process.getuid?.()) return false;
  // All but the few who have that number pay one comparison.
  return stat.uid !== OVERFLOW_UID || !hidesUsers() || maySetTimes(path, stat);
}

function hidesUsers(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return !ALL_USERS.test(readFileSync('/proc/self/uid_map', 'latin1'));
  } catch {
    return true; // No /proc: it may be.
  }
}

/** Security: utimensat(2) with times of the caller's choice is for the owner, also where others may write. Links are not followed. */
function maySetTimes(path: string, { atime, mtime }: Stats): boolean {
  try {
    lutimesSync(path, atime, mtime);
    return true;
  } catch {
    return false; // EPERM: another user's. EROFS, EACCES: not known to be ours.
  }
}
