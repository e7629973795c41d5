/** One look at whether a terminal's program waits for input. */
import { existsSync } from 'node:fs';
import { platform } from 'node:os';
import { type AwaitingInput, decideAwaitingInput, mayAwaitInput } from '../../../events/input/awaiting-input.js';
import { foregroundThreads } from './blocked-threads.js';
import type { Stty } from '../stty.js';
import { readTerminalFlags } from '../termios.js';

/**
 * Elsewhere nobody says what a process is blocked in, and a guess would be worse than none. A container may have no /proc, and
 * a kernel of another make no such file in it.
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
  /** Whether the process has taken note of what it was sent. */
  readonly hasRun: (pid: number) => boolean;
}

export async function probeAwaitingInput(
  { pid, device, stty }: ProbedTerminal,
  { atShellPrompt, hasRun }: ProbedState,
): Promise<AwaitingInput | undefined> {
  if (!canProbeInput) return undefined;
  const threads = foregroundThreads(pid, device);
  if (!mayAwaitInput(threads)) return undefined;
  const flags = await readTerminalFlags(stty, device);
  if (flags === undefined) return undefined;
  // Before the last look: who is asleep then is so after it has run, and not until its input reaches it.
  const haveRun = new Set([...new Set(threads.map((thread) => thread.pid))].filter(hasRun));
  // Once more: programs set the flags just before they read, and the first look may have been before that.
  const found = decideAwaitingInput(foregroundThreads(pid, device), flags, atShellPrompt());
  return found !== undefined && haveRun.has(found.pid) ? found : undefined;
}
