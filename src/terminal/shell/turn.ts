/**
 * Whether the shell has read the lines that were sent to it. Pure; a part of the shell's state (shell-state.ts).
 *
 * A line may be sent before the prompt is up (right after `create`, or between a command's end and the next prompt): that
 * prompt is not the line's end. A line sent while a command runs may be the answer that the command asks for: then the
 * command's end is the end. So marks alone leave open whether a second line is still to come after a prompt: that is
 * certain once the shell is seen waiting for input, which it does not do while the terminal has some for it.
 */
import { dropsLine, submittedLines } from '../input/typed-input.js';
import type { CommandMark } from './shell-facts.js';

export type Turn = {
  /** Submitted since the shell was last seen waiting, less the prompts since: some of it may be still to come. */
  readonly lines: number;
  /** The shell marks its prompts; else ends of commands count in their place. */
  readonly seesPrompts: boolean;
} & (
  | { readonly kind: 'answered' }
  /** A line was submitted, and its end has not been seen. */
  | {
      readonly kind: 'pending';
      /** A prompt (or an end) was due already when the line was submitted, and has not come yet. */
      readonly isPromptAhead: boolean;
      /** The shell has drawn its prompt since. */
      readonly isPrompted: boolean;
      /** The end of the prompt was marked again since, and no prompt was begun: bash does so with a line whose `!` means nothing. */
      readonly isDrawnAgain?: boolean;
      /** Ctrl+C came after the line; the shell may drop the line without drawing a prompt. */
      readonly isDropped: boolean;
    }
);

export const NEW_TURN: Turn = { kind: 'answered', lines: 0, seesPrompts: false };

export interface Submission {
  readonly isRunning: boolean;
  /** No prompt has been seen yet, or the next one is due. */
  readonly isPromptAhead: boolean;
  readonly seesWaiting: boolean;
}

/** Input is about to be written. */
export function afterInput(turn: Turn, text: string, { isRunning, isPromptAhead, seesWaiting }: Submission): Turn {
  const submitted = submittedLines(text);
  const isDropped = dropsLine(text);
  if (submitted === 0 && !isDropped) return turn;
  // A prompt that is drawn anew, or the shell's reading, shows that the line was dropped: keys typed before may be lost.
  const lines = turn.lines + submitted + (isDropped && seesWaiting && !isRunning ? 1 : 0);
  if (turn.kind === 'pending' && (submitted === 0 || turn.isPromptAhead)) return { ...turn, lines, isDropped };
  if (submitted === 0) return { ...turn, lines };
  return { kind: 'pending', lines, seesPrompts: turn.seesPrompts, isPromptAhead, isPrompted: false, isDropped };
}

export function afterMark(turn: Turn, { mark }: CommandMark): Turn {
  switch (mark) {
    // The prompt that follows is the line's end, or the shell's reading if it keeps the line.
    case 'line_refused':
      return turn.kind === 'pending' ? { ...turn, isPrompted: true } : turn;
    case 'command_start':
      return turn.kind === 'pending' ? { ...turn, isPromptAhead: false } : turn;
    // Line editors draw a prompt again if they cannot compute its width, with the mark at its end.
    case 'input_start':
      if (turn.kind !== 'pending') return turn;
      return turn.seesPrompts ? { ...turn, isDrawnAgain: true } : { ...turn, isPrompted: true };
    case 'prompt_start':
      return afterEnd({ ...turn, seesPrompts: true }, true);
    default:
      return afterEnd(turn, !turn.seesPrompts);
  }
}

/** @param isOwn this kind of mark is the one that follows each line */
function afterEnd(turn: Turn, isOwn: boolean): Turn {
  if (turn.kind === 'pending' && turn.isPromptAhead) return { ...turn, isPromptAhead: !isOwn, isPrompted: true };
  const { seesPrompts } = turn;
  return { kind: 'answered', seesPrompts, lines: isOwn ? Math.max(0, turn.lines - 1) : turn.lines };
}

/** The shell waits at its prompt for the rest of a command: it has read a line and drawn no prompt since. */
export function isUnfinished(turn: Turn): boolean {
  return turn.kind === 'pending' && !turn.isPrompted && !turn.isDropped;
}

/** All that was submitted is known to have been read. */
export function forgotten({ seesPrompts }: Turn): Turn {
  return { kind: 'answered', lines: 0, seesPrompts };
}
