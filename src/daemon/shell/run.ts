/** A command at the prompt of a shell that is there already, from the look at the prompt to a prompt as empty as before. */
import type { Clock } from '../../base/clock.js';
import { interruptOfBytes } from '../input/interrupts.js';
import { ShellCommand, type ShellRun } from './running-line.js';
import { typedLine } from './line.js';
import { isAtEmptyPrompt, shellBusy, untilPrompt } from './prompt.js';
import type { Terminal } from '../terminal/terminal.js';

/** For start-up files, and for hooks between a command's end and the prompt. */
const PROMPT_LIMIT_MS = 10_000;

const CTRL_C = new Uint8Array([3]);

export interface ShellRunOptions {
  /** From the name of the shell, where it is known. */
  readonly line: (shell: string | undefined) => string;
  /** Field of the request that it came in. */
  readonly field: string;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * @param observe what is taken of the screen in the instant in which it is over
 * @throws T4aError terminal_exited, no_shell_prompt, shell_busy, invalid_field, input_blocked, input_interrupted
 */
export async function runAtPrompt<T>(
  terminal: Terminal,
  clock: Clock,
  { line: lineFor, field, timeoutMs, signal }: ShellRunOptions,
  observe: (run: ShellRun) => T,
): Promise<T> {
  const { shell } = terminal.detectors;
  const deadlineMs = clock.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  await untilPrompt(terminal, clock, Math.min(deadlineMs, clock.now() + PROMPT_LIMIT_MS), signal);
  const line = lineFor(shell.name);
  // Wrapped, so that only the writing is waited for while others that send input wait.
  const { ended } = await terminal.input.take(Buffer.byteLength(line), async (writer) => {
    await terminal.settleForInput();
    // Whoever sent input before may have started something.
    if (!isAtEmptyPrompt(terminal)) throw shellBusy(terminal, 'has come to its prompt and left it');
    signal.throwIfAborted();
    const bytes = typedLine(line, terminal.screen.modes, field);
    const failed = new AbortController();
    const command = new ShellCommand(terminal, clock, line);
    const ended = command.end(deadlineMs, AbortSignal.any([signal, failed.signal]), observe);
    // Told below, unless the writing fails first.
    ended.catch(() => {});
    shell.expectCommand();
    try {
      await writer.write(bytes);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
    return { ended };
  });
  const { seen, keepsText } = await ended;
  if (keepsText && terminal.alive) await dropLine(terminal, clock, signal);
  return seen;
}

/** What the shell did not run is still on its command line, or it asks for more of it. */
async function dropLine(terminal: Terminal, clock: Clock, signal: AbortSignal): Promise<void> {
  const interrupt = interruptOfBytes(CTRL_C);
  if (interrupt === undefined) return;
  await terminal.input.interrupt(CTRL_C, interrupt);
  // The next one finds the command line as it was.
  await untilPrompt(terminal, clock, clock.now() + PROMPT_LIMIT_MS, signal).catch(() => {});
}
