/** Who sleeps in a wait for the terminal's input, as a value to compare: equal twice, none of them has run in between. */
import { isWaitingForInput } from '../../events/awaiting-input.js';
import { foregroundThreads } from './blocked-threads.js';
import { contextSwitches } from './context-switches.js';
import type { ProbedTerminal } from './input-probe.js';

/** Empty where nobody does, or the system does not tell. */
export function sleepingReaders({ pid, device }: ProbedTerminal): string {
  // The switches are read last: a thread that wakes after the look at what it is blocked in is counted by the next one.
  return foregroundThreads(pid, device)
    .filter(isWaitingForInput)
    .map((thread) => `${thread.pid}/${thread.thread}: ${contextSwitches(thread.pid, thread.thread)}`)
    .join('\n');
}
