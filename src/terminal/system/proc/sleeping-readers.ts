/** Threads that sleep in a read of the terminal, and whether they have slept ever since. */
import { isWaitingForInput, type ThreadActivity } from '../../../events/awaiting-input.js';
import { foregroundThreads } from './blocked-threads.js';
import type { ProbedTerminal } from './input-probe.js';
import { threadStatus } from './thread-status.js';

export interface SleepingReader {
  readonly pid: number;
  readonly thread: number;
  readonly switches: number;
}

/** Threads of the foreground group. Empty if there are none, or the system does not report them. */
export function sleepingReaders(
  { pid, device }: Pick<ProbedTerminal, 'pid' | 'device'>,
  isMeant: (thread: ThreadActivity) => boolean = () => true,
): SleepingReader[] {
  return sleepersOf(foregroundThreads(pid, device).filter((thread) => isWaitingForInput(thread) && isMeant(thread)));
}

/** Threads as {@link sleepingReaders} has them. Empty while any other thread of the foreground group runs. */
export function restingReaders({ pid, device }: Pick<ProbedTerminal, 'pid' | 'device'>): SleepingReader[] {
  const threads = foregroundThreads(pid, device);
  const isRunning = threads.some(({ blockedIn }) => blockedIn.kind === 'other' && blockedIn.work === 'runs');
  return isRunning ? [] : sleepersOf(threads.filter(isWaitingForInput));
}

function sleepersOf(threads: readonly Pick<ThreadActivity, 'pid' | 'thread'>[]): SleepingReader[] {
  return threads.flatMap(({ pid, thread }) => {
    const status = threadStatus(pid, thread);
    return status === undefined ? [] : [{ pid, thread, switches: status.switches }];
  });
}

/** Whether a thread of the foreground group waits for keys, be it beside other things. True where the system does not say. */
export function waitsForKeys({ pid, device }: Pick<ProbedTerminal, 'pid' | 'device'>): boolean {
  const threads = foregroundThreads(pid, device);
  const isKnown = threads.some(({ blockedIn }) => blockedIn.kind !== 'hidden');
  return !isKnown || threads.some(({ blockedIn }) => 'terminal' in blockedIn && blockedIn.terminal);
}

/** Reads one small file for each, in some 20 µs. */
export function haveSlept(readers: readonly SleepingReader[]): boolean {
  return readers.every(({ pid, thread, switches }) => {
    const now = threadStatus(pid, thread);
    return now?.state === 'S' && now.switches === switches;
  });
}
