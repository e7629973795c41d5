/**
 * Whether the shell in a terminal takes a command now: at an empty prompt of its own, as far as that can be detected.
 */
import type { Clock } from '../../base/clock.js';
import { T4aError, quote } from '../../protocol/errors.js';
import { readStat } from '../../terminal/system/processes.js';
import { isIntegratedShell, isInteractiveShell } from '../../terminal/system/proc/shell-process.js';
import { PROMPTS_ELSEWHERE } from '../../terminal/typed-shell.js';
import { interruptOfBytes } from '../../terminal/input/interrupts.js';
import { inputModes } from '../../terminal/input/input-modes.js';
import { cursorNumber } from '../../terminal/command-range.js';
import { typedScreen } from '../../terminal/typed-screen.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import type { TerminalFlags } from '../../events/secrecy.js';
import type { Terminal } from '../../terminal/terminal.js';
import { until } from '../../terminal/until.js';

export const CTRL_C = new Uint8Array([3]);
const ESCAPE = new Uint8Array([0x1b]);

/** Shells whose line editor may hold an answer, or be in another mode by it, and show nothing of that at the prompt. */
const HIDE_ANSWERS: readonly string[] = ['fish', 'ksh93'];

/** In vi mode the first one ends a search (fish) or clears the line (ksh93), and another one brings a new prompt. */
const MOST_INTERRUPTS = 3;

/** Between the end of a prompt's marks and the shell's read. */
const READING_LIMIT_MS = 250;
/** For a shell that is held up between the two. */
const HELD_UP_LIMIT_MS = 10_000;
const HELD_UP_CHECK_MS = 50;

/** Readline waits for the rest of a key that begins with Escape (its keyseq-timeout), and a Ctrl+C meanwhile drops no line; so do fish and busybox. */
const KEY_REST_MS = 550;

/** Other input waits meanwhile. */
const DRAWING_LIMIT_MS = 2000;

/**
 * Waits until the shell takes a command, if its prompt is on the way.
 * @throws T4aError terminal_exited, no_shell_prompt, shell_busy
 */
export async function untilPrompt(
  terminal: Terminal,
  clock: Clock,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<void> {
  await terminal.settle();
  if (terminal.alive && terminal.detectors.shell.phase === 'running') await refuseOtherPrompt(terminal);
  signal.throwIfAborted();
  const { shell } = terminal.detectors;
  // Keys that erase what was typed may still be on their way.
  if (shell.atPrompt && (shell.leftovers.mayHoldText || shell.leftovers.editorMode === 'interrupted')) {
    await untilReading(terminal, clock, signal);
    await terminal.settle();
  }
  const { editorMode } = shell.leftovers;
  const isAmongKeys = editorMode === 'unknown' || editorMode === 'interrupted';
  if (shell.atPrompt && shell.name === 'bash' && isAmongKeys) await passed(KEY_REST_MS, clock, signal);
  if (lineAtPrompt(terminal) === undefined) await untilAtPrompt(terminal, clock, deadlineMs, signal);
  const { mayHoldText, mayHoldAnswers } = shell.leftovers;
  if (shell.name === 'fish' && editorMode === 'interrupted') {
    await leaveMode(terminal, clock, signal);
    await interruptLine(terminal);
    await untilAtPrompt(terminal, clock, deadlineMs, signal);
  }
  if (lineAtPrompt(terminal) !== 'worthless' && (mayHoldText || mayHoldAnswers))
    await clearUnread(terminal, clock, deadlineMs, signal);
  await untilEditing(terminal, clock, signal);
}

/** A shell that has got a new size, or whose line was dropped, draws its prompt again. */
export async function untilDrawnAgain(terminal: Terminal, clock: Clock, signal: AbortSignal): Promise<void> {
  await untilAtPrompt(terminal, clock, clock.now() + DRAWING_LIMIT_MS, signal);
  await untilEditing(terminal, clock, signal);
}

/** zsh marks its prompt, and runs widgets, before it asks for bracketed pastes. */
async function untilEditing(terminal: Terminal, clock: Clock, signal: AbortSignal): Promise<void> {
  if (inputModes(terminal).bracketedPaste) return;
  await untilReading(terminal, clock, signal);
  await terminal.settle();
}

function untilAtPrompt(terminal: Terminal, clock: Clock, deadlineMs: number, signal: AbortSignal): Promise<void> {
  const { detectors } = terminal;
  return until<void>(signal, ({ resolve, reject }, scope) => {
    const check = (): void => {
      try {
        if (lineAtPrompt(terminal) !== undefined) resolve();
      } catch (error) {
        reject(error);
      }
    };
    scope.add(detectors.onParsed(check));
    scope.add(detectors.onEvent(check));
    scope.add(detectors.onShellWaiting(check, { now: true }));
    const unfinished = (): void => {
      // bash has put a line there to be verified.
      check();
      reject(shellBusy(terminal, 'waits for the rest of a command', 'Ctrl+C'));
    };
    scope.add(detectors.shell.onUnfinished.on(unfinished));
    const late = (): void => reject(shellBusy(terminal, 'has not reached its prompt'));
    scope.add(clock.after(Math.max(0, deadlineMs - clock.now()), late));
  });
}

function passed(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return until<void>(signal, ({ resolve }, scope) => void scope.add(clock.after(ms, resolve)));
}

export function untilReading({ detectors }: Terminal, clock: Clock, signal: AbortSignal): Promise<void> {
  const mostMs = clock.now() + HELD_UP_LIMIT_MS;
  return until<void>(signal, ({ resolve }, scope) => {
    scope.add(detectors.onShellWaiting(() => resolve(), { now: true }));
    const isLate = (): void => {
      if (detectors.shell.isHeldUp && clock.now() < mostMs) scope.add(clock.after(HELD_UP_CHECK_MS, isLate));
      else resolve();
    };
    scope.add(clock.after(READING_LIMIT_MS, isLate));
  });
}

/** Programs that pass keys on to a shell that cannot be seen from here. */
const SHELLS_ELSEWHERE: readonly string[] = [
  'ssh',
  'mosh-client',
  'telnet',
  'tmux: client',
  'screen',
  'docker',
  'podman',
  'kubectl',
];

/**
 * Another shell has the terminal, in the place of the one that marks its prompts or started by it: there is no end of its
 * command to wait for. @throws T4aError no_shell_prompt
 */
async function refuseOtherPrompt(terminal: Terminal): Promise<void> {
  const found = await terminal.detectors.probeInput();
  if (found === undefined || terminal.detectors.shell.phase !== 'running') return;
  const { pid, process } = found;
  const isOther = isInteractiveShell(pid) && !isIntegratedShell(pid, terminal.setup.shellScripts);
  if (!isOther && !SHELLS_ELSEWHERE.includes(process)) return;
  throw new T4aError(
    'no_shell_prompt',
    `What reads terminal "${terminal.id}" now is ${quote(process)} (process ${pid}), which does not mark its prompts.`,
    { hint: `"type" the command and wait for its output, or leave that shell: t4a type ${terminal.id} exit --submit.` },
  );
}

/**
 * @returns what stands on the command line: nothing, or what nobody misses (`dropWorthless`); undefined if the prompt is on its way
 * @throws T4aError terminal_exited, no_shell_prompt, shell_busy
 */
export function lineAtPrompt(terminal: Terminal): 'empty' | 'worthless' | undefined {
  if (!terminal.alive) throw terminal.exitedError();
  const { shell } = terminal.detectors;
  if (shell.phase === 'unknown') {
    const { name, marksOff } = shell;
    if (terminal.hasIntegratedShell && marksOff === undefined) return undefined;
    const why = marksOff === undefined ? '' : `: ${name ?? 'its shell'} does not mark its prompts, since ${marksOff}`;
    throw new T4aError('no_shell_prompt', `No shell in terminal "${terminal.id}" has reported a prompt${why}.`, {
      hint:
        marksOff === PROMPTS_ELSEWHERE
          ? `t4a type ${terminal.id} 'exec 2>/dev/tty' --submit brings them back`
          : 'Create it with bash, zsh, fish or sh and "shell_integration", or "type" the command and wait for its output.',
    });
  }
  if (shell.phase === 'running') {
    const { command } = shell.commands.last ?? {};
    throw shellBusy(terminal, command === undefined ? 'runs a command' : `runs ${quote(command)}`);
  }
  if (!shell.isDone || shell.isUnanswered) return undefined;
  const { mayHoldText, mayHoldWords, holdsText, editorMode } = shell.leftovers;
  if (mayHoldText ? !mayHoldWords : holdsText) return 'worthless';
  const isLeft = editorMode === 'interrupted' && shell.name === 'fish';
  if (editorMode !== 'text' && !isLeft) {
    const keys = editorMode === 'quote' ? 'Ctrl+C Ctrl+C' : 'Ctrl+C';
    throw shellBusy(terminal, 'may not take text: keys were pressed on its command line', keys);
  }
  if (mayHoldText && (holdsText || !isCursorAtPromptEnd(terminal) || isBeforeText(terminal)))
    throw shellBusy(terminal, 'has text on its command line', 'Ctrl+C');
  return 'empty';
}

/**
 * What stands on the command line without being seen yet: an answer to a query that its program has not read, and the shell is
 * about to, or text while echo is off. A line of answers alone is dropped. @throws T4aError shell_busy
 */
async function clearUnread(terminal: Terminal, clock: Clock, deadlineMs: number, signal: AbortSignal): Promise<void> {
  const { shell } = terminal.detectors;
  await untilReading(terminal, clock, signal);
  await terminal.settle();
  await shell.lookedForKept();
  const flags = await terminal.flags();
  const isUnseen = flags?.canonical === true && !flags.echo;
  const { mayHoldText, isKeptAhead } = shell.leftovers;
  const hidesAnswers = HIDE_ANSWERS.includes(shell.name ?? '');
  if (!mayHoldText && (hidesAnswers || holdsAnswers(terminal, flags))) {
    if (shell.name === 'fish') await leaveMode(terminal, clock, signal);
    if (shell.name === 'busybox') await passed(KEY_REST_MS, clock, signal);
    const prompts = shell.promptsSeen;
    for (let left = MOST_INTERRUPTS; left > 0 && shell.promptsSeen === prompts; left--) {
      await interruptLine(terminal);
      await untilAtPrompt(terminal, clock, deadlineMs, signal);
    }
    return;
  }
  if (isKeptAhead === true && flags?.canonical === true)
    throw shellBusy(terminal, 'has text on its command line that was typed before its prompt', 'Ctrl+C');
  if (mayHoldText && asksBelow(terminal)) throw shellBusy(terminal, 'asks below its command line', 'Ctrl+C');
  if (isUnseen) throw shellBusy(terminal, 'may have text on its command line that is not shown');
}

/** The kernel shows an answer when it is written, perhaps above the prompt of a shell that leaves lines to the kernel. */
function holdsAnswers(terminal: Terminal, flags: TerminalFlags | undefined): boolean {
  return flags?.canonical === true || !isCursorAtPromptEnd(terminal) || asksBelow(terminal);
}

/**
 * The same of answers alone, with the writer of the request, before text that Enter follows.
 * @returns whether there may have been any @throws as {@link untilDrawnAgain}
 */
export async function dropAnswers(
  terminal: Terminal,
  clock: Clock,
  writer: InputWriter,
  signal: AbortSignal,
): Promise<boolean> {
  const { shell } = terminal.detectors;
  await untilReading(terminal, clock, signal);
  await terminal.settle();
  const isFish = shell.name === 'fish';
  // fish 4 asks at its prompt, and reads the answers.
  const asksItself = isFish && !shell.dropsTabs && shell.leftovers.mayHoldCommandsAnswers !== true;
  const hides = HIDE_ANSWERS.includes(shell.name ?? '') && !asksItself;
  if (!hides && !holdsAnswers(terminal, await terminal.flags())) return false;
  if (isFish) {
    await writer.write(ESCAPE);
    await writer.pause(KEY_REST_MS);
  }
  if (shell.name === 'busybox') await writer.pause(KEY_REST_MS);
  const prompts = shell.promptsSeen;
  for (let left = MOST_INTERRUPTS; left > 0 && shell.promptsSeen === prompts; left--) {
    await writer.write(CTRL_C);
    await untilDrawnAgain(terminal, clock, signal);
  }
  return true;
}

/**
 * Keys that a program may have left unread come before what is typed in a shell without a line editor, which shows none of them.
 * To be called with the writer of the request.
 * @returns whether there may have been any @throws T4aError shell_busy
 */
export async function dropKeys(
  terminal: Terminal,
  clock: Clock,
  writer: InputWriter,
  signal: AbortSignal,
): Promise<boolean> {
  const { shell } = terminal.detectors;
  await shell.lookedForKept();
  if (shell.leftovers.mayHoldKeys !== true || shell.leftovers.isKeptAhead === true) return false;
  // What is typed at another program goes there.
  const front = readStat(terminal.pid)?.foregroundGroup;
  if (shell.phase === 'unknown' || front === undefined || !isInteractiveShell(front)) return false;
  if (shell.isPromptDue || shell.isUnderWay) await untilDrawnAgain(terminal, clock, signal);
  await untilReading(terminal, clock, signal);
  await terminal.settle();
  const flags = await terminal.flags();
  const mayBeTyped = shell.leftovers.mayHoldText && flags?.echo !== true;
  // What is typed at the prompt is shown there.
  const isShown = shell.isUnanswered || !isCursorAtPromptEnd(terminal);
  if (!shell.atPrompt || !shell.isDone || flags?.canonical !== true || mayBeTyped || isShown) return false;
  const prompts = shell.promptsSeen;
  for (let left = MOST_INTERRUPTS; left > 0 && shell.promptsSeen === prompts; left--) {
    await writer.write(CTRL_C);
    await untilDrawnAgain(terminal, clock, signal);
  }
  if (shell.promptsSeen === prompts)
    throw shellBusy(terminal, 'may hold keys that a program has left, and has not dropped them at Ctrl+C', 'Enter');
  return true;
}

/** fish reads Ctrl+C as a key, which its replace mode takes for text: a report of the cursor ends with the key for that mode. */
async function leaveMode({ input }: Terminal, clock: Clock, signal: AbortSignal): Promise<void> {
  await input.take(1, (writer) => writer.write(ESCAPE));
  await passed(KEY_REST_MS, clock, signal);
}

/** Ctrl+C, ahead of all other input. */
export async function interruptLine(terminal: Terminal): Promise<void> {
  const interrupt = interruptOfBytes(CTRL_C);
  if (interrupt !== undefined) await terminal.input.interrupt(CTRL_C, interrupt);
}

/** @param keys those that alone lead to an empty prompt; absent: to wait may do */
export function shellBusy({ id }: Terminal, why: string, keys?: string): T4aError {
  return new T4aError('shell_busy', `The shell of terminal "${id}" ${why}.`, {
    hint: keys === undefined ? `t4a wait ${id} --done, or t4a press ${id} Ctrl+C` : `t4a press ${id} ${keys}`,
  });
}

/** zsh in vi mode takes an answer for commands, one of which may ask below the prompt and leave the cursor at its end. */
function asksBelow({ screen, detectors }: Terminal): boolean {
  if (detectors.shell.name !== 'zsh') return false;
  const { cursor } = screen.snapshot();
  return (screen.lineText(screen.scrollbackLines + cursor.row + 1, { trim: true }) ?? '') !== '';
}

/** Farther away stands what is shown at the right of a prompt. */
const COLS_AFTER_CURSOR = 8;

/** The cursor may have gone back to where the line begins. */
function isBeforeText({ screen }: Terminal): boolean {
  const after = typedScreen(screen).textFrom({ line: cursorNumber(screen), col: screen.snapshot().cursor.col });
  return (after?.text ?? '').slice(0, COLS_AFTER_CURSOR).trim() !== '';
}

export function isCursorAtPromptEnd({ screen, detectors }: Terminal): boolean {
  const end = detectors.shell.promptEnd;
  if (end?.line !== cursorNumber(screen)) return false;
  // Behind early input readline draws an emptied line as if its prompt began the row.
  const { col } = screen.snapshot().cursor;
  return col === end.col || col === end.col - (end.colsBefore ?? 0);
}
