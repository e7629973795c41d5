/**
 * How many more processes and threads the system lets this process start; both count alike. node-pty starts a thread
 * for each program, and libuv and libvips some for pictures: if the system refuses one, they abort the daemon with all
 * its terminals. So the room is checked before. Other processes start theirs in between, which is what the callers'
 * reserves are for.
 *
 * Unlimited if the system does not report it (macOS).
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Beyond this many the exact count, which reads every process, is not needed. */
const PLENTY = 256;

export function taskRoom(proc = '/proc', cgroups = '/sys/fs/cgroup'): number {
  return Math.min(userRoom(proc), ...cgroupRooms(proc, cgroups));
}

/** From RLIMIT_NPROC, which does not apply to root. */
function userRoom(proc: string): number {
  if (process.getuid?.() === 0 && /^\s*0\s+0\s+4294967295/.test(contents(proc, 'self/uid_map'))) return Infinity;
  const most = /^Max processes\s+(\d+)/m.exec(contents(proc, 'self/limits'))?.[1];
  if (most === undefined) return Infinity;
  const ofAll = /\/(\d+)/.exec(contents(proc, 'loadavg'))?.[1];
  const atLeast = ofAll === undefined ? 0 : Number(most) - Number(ofAll);
  return atLeast >= PLENTY ? atLeast : Number(most) - tasksOfUser(proc);
}

function tasksOfUser(proc: string): number {
  const uid = process.getuid?.();
  let tasks = 0;
  for (const name of readdirSync(proc)) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statSync(path.join(proc, name, 'task'), { throwIfNoEntry: false });
    // One directory for each thread, beside its own and its parent's.
    if (stat?.uid === uid) tasks += stat?.nlink === undefined ? 0 : stat.nlink - 2;
  }
  return tasks;
}

/**
 * From pids.max of each control group of this process, from its own up to the root: version 2, and the controller of
 * version 1.
 */
function cgroupRooms(proc: string, cgroups: string): number[] {
  const rooms: number[] = [];
  for (const [, controllers, group = ''] of contents(proc, 'self/cgroup').matchAll(/^\d+:(.*?):(.*)$/gm)) {
    if (controllers !== '' && controllers?.split(',').includes('pids') !== true) continue;
    const root = controllers === '' ? cgroups : path.join(cgroups, 'pids');
    for (let at = path.join(root, group); at.startsWith(root); at = path.dirname(at)) {
      const most = Number.parseInt(contents(at, 'pids.max'), 10);
      const present = Number.parseInt(contents(at, 'pids.current'), 10);
      if (Number.isInteger(most) && Number.isInteger(present)) rooms.push(most - present);
      if (at === root) break;
    }
  }
  return rooms;
}

/** Empty if the file is missing or unreadable. */
function contents(...names: readonly [string, string]): string {
  try {
    return readFileSync(path.join(...names), 'utf8');
  } catch {
    // ENOENT, EACCES: no limit is known.
    return '';
  }
}
