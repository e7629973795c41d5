/** One look at whether a terminal's program waits for input. */
import { existsSync } from 'node:fs';
import { platform } from 'node:os';
import { type AwaitingInput, decideAwaitingInput, mayAwaitInput } from '../../events/awaiting-input.js';
import { foregroundThreads } from './blocked-threads.js';
import { readTerminalFlags } from './terminal-flags.js';

/**
 * Elsewhere nobody says what a process is blocked in, and a guess would be worse than none. A container may have no /proc, and
 * a kernel of another make no such file in it.
 */
export const canProbeInput = platform() === 'linux' && existsSync('/proc/self/syscall');

export interface ProbedTerminal {
  /** The process that leads the terminal's session. */
  readonly pid: number;
  readonly device: string;
}

export async function probeAwaitingInput(
  { pid, device }: ProbedTerminal,
  atShellPrompt: () => boolean,
): Promise<AwaitingInput | undefined> {
  if (!canProbeInput || !mayAwaitInput(foregroundThreads(pid, device))) return undefined;
  const flags = await readTerminalFlags(device);
  if (flags === undefined) return undefined;
  // Once more: programs set the flags just before they read, and the first look may have been before that.
  return decideAwaitingInput(foregroundThreads(pid, device), flags, atShellPrompt());
}
