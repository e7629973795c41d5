/** An application in the terminal of a person, as its parts use it. */
import type { PromptOptions } from './prompt.js';
import type { Size } from '../mirror/fit.js';

export interface App {
  /** Room for the screen. */
  readonly size: Size;
  /** Puts a question in the status line. */
  ask(asked: Omit<PromptOptions, 'onAnswer'>, then: (answer: string) => Promise<void>): void;
  say(message: string): void;
  report(error: unknown): void;
}
