/**
 * What stands on a shell's command line and nobody misses: text that the shell itself has put there (a line to verify, `print -z`,
 * `push-line`, `commandline -r`, a widget), and blanks or the beginning of a key, which a client has typed.
 */
import type { Clock } from '../../base/clock.js';
import type { AwaitingInput } from '../../events/awaiting-input.js';
import { T4aError } from '../../protocol/errors.js';
import { cursorNumber } from '../../terminal/command-range.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import { isInteractiveShell } from '../../terminal/system/proc/shell-process.js';
import type { Terminal } from '../../terminal/terminal.js';
import { typedScreen } from '../../terminal/typed-screen.js';
import { CTRL_C, dropAnswers, dropKeys, lineAtPrompt, shellBusy, untilDrawnAgain, untilReading } from './prompt.js';

/** A hook may put another text at the prompt that follows. */
const MOST_DROPS = 2;

/** The shell may come to work between the wait for its read and the look at it. */
const MOST_LOOKS = 4;

/**
 * Leads to an empty prompt, by Ctrl+C: only if a shell is what reads, since marks of a prompt can be printed by any program. To be
 * called once it is at a prompt, with the writer of the request, so that nothing is typed between.
 * @returns whether text of the shell's own was taken away
 * @throws T4aError shell_busy, terminal_exited, and the errors of input
 */
export async function dropWorthless(
  terminal: Terminal,
  clock: Clock,
  writer: InputWriter,
  signal: AbortSignal,
): Promise<boolean> {
  let wasText = false;
  for (let drops = 0; mayBeWorthless(terminal); drops++) {
    // It may only be about to draw its prompt again, or to put text behind it.
    await untilReading(terminal, clock, signal);
    await terminal.settle();
    if (!isWorthless(terminal)) break;
    const isOwn = !terminal.detectors.shell.leftovers.mayHoldText && holdsOwnText(terminal);
    const reader = await terminal.detectors.probeInput();
    if (isOwn && drops === MOST_DROPS)
      throw shellBusy(terminal, PUT_AT_EACH, `Ctrl+U, then t4a type ${terminal.id} COMMAND --submit`);
    if (drops === MOST_DROPS || reader === undefined || !isInteractiveShell(reader.pid))
      throw shellBusy(terminal, isOwn ? PUT_THERE : 'has text on its command line', 'Ctrl+C');
    wasText ||= isOwn;
    await writer.write(CTRL_C);
    await untilDrawnAgain(terminal, clock, signal);
  }
  return wasText;
}

/** Warnings of what was typed. */
const HAS_DROPPED =
  'The shell had put text on its command line that no client had typed; it was dropped before this was typed.';
const HAS_DROPPED_ANSWERS =
  'The answer to a query, which no program had read, may have been on the command line; it was dropped before this was typed.';
const HAS_DROPPED_KEYS =
  'Keys that a program may have left unread may have been on the command line; they were dropped before this was typed.';
const HOLDS_KEYS =
  'Keys that a program may have left unread may still be on the command line; this was typed behind them.';
const HOLDS_ANSWERS =
  'The answer to a query, which no program had read, may still be on the command line; this was typed behind it.';
const HOLDS_ON =
  'The shell holds text on its command line that no client has typed, and puts it there again; this was typed behind it.';

/**
 * To be called before a command is typed, as {@link dropWorthless}.
 * @returns a warning if something was dropped
 */
export async function emptyLine(
  terminal: Terminal,
  clock: Clock,
  writer: InputWriter,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (await dropKeys(terminal, clock, writer, signal)) return HAS_DROPPED_KEYS;
  return (await dropWorthless(terminal, clock, writer, signal)) ? HAS_DROPPED : undefined;
}

/**
 * To be called before text that Enter follows. What a client has typed stays before it, and so does all that no shell is seen to read.
 * @returns a warning if the shell had put text there, or the answer to a query may have stood there
 * @throws T4aError terminal_exited, and the errors of input
 */
export async function dropOwnText(
  terminal: Terminal,
  clock: Clock,
  writer: InputWriter,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { shell } = terminal.detectors;
  try {
    if (await dropKeys(terminal, clock, writer, signal)) return HAS_DROPPED_KEYS;
  } catch (error) {
    if (!(error instanceof T4aError) || error.code !== 'shell_busy') throw error;
    return HOLDS_KEYS;
  }
  const { mayHoldText, mayHoldAnswers, editorMode } = shell.leftovers;
  if (mayHoldText || editorMode !== 'text' || shell.isUnanswered) return undefined;
  if (mayHoldAnswers) await untilPrompted(terminal, clock, signal);
  if (!shell.atPrompt || !shell.isDone || (!mayHoldAnswers && !holdsOwnText(terminal))) return undefined;
  const reader = await (mayHoldAnswers ? readerOfAnswers(terminal, clock, signal) : terminal.detectors.probeInput());
  if (reader === undefined || !isInteractiveShell(reader.pid)) return undefined;
  try {
    if (mayHoldAnswers) return (await dropAnswers(terminal, clock, writer, signal)) ? HAS_DROPPED_ANSWERS : undefined;
    return (await dropWorthless(terminal, clock, writer, signal)) ? HAS_DROPPED : undefined;
  } catch (error) {
    if (!(error instanceof T4aError) || error.code !== 'shell_busy') throw error;
    return mayHoldAnswers ? HOLDS_ANSWERS : HOLDS_ON;
  }
}

/** A shell that is just showing the answers reads again after that. @returns undefined if nothing is seen to read */
async function readerOfAnswers(
  terminal: Terminal,
  clock: Clock,
  signal: AbortSignal,
): Promise<AwaitingInput | undefined> {
  const { detectors } = terminal;
  for (let looks = MOST_LOOKS; ; looks--) {
    await untilReading(terminal, clock, signal);
    const reader = await detectors.probeInput();
    if (reader !== undefined || looks === 0) return reader;
  }
}

/** The end of a command is seen before the prompt, and the prompt before the shell reads. */
async function untilPrompted(terminal: Terminal, clock: Clock, signal: AbortSignal): Promise<void> {
  const { shell } = terminal.detectors;
  if (!shell.isPromptDue && (!shell.atPrompt || shell.isUnderWay)) return;
  try {
    await untilDrawnAgain(terminal, clock, signal);
  } catch (error) {
    if (!(error instanceof T4aError) || error.code !== 'shell_busy') throw error;
  }
}

/** No client has typed it. */
const PUT_THERE = 'has text on its command line, which the shell itself has put there';
const PUT_AT_EACH = 'has text on its command line, which the shell itself puts at each prompt';

function isWorthless(terminal: Terminal): boolean {
  if (lineAtPrompt(terminal) === 'worthless') return true;
  const { mayHoldText, mayHoldAnswers } = terminal.detectors.shell.leftovers;
  return !mayHoldText && !mayHoldAnswers && holdsOwnText(terminal);
}

function mayBeWorthless(terminal: Terminal): boolean {
  const { isUnnamed, linesEntered, leftovers } = terminal.detectors.shell;
  const isUnmarked = isUnnamed && linesEntered > 0 && !leftovers.mayHoldText && !leftovers.mayHoldAnswers;
  return isUnmarked || isWorthless(terminal);
}

/**
 * Once the shell reads at its prompt: zsh says so itself, fish has it behind its prompt, in the row that jobs do not print in. So
 * has a shell with marks of its user's, in the line of the prompt's end. A mark before the prompt is no end of it.
 */
export function holdsOwnText(terminal: Terminal): boolean {
  const { screen } = terminal;
  const { shell } = terminal.detectors;
  if (shell.leftovers.holdsText) return true;
  const end = shell.promptEnd;
  if (end?.line === undefined) return false;
  const rows = cursorNumber(screen) - end.line;
  const { cols, cursor } = screen.snapshot();
  if (shell.name === 'fish') return end.isAtEnd === true && rows === 0 && cursor.col > end.col;
  if (!shell.isUnnamed || end.col === 0 || rows < 0 || screen.altScreen) return false;
  const shown = typedScreen(screen).textFrom({ line: end.line, col: end.col });
  if (shown === undefined || shown.end <= cursorNumber(screen)) return false;
  return shown.text.slice(0, Math.max(0, rows * cols + cursor.col - end.col)).trim() !== '';
}
