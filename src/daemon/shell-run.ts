/**
 * A command at the prompt of a shell that is there already: when the shell takes one, what is typed, and when it is over.
 * Who the shell is and what it says is {@link ShellWatch}'s business.
 */
import type { Clock } from '../base/clock.js';
import { DisposableScope } from '../base/lifetime.js';
import type { CommandRecord } from '../events/command-log.js';
import { T4aError, quote } from '../protocol/errors.js';
import { interruptOfBytes } from './interrupts.js';
import { type CommandRange, outputEndCol } from './command-range.js';
import { typedLine } from './shell-line.js';
import type { Terminal } from './terminal.js';

/** For start-up files, and for hooks between a command's end and the prompt. */
const PROMPT_LIMIT_MS = 10_000;

/** From the end of a prompt's marks to the shell's reading. */
const READING_LIMIT_MS = 250;

const CTRL_C = new Uint8Array([3]);

export interface ShellRun {
  readonly outcome: 'done' | 'not_run' | 'exited' | 'timeout';
  /** Of the commands that it ran, the last one; a line may be of several. */
  readonly record: CommandRecord | undefined;
  readonly durationMs: number;
  /** Rows of output in the buffer, and how many more the scrollback has lost; undefined where nobody knows. */
  readonly output: CommandRange | undefined;
}

export interface ShellRunOptions {
  /** From the name of the shell, where it is known. */
  readonly line: (shell: string | undefined) => string;
  /** Field of the request that it came in. */
  readonly field: string;
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * @param look what is taken of the screen in the instant in which it is over
 * @throws T4aError terminal_exited, no_shell_prompt, shell_busy, invalid_field, input_blocked, input_interrupted
 */
export async function runAtPrompt<T>(
  terminal: Terminal,
  clock: Clock,
  { line: lineFor, field, timeoutMs, signal }: ShellRunOptions,
  look: (run: ShellRun) => T,
): Promise<T> {
  const { shell } = terminal.detectors;
  const deadlineMs = clock.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  await promptOf(terminal, clock, Math.min(deadlineMs, clock.now() + PROMPT_LIMIT_MS), signal);
  if (!terminal.screen.modes.bracketedPaste) await untilReading(terminal, clock, signal);
  const line = lineFor(shell.name);
  // Wrapped, so that only the writing is waited for while others that send input wait.
  const { ended } = await terminal.input.take(Buffer.byteLength(line), async (writer) => {
    await terminal.settleForInput();
    // Whoever sent input before may have started something.
    if (!isReady(terminal)) throw busy(terminal, 'has come to its prompt and left it');
    signal.throwIfAborted();
    const bytes = typedLine(line, terminal.screen.modes, field);
    const running = new Running(terminal, clock, line);
    const ended = running.end(deadlineMs, signal, look);
    // Told below, unless the writing fails first.
    ended.catch(() => {});
    await writer.write(bytes);
    return { ended };
  });
  const { seen, keepsText } = await ended;
  if (keepsText && terminal.alive) await dropLine(terminal, clock, signal);
  return seen;
}

/** Waits until the shell takes a line, if it is about to. */
async function promptOf(terminal: Terminal, clock: Clock, deadlineMs: number, signal: AbortSignal): Promise<void> {
  await terminal.settle();
  signal.throwIfAborted();
  if (isReady(terminal)) return;
  await new Promise<void>((resolve, reject) => {
    const scope = new DisposableScope();
    const end = (settle: () => void): void => {
      scope.dispose();
      settle();
    };
    const check = (): void => {
      try {
        if (isReady(terminal)) end(resolve);
      } catch (error) {
        end(() => reject(error));
      }
    };
    const gone = (): void => end(() => reject(signal.reason as Error));
    signal.addEventListener('abort', gone, { once: true });
    scope.defer(() => signal.removeEventListener('abort', gone));
    scope.add(terminal.detectors.onParsed(check));
    scope.add(terminal.detectors.onEvent(check));
    scope.add(terminal.detectors.onShellWaiting(check, { now: true }));
    scope.add(terminal.detectors.shell.onUnfinished.on(() => end(() => reject(unfinished(terminal)))));
    const late = (): void => end(() => reject(busy(terminal, 'has not come to its prompt')));
    scope.add(clock.after(Math.max(0, deadlineMs - clock.now()), late));
  });
}

/** zsh marks its prompt before it asks for bracketed pastes. */
function untilReading(terminal: Terminal, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const scope = new DisposableScope();
    const end = (settle: () => void): void => {
      scope.dispose();
      settle();
    };
    const gone = (): void => end(() => reject(signal.reason as Error));
    signal.addEventListener('abort', gone, { once: true });
    scope.defer(() => signal.removeEventListener('abort', gone));
    scope.add(terminal.detectors.onShellWaiting(() => end(resolve), { now: true }));
    scope.add(clock.after(READING_LIMIT_MS, () => end(resolve)));
  });
}

/** @returns false where the prompt is on its way @throws T4aError terminal_exited, no_shell_prompt, shell_busy */
function isReady(terminal: Terminal): boolean {
  if (!terminal.alive) throw terminal.exitedError();
  const { shell } = terminal.detectors;
  if (shell.phase === 'unknown') {
    if (terminal.hasIntegratedShell) return false;
    throw new T4aError('no_shell_prompt', `No shell in terminal "${terminal.id}" has told of a prompt.`, {
      hint: 'Create it with bash, zsh or fish and "shell_integration", or "type" the command and wait for what it prints.',
    });
  }
  if (shell.phase === 'running') {
    const { command } = shell.commands.last ?? {};
    throw busy(terminal, command === undefined ? 'runs a command' : `runs ${quote(command)}`);
  }
  if (!shell.isDone || shell.isUnanswered) return false;
  if (shell.mayHoldText && !isAtPromptEnd(terminal)) throw busy(terminal, 'has text on its command line');
  return true;
}

/** Nothing is on the command line, as far as the cursor tells. */
function isAtPromptEnd({ screen, detectors }: Terminal): boolean {
  const end = detectors.shell.promptEnd;
  const { row, col } = screen.snapshot().cursor;
  return end?.line === screen.firstLineNumber + screen.scrollbackLines + row && end.col === col;
}

function busy({ id }: Terminal, why: string): T4aError {
  return new T4aError('shell_busy', `The shell of terminal "${id}" ${why}.`, {
    hint: `t4a wait ${id} --done, or t4a press ${id} Ctrl+C`,
  });
}

function unfinished(terminal: Terminal): T4aError {
  return busy(terminal, 'waits for the rest of a command');
}

/** From before the line is written. */
class Running {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #marksBefore: number;
  readonly #promptsBefore: number;
  readonly #lastBefore: number;
  /** First row after the line as the shell shows it, where no start of a command tells it. */
  readonly #rowsOfLine: number;
  readonly #lineAt: number | undefined;
  readonly #layoutsBefore: number;

  constructor(terminal: Terminal, clock: Clock, line: string) {
    const { shell } = terminal.detectors;
    const { screen } = terminal;
    this.#terminal = terminal;
    this.#clock = clock;
    this.#startedMs = clock.now();
    this.#marksBefore = shell.marksSeen;
    this.#promptsBefore = shell.promptsSeen;
    this.#layoutsBefore = shell.layouts;
    this.#lastBefore = shell.commands.last?.n ?? 0;
    this.#lineAt = screen.altScreen ? undefined : this.#cursorLine();
    this.#rowsOfLine = line.split('\n').length;
  }

  end<T>(
    deadlineMs: number,
    signal: AbortSignal,
    look: (run: ShellRun) => T,
  ): Promise<{ seen: T; keepsText: boolean }> {
    const { detectors } = this.#terminal;
    const { shell } = detectors;
    return new Promise((resolve, reject) => {
      const scope = new DisposableScope();
      const end = (outcome: ShellRun['outcome'], keepsText = false): void => {
        scope.dispose();
        try {
          resolve({ seen: look(this.#facts(outcome)), keepsText });
        } catch (error) {
          reject(error);
        }
      };
      const back = (): void => {
        const hasRun = (shell.commands.last?.n ?? 0) > this.#lastBefore;
        // A shell that goes on with the same prompt goes on with the same line.
        end(hasRun ? 'done' : 'not_run', !hasRun && shell.promptsSeen === this.#promptsBefore);
      };
      const check = (): void => {
        if (detectors.ended) end('exited');
        else if (shell.isDone && shell.marksSeen > this.#marksBefore) back();
      };
      const gone = (): void => {
        scope.dispose();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', gone, { once: true });
      scope.defer(() => signal.removeEventListener('abort', gone));
      scope.add(detectors.onParsed(check));
      scope.add(detectors.onEvent(check));
      scope.add(shell.onWaiting.on(() => shell.atPrompt && back()));
      scope.add(shell.onUnfinished.on(() => end('not_run', true)));
      if (deadlineMs === Number.POSITIVE_INFINITY) return;
      scope.add(this.#clock.after(Math.max(0, deadlineMs - this.#clock.now()), () => end('timeout')));
    });
  }

  #facts(outcome: ShellRun['outcome']): ShellRun {
    const records = this.#terminal.detectors.shell.commands.records.filter(({ n }) => n > this.#lastBefore);
    const record = records.at(-1);
    const elapsedMs = Math.round(this.#clock.now() - this.#startedMs);
    const durationMs = records.length === 1 ? (record?.durationMs ?? elapsedMs) : elapsedMs;
    return { outcome, record, durationMs, output: this.#output(records) };
  }

  /** From the first command's start to the last one's end, or to the cursor. */
  #output(records: readonly CommandRecord[]): ShellRun['output'] {
    const { screen, detectors } = this.#terminal;
    if (screen.altScreen) return { first: screen.scrollbackLines, end: screen.totalLines, lost: 0, endCol: undefined };
    if (detectors.shell.layouts !== this.#layoutsBefore) return undefined;
    const [firstRecord] = records;
    // Some hooks tell no start: output begins after the rows of the line.
    const begun = firstRecord?.startedAt === undefined ? this.#lineEnd() : firstRecord.output?.first;
    if (begun === undefined) return undefined;
    const last = records.at(-1);
    const isTold = last?.startedAt !== undefined && !last.running && !detectors.ended;
    const end = isTold ? last.output?.end : this.#cursorEnd();
    if (end === undefined) return undefined;
    const first = Math.min(end, Math.max(begun, screen.firstLineNumber));
    const endCol = isTold ? outputEndCol(this.#terminal, last) : undefined;
    return { first: first - screen.firstLineNumber, end: end - screen.firstLineNumber, lost: first - begun, endCol };
  }

  /** What was printed ends above the prompt, and with the row of the cursor where there is none. */
  #cursorEnd(): number {
    const { shell, ended } = this.#terminal.detectors;
    return this.#cursorLine() + (ended || shell.phase === 'running' ? 1 : 0);
  }

  /** After the rows that the line takes on the screen. */
  #lineEnd(): number | undefined {
    if (this.#lineAt === undefined) return undefined;
    const { screen } = this.#terminal;
    let index = this.#lineAt - screen.firstLineNumber;
    for (let rows = 0; rows < this.#rowsOfLine; rows++) {
      index++;
      while (screen.continuesLine(index)) index++;
    }
    return index + screen.firstLineNumber;
  }

  #cursorLine(): number {
    const { screen } = this.#terminal;
    return screen.firstLineNumber + screen.scrollbackLines + screen.snapshot().cursor.row;
  }
}

/** What the shell did not run is still on its command line, or it asks for more of it. */
async function dropLine(terminal: Terminal, clock: Clock, signal: AbortSignal): Promise<void> {
  const interrupt = interruptOfBytes(CTRL_C);
  if (interrupt === undefined) return;
  await terminal.input.interrupt(CTRL_C, interrupt);
  // The next one finds the command line as it was.
  await promptOf(terminal, clock, clock.now() + PROMPT_LIMIT_MS, signal).catch(() => {});
}
