/**
 * Whether the shell has done what it was last told: at its prompt, with nothing typed that it has not come to yet.
 *
 * A line may be sent before the prompt is up (right after `create`, or between a command's end and the next prompt): that
 * prompt must not be taken for the line's end. A line sent while a command runs may be the answer that the command asks
 * for: then the command's end is the end. So marks alone do not tell whether a second line is still to come after a prompt:
 * that is certain once the shell is seen waiting for input, which it does not while the terminal has some for it.
 */
import type { CommandMark, CommandMarks } from './command-marks.js';
import { dropsLine, submittedLines } from '../input/typed-input.js';

type Marks = Pick<CommandMarks, 'phase' | 'promptIsDue' | 'inputStartIsDue'>;

export class CommandTurns {
  /** Somebody will tell when the shell waits; else a prompt is taken for the end of all lines. */
  readonly #seesWaiting: boolean;
  #seesPrompts = false;
  /** Something was submitted, and no end of it was seen. */
  #pending = false;
  /** Prompts, or ends of commands where there are no prompt marks, that were due already when it was submitted. */
  #dueBefore = 0;
  /** Since then the shell has drawn its prompt. */
  #prompted = false;
  /** Since then it was told to drop it; it may do so without drawing a prompt. */
  #dropped = false;
  /** Submitted since the shell was last known to wait, less the prompts since: some of it may be still to come. */
  #lines = 0;

  constructor({ seesWaiting = false }: { readonly seesWaiting?: boolean } = {}) {
    this.#seesWaiting = seesWaiting;
  }

  onInput(text: string, { phase, promptIsDue }: Pick<Marks, 'phase' | 'promptIsDue'>): void {
    const lines = submittedLines(text);
    const drops = dropsLine(text);
    if (lines > 0 || drops) this.#dropped = drops;
    // A prompt that is drawn anew, or the shell's reading, tells that it has: keys typed before that may be lost.
    if (drops && this.#seesWaiting && phase !== 'running') this.#lines++;
    if (lines === 0) return;
    this.#lines += lines;
    if (this.#pending && this.#dueBefore > 0) return;
    this.#pending = true;
    this.#prompted = false;
    this.#dueBefore = phase === 'unknown' || promptIsDue ? 1 : 0;
  }

  onMark(mark: CommandMark): void {
    // The prompt that follows is the line's end, or the shell's reading where it keeps the line.
    if (mark.mark === 'line_refused') {
      this.#prompted = true;
      return;
    }
    if (mark.mark === 'command_start') {
      this.#dueBefore = 0;
      return;
    }
    // Line editors draw a prompt again whose width they cannot tell, with the mark at its end.
    if (mark.mark !== 'input_start' || !this.#seesPrompts) this.#prompted = true;
    if (mark.mark === 'input_start') return;
    const isPrompt = mark.mark === 'prompt_start';
    if (isPrompt) this.#seesPrompts = true;
    const isOwn = isPrompt || !this.#seesPrompts;
    if (this.#dueBefore > 0) this.#dueBefore -= isOwn ? 1 : 0;
    else {
      this.#pending = false;
      if (isOwn && this.#lines > 0) this.#lines--;
    }
  }

  /**
   * The shell was seen waiting for input at its prompt, all that it printed on the screen: it has read every line.
   * @returns false where it waits for the rest of a command: it has read a line, but drawn no prompt since
   */
  onWaiting({ inputStartIsDue }: Pick<Marks, 'inputStartIsDue'>): boolean {
    if (inputStartIsDue || (this.#pending && !this.#prompted && !this.#dropped)) return false;
    this.forget();
    return true;
  }

  /** All that was submitted is known to have been read. */
  forget(): void {
    this.#pending = false;
    this.#dueBefore = 0;
    this.#lines = 0;
  }

  isDone({ phase, inputStartIsDue }: Pick<Marks, 'phase' | 'inputStartIsDue'>): boolean {
    if (this.#pending || inputStartIsDue) return false;
    if (this.#seesWaiting && this.#lines > 0) return false;
    return phase === 'done' || phase === 'prompt' || phase === 'input';
  }
}
