/** How a box reads, and since when. */
import type { Terminal } from '../../terminal/terminal.js';
import { type PromptLook, textIn } from './prompt-look.js';

/** What a box shows for less may be the middle of a drawing: its text may be gone, and the whole box. */
export const DRAWN_MS = 60;

/** `text` undefined: there is no box. */
interface Reading {
  readonly text: string | undefined;
  readonly sinceMs: number;
}

/** A look in the middle of a drawing changes nothing. */
export class BoxReading {
  readonly #terminal: Terminal;
  #box: Reading | undefined;
  #next: Reading | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Undefined: there is no box, or no look has been followed. */
  get text(): string | undefined {
    return this.#box?.text;
  }

  follow(look: PromptLook): void {
    const text = textIn(look);
    const now = this.#nowMs();
    if (this.#box === undefined) {
      // A screen that has not changed for long showed the same before the first look.
      this.#box = { text, sinceMs: this.#terminal.detectors.lastBytesAtMs };
    } else if (text === this.#box.text) {
      this.#next = undefined;
    } else if (this.#next === undefined || this.#next.text !== text) {
      this.#next = { text, sinceMs: now };
    } else if (now - this.#next.sinceMs >= DRAWN_MS) {
      [this.#box, this.#next] = [this.#next, undefined];
    }
  }

  /** The look shows what has been read before. */
  isSame(look: PromptLook): boolean {
    return this.#box !== undefined && this.#box.text === textIn(look);
  }

  /** There is a box, and it has read so for that long. */
  stands(ms: number): boolean {
    return this.#box?.text !== undefined && this.#nowMs() - this.#box.sinceMs >= ms;
  }

  #nowMs(): number {
    return this.#terminal.clock.now();
  }
}
