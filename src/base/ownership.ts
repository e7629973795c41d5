/**
 * Whether a file is the caller's own, and the caller's alone to change, which decides whether t4a trusts it. In a user namespace the kernel shows
 * all users that are not mapped there as one, the overflow uid: as the owner of a directory above it is no proof and
 * need not be, but the caller's own number may be the overflow uid, too (`unshare -U`, or nobody in a container). Then
 * an operation that only an owner may do is tried.
 */

type Stats = ReturnType<typeof process.getBuiltinModule<'node:fs'>>['Stats']['prototype'];

/** The kernel's default, https://docs.kernel.org/admin-guide/sysctl/kernel.html#overflowgid-overflowuid. */
const OVERFLOW_UID = 65_534;
/** The map of the machine's own namespace, in which all users are visible. */
const ALL_USERS = /^\s*0\s+0\s+4294967295\s*$/;

/** Write bits of the group and of all others: who has one may change a file, or put another into a folder. */
const OTHERS_WRITE = 0o022;

export function isOthersToWrite({ mode }: Pick<Stats, 'mode'>): boolean {
  return (mode & OTHERS_WRITE) !== 0;
}

/** Why somebody else could change the file, or what is in the folder; undefined if nobody else can. */
export function whyUnsafe(path: string, stat: Stats): string | undefined {
  if (!isOurs(path, stat)) return `belongs to another user (uid ${stat.uid})`;
  return isOthersToWrite(stat) ? 'can be written by others' : undefined;
}

export function isOurs(path: string, stat: Stats): boolean {
  if (stat.uid !== process.getuid?.()) return false;
  // All users with another number pay one comparison.
  return stat.uid !== OVERFLOW_UID || !hidesUsers() || maySetTimes(path, stat);
}

function hidesUsers(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { readFileSync } = process.getBuiltinModule('node:fs');
    return !ALL_USERS.test(readFileSync('/proc/self/uid_map', 'latin1'));
  } catch {
    return true; // No /proc: assume the possibility.
  }
}

/** Security: utimensat(2) with chosen times is for the owner, even where others may write. Links are not followed. */
function maySetTimes(path: string, { atime, mtime }: Stats): boolean {
  try {
    process.getBuiltinModule('node:fs').lutimesSync(path, atime, mtime);
    return true;
  } catch {
    return false; // EPERM: another user's. EROFS, EACCES: ownership unknown.
  }
}
