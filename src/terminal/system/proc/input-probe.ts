/** One probe of whether a terminal's program waits for input. */
import { existsSync } from 'node:fs';
import { platform } from 'node:os';
import {
  type AwaitingInput,
  decideAwaitingInput,
  isCertainReader,
  mayAwaitInput,
} from '../../../events/awaiting-input.js';
import { innermostForeground } from './foreground.js';
import { passesOn } from './relays.js';
import type { Stty } from '../stty.js';
import { readTerminalFlags } from '../termios.js';

/**
 * Elsewhere the system does not report in which call a process is blocked, and a guess would be worse than nothing. A
 * container may have no /proc, and another kernel no such file in it.
 */
export const canProbeInput = platform() === 'linux' && existsSync('/proc/self/syscall');

export interface ProbedTerminal {
  /** The process that leads the terminal's session. */
  readonly pid: number;
  readonly device: string;
  readonly stty: Stty;
}

export interface ProbedState {
  readonly atShellPrompt: () => boolean;
  /** Whether the process has run since it was sent input. */
  readonly hasRun: (pid: number) => boolean;
  /** Whether those of the group compute. */
  readonly isComputing: (processes: readonly number[]) => boolean;
  /** Told of each reader that is found. @param mayTurn it is likely only for now: something works beside it */
  readonly onReader?: (mayTurn: boolean) => void;
}

export async function probeAwaitingInput(
  { pid, device, stty }: ProbedTerminal,
  { atShellPrompt, hasRun, isComputing: compute, onReader }: ProbedState,
): Promise<AwaitingInput | undefined> {
  if (!canProbeInput) return undefined;
  const { threads, device: readDevice } = innermostForeground(pid, device);
  if (!mayAwaitInput(threads)) return undefined;
  const flags = await readTerminalFlags(stty, readDevice);
  if (flags === undefined) return undefined;
  // Before the second reading: a process that sleeps then has run before, and sleeps until its input reaches it.
  const haveRun = new Set([...new Set(threads.map((thread) => thread.pid))].filter(hasRun));
  // A second reading: programs set the flags just before they read, and the first one may have come before that.
  const again = innermostForeground(pid, device);
  if (again.device !== readDevice) return undefined;
  const isComputing = compute(again.processes);
  onReader?.(again.threads.some((thread) => isCertainReader(thread) && !passesOn(thread)));
  if (readDevice === device) {
    const around = { atShellPrompt: atShellPrompt(), isComputing, passesOn };
    const found = decideAwaitingInput(again.threads, flags, around);
    return found !== undefined && haveRun.has(found.pid) ? found : undefined;
  }
  const found = decideAwaitingInput(again.threads, flags, { atShellPrompt: false, isComputing, passesOn });
  if (found === undefined || !haveRun.has(found.pid)) return undefined;
  // Keys pass through the outer terminal, whose flags say nothing of who shows them.
  if (again.isLikely === true) return { ...found, certain: false, secrecy: 'unknown' };
  return found.secrecy === 'hidden' ? { ...found, secrecy: 'unknown' } : found;
}
