/** Who sleeps in a wait for the terminal's input, and whether they have slept ever since. */
import { isWaitingForInput } from '../../../events/input/awaiting-input.js';
import { foregroundThreads } from './blocked-threads.js';
import type { ProbedTerminal } from './input-probe.js';
import { threadStatus } from './thread-status.js';

export interface SleepingReader {
  readonly pid: number;
  readonly thread: number;
  readonly switches: number;
}

/** Of the foreground group. Empty where nobody does, or the system does not tell. */
export function sleepingReaders({ pid, device }: Pick<ProbedTerminal, 'pid' | 'device'>): SleepingReader[] {
  return foregroundThreads(pid, device)
    .filter(isWaitingForInput)
    .flatMap(({ pid: process, thread }) => {
      const status = threadStatus(process, thread);
      return status === undefined ? [] : [{ pid: process, thread, switches: status.switches }];
    });
}

/** One small file for each is read, in some 20 µs. */
export function haveSlept(readers: readonly SleepingReader[]): boolean {
  return readers.every(({ pid, thread, switches }) => {
    const now = threadStatus(pid, thread);
    return now?.state === 'S' && now.switches === switches;
  });
}
