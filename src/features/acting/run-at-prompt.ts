/** Runs a command at the prompt of an existing shell: from the check of the prompt until the prompt is empty again. */
import type { Clock } from '../../base/clock.js';
import { PartKey } from '../../base/parts.js';
import type { InputSender } from '../../terminal/input/input-gate.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import { assertLinesFit } from '../../terminal/input/line-limit.js';
import { type FrozenShellCommand, ShellCommand, type ShellRun } from './running-line.js';
import { typedLine } from './shell-line.js';
import { interruptLine, lineAtPrompt, untilDrawnAgain, untilPrompt } from './prompt.js';
import { emptyLine } from './worthless-line.js';
import type { Terminal } from '../../terminal/terminal.js';
import { inputModes } from '../../terminal/input/input-modes.js';

/** For start-up files, and for hooks between a command's end and the prompt. */
const PROMPT_LIMIT_MS = 10_000;

/** The line that a request waits for; of the daemon before, until its client goes on with it. */
const LINE_UNDER_WAY = new PartKey<{ readonly command: ShellCommand; readonly isToResume: boolean } | undefined>(
  () => undefined,
);

export function lineUnderWay(terminal: Terminal): FrozenShellCommand | undefined {
  return terminal.part(LINE_UNDER_WAY).value?.command.freeze();
}

/** What is printed from now on is followed. */
export function lineToResume(terminal: Terminal, clock: Clock, frozen: FrozenShellCommand): void {
  terminal.part(LINE_UNDER_WAY).value = { command: new ShellCommand(terminal, clock, frozen), isToResume: true };
}

export function hasLineToResume(terminal: Terminal): boolean {
  return terminal.part(LINE_UNDER_WAY).value?.isToResume === true;
}

/** No client goes on with it. */
function forgetLine(terminal: Terminal): void {
  if (!hasLineToResume(terminal)) return;
  terminal.part(LINE_UNDER_WAY).value?.command.dispose();
  terminal.part(LINE_UNDER_WAY).value = undefined;
}

/** @throws as {@link runAtPrompt} */
export async function resumeAtPrompt<T>(
  terminal: Terminal,
  clock: Clock,
  { timeoutMs, signal, sender }: Omit<ShellRunOptions, 'line' | 'field'>,
  observe: Observe<T>,
): Promise<T> {
  const part = terminal.part(LINE_UNDER_WAY);
  const command = part.value?.command;
  if (command === undefined) throw new Error('no line is to be resumed');
  const deadlineMs = clock.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  part.value = { command, isToResume: false };
  const ended = command.end(deadlineMs, signal, observe);
  return atItsEnd(terminal, clock, command, ended, { signal, sender });
}

/** `dropped`: a warning of what was taken away from the command line. */
type Observe<T> = (run: ShellRun & { readonly dropped?: string | undefined }) => T;

async function atItsEnd<T>(
  terminal: Terminal,
  clock: Clock,
  command: ShellCommand,
  ended: Promise<{ readonly seen: T; readonly keepsText: boolean }>,
  { signal, sender }: Pick<ShellRunOptions, 'signal' | 'sender'>,
): Promise<T> {
  const part = terminal.part(LINE_UNDER_WAY);
  try {
    const { seen, keepsText } = await ended;
    if (keepsText && terminal.alive && isStillAdmitted(terminal, sender)) await dropLine(terminal, clock, signal);
    return seen;
  } finally {
    if (part.value?.command === command) part.value = undefined;
  }
}

export interface ShellRunOptions {
  /** The line to type, given the name of the shell if known. */
  readonly line: (shell: string | undefined) => string;
  /** Field of the request that holds the command. */
  readonly field: string;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
  readonly sender?: InputSender | undefined;
  /** The line is written. */
  readonly onWritten?: () => void;
}

/**
 * @param observe called at the instant of the end, to read the screen
 * @throws T4aError terminal_exited, no_shell_prompt, shell_busy, invalid_field, and the errors of input
 */
export async function runAtPrompt<T>(
  terminal: Terminal,
  clock: Clock,
  { line: lineFor, field, timeoutMs, signal, sender, onWritten }: ShellRunOptions,
  observe: Observe<T>,
): Promise<T> {
  const { shell } = terminal.detectors;
  terminal.input.admit(sender);
  const deadlineMs = clock.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  await untilPrompt(terminal, clock, Math.min(deadlineMs, clock.now() + PROMPT_LIMIT_MS), signal);
  const line = lineFor(shell.name);
  let dropped: string | undefined;
  // In an object, so that `take` waits for the write alone and other input is not held up by the command.
  const write = async (writer: InputWriter) => {
    await assertLinesFit(terminal, Buffer.from(line, 'utf8'), field);
    await terminal.settleForInput();
    // Earlier input may have started something.
    if (lineAtPrompt(terminal) === undefined) await untilDrawnAgain(terminal, clock, signal);
    dropped = await emptyLine(terminal, clock, writer, signal);
    signal.throwIfAborted();
    const bytes = typedLine(line, inputModes(terminal), { field, dropsTabs: shell.dropsTabs });
    const failed = new AbortController();
    const command = new ShellCommand(terminal, clock, line);
    const ended = command.end(deadlineMs, AbortSignal.any([signal, failed.signal]), (facts) =>
      observe({ ...facts, dropped }),
    );
    // Awaited below, unless the write fails first.
    ended.catch(() => {});
    const expected = shell.expectCommand(line);
    const forget = (): void => expected.dispose();
    void ended.then(forget, forget);
    try {
      await writer.write(bytes);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
    forgetLine(terminal);
    terminal.part(LINE_UNDER_WAY).value = { command, isToResume: false };
    onWritten?.();
    return { command, ended };
  };
  const { command, ended } = await terminal.input.take(Buffer.byteLength(line), write, sender);
  return atItsEnd(terminal, clock, command, ended, { signal, sender });
}

/** Another name may have taken control, and the line is theirs. */
function isStillAdmitted({ input }: Terminal, sender: InputSender | undefined): boolean {
  try {
    input.admit(sender);
    return true;
  } catch {
    return false;
  }
}

/** Clears the command line: the shell did not run the text, or asks for more of it. */
async function dropLine(terminal: Terminal, clock: Clock, signal: AbortSignal): Promise<void> {
  await interruptLine(terminal);
  // The next command then finds the command line empty.
  await untilPrompt(terminal, clock, clock.now() + PROMPT_LIMIT_MS, signal).catch(() => {});
}
