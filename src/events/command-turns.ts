/**
 * Whether the shell has done what it was last told: at its prompt, with nothing typed that it has not come to yet.
 *
 * A line may be sent before the prompt is up (right after `create`, or between a command's end and the next prompt): that
 * prompt must not be taken for the line's end. A line sent while a command runs may be the answer that the command asks
 * for: then the command's end is the end.
 */
import type { CommandMark, CommandMarks } from './command-marks.js';

export class CommandTurns {
  #seesPrompts = false;
  /** Something was submitted, and no end of it was seen. */
  #pending = false;
  /** Prompts, or ends of commands where there are no prompt marks, that were due already when it was submitted. */
  #dueBefore = 0;

  onInput(text: string, { phase, promptIsDue }: Pick<CommandMarks, 'phase' | 'promptIsDue'>): void {
    if (!/[\r\n]/.test(text)) return;
    if (this.#pending && this.#dueBefore > 0) return;
    this.#pending = true;
    this.#dueBefore = phase === 'unknown' || promptIsDue ? 1 : 0;
  }

  onMark(mark: CommandMark): void {
    if (mark.mark === 'command_start') {
      this.#dueBefore = 0;
      return;
    }
    if (mark.mark === 'input_start') return;
    const isPrompt = mark.mark === 'prompt_start';
    if (isPrompt) this.#seesPrompts = true;
    if (this.#dueBefore === 0) this.#pending = false;
    else if (isPrompt || !this.#seesPrompts) this.#dueBefore--;
  }

  isDone({ phase, inputStartIsDue }: Pick<CommandMarks, 'phase' | 'inputStartIsDue'>): boolean {
    if (this.#pending || inputStartIsDue) return false;
    return phase === 'done' || phase === 'prompt' || phase === 'input';
  }
}
