/**
 * Programs in the panes of tmux. Its client hands its terminal to a server, which is no descendant of ours and reads the keys;
 * the panes are children of that server, each in a terminal of its own. Which of them is shown is not to be seen here.
 */
import { readdirSync, statSync } from 'node:fs';
import { allPids, readStat } from '../processes.js';

const CLIENT = 'tmux: client';
const SERVER = 'tmux: server';

export interface Pane {
  readonly leader: number;
  /** As in {@link readStat}. */
  readonly terminal: number;
}

/** Of the servers that have this terminal open; none unless one of the processes, given by their names, is a client of tmux. */
export function tmuxPanes(processes: readonly string[], device: string): Pane[] {
  if (!processes.includes(CLIENT)) return [];
  const terminal = statSync(device, { throwIfNoEntry: false })?.rdev;
  if (terminal === undefined) return [];
  const stats = allPids().flatMap((pid) => {
    const stat = readStat(pid);
    return stat === undefined ? [] : [{ pid, ...stat }];
  });
  const servers = new Set(
    stats.filter(({ pid, name }) => name === SERVER && hasOpen(pid, terminal)).map(({ pid }) => pid),
  );
  return stats
    .filter(({ pid, parent, session }) => servers.has(parent) && session === pid)
    .map(({ pid, terminal: own }) => ({ leader: pid, terminal: own }));
}

function hasOpen(pid: number, device: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      return statSync(`/proc/${pid}/fd/${fd}`, { throwIfNoEntry: false })?.rdev === device;
    });
  } catch {
    // Another user's, or gone.
    return false;
  }
}
