/**
 * The foreground program behind terminals of its own: sudo (use_pty), script, expect and su --pty run their command in
 * a second terminal, and pass on keys and output. What reads that one is who waits.
 *
 * Only a process that waits for the outer terminal passes keys on: a script of expect that answers by itself asks
 * nobody. Commands on other hosts (ssh) are no descendants, and stay unknown. Those of tmux are children of its server:
 * where all of its panes wait, the one that is shown does.
 */
import { statSync } from 'node:fs';
import { type ThreadActivity, isWaitingForInput } from '../../../events/awaiting-input.js';
import { type ElsewhereProcess, foregroundOf } from './blocked-threads.js';
import { readSmallFile } from '../small-file.js';
import { isInteractiveShell } from './shell-process.js';
import { tmuxPanes } from './tmux-panes.js';

/** sudo in script in expect: each is one more. */
const MAX_DEPTH = 4;

export interface Foreground {
  /** Path of the terminal whose flags count. */
  readonly device: string;
  readonly threads: readonly ThreadActivity[];
  /** As in {@link ForegroundThreads}. */
  readonly processes: readonly number[];
  /** Its terminal may be one that is not shown. */
  readonly isLikely?: true;
}

/** @param leader the process that leads the terminal's session @param device path of the terminal */
export function innermostForeground(leader: number, device: string, depth = 0): Foreground {
  const { threads, processes, elsewhere, threadsOf } = foregroundOf(leader, device);
  const own = { device, threads, processes };
  if (depth === MAX_DEPTH) return own;
  if (!threads.some(isWaitingForInput)) {
    const pane = waitingPane(threads, device, depth);
    if (pane !== undefined) return { ...pane, isLikely: true };
  }
  if (elsewhere.length === 0) return own;
  if (threads.some(isWaitingForInput)) {
    if (!threads.some(passesKeysOn)) return own;
    const inner = innerTerminals(elsewhere).map((each) => innermostForeground(each.leader, each.device, depth + 1));
    return inner.find((each) => each.threads.some(isWaitingForInput)) ?? inner[0] ?? own;
  }
  // Of a session without a terminal, as of su -c and setsid: it reads this one by what it has inherited.
  const detached = elsewhere.filter(({ terminal }) => terminal === 0).flatMap(({ pid }) => threadsOf(pid));
  return detached.some(isReader) ? { ...own, threads: detached } : own;
}

/** Only if all panes wait: which one is shown is not known. */
function waitingPane(threads: readonly ThreadActivity[], device: string, depth: number): Foreground | undefined {
  const names = threads.map(({ process }) => process);
  const panes = tmuxPanes(names, device).map(({ leader, terminal }) => {
    const own = pathOf(terminal);
    return own === undefined ? undefined : innermostForeground(leader, own, depth + 1);
  });
  return panes.every((pane) => pane?.threads.some(isWaitingForInput) === true) ? panes.at(-1) : undefined;
}

/** Whether it waits no longer than a time of its own. */
export function hasTimeLimit(
  { pid, device }: { readonly pid: number; readonly device: string },
  reader: number,
): boolean {
  return innermostForeground(pid, device).threads.some(
    ({ pid: process, blockedIn }) => process === reader && blockedIn.kind === 'poll' && blockedIn.timeLimit,
  );
}

/** Whether its output goes into a pipe or a file. False if unknown. */
export function printsElsewhere(pid: number): boolean {
  try {
    return !statSync(`/proc/${pid}/fd/1`).isCharacterDevice();
  } catch {
    // It is gone, has no output, or is another user's.
    return false;
  }
}

/** Whether the system calls of a process may be read. Those of setuid programs may not, but by root. */
export function mayBeInspected(pid: number): boolean {
  return readSmallFile(`/proc/${pid}/syscall`) !== undefined;
}

/** A shell that waits for its command line waits for that alone, whatever its background jobs do. */
function passesKeysOn(thread: ThreadActivity): boolean {
  return isWaitingForInput(thread) && !isInteractiveShell(thread.pid);
}

function isReader({ blockedIn }: ThreadActivity): boolean {
  return blockedIn.kind === 'read' && blockedIn.terminal;
}

function innerTerminals(elsewhere: readonly ElsewhereProcess[]): { leader: number; device: string }[] {
  const leaders = new Map<number, string>();
  for (const { session, terminal } of elsewhere) {
    const device = pathOf(terminal);
    if (device !== undefined) leaders.set(session, device);
  }
  return Array.from(leaders, ([leader, device]) => ({ leader, device }));
}

/** Majors of the slave sides of pseudoterminals (admin-guide/devices.txt); the kernel packs a minor of 20 bits. */
const FIRST_MAJOR = 136;
const LAST_MAJOR = 143;

function pathOf(terminal: number): string | undefined {
  const major = (terminal >> 8) & 0xfff;
  if (major < FIRST_MAJOR || major > LAST_MAJOR) return undefined;
  return `/dev/pts/${(major - FIRST_MAJOR) * 256 + ((terminal & 0xff) | ((terminal >> 12) & 0xfff00))}`;
}
