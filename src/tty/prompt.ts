/** A question of attach itself, answered in the status line: a line, or one key. */
import { CANCELLING_KEYS, LineEditor } from './line-editor.js';
import type { Panel } from './panel.js';
import type { StatusLine } from './status-line.js';

export interface PromptOptions {
  readonly label: string;
  /** The first key is the answer. */
  readonly isOneKey?: boolean;
  /** Whether the typed text is hidden. */
  readonly isSecret?: boolean;
  /** Above it. */
  readonly card?: (rows: number, cols: number) => readonly string[];
  onAnswer(answer: string): void;
}

export class Prompt implements Panel {
  readonly #options: PromptOptions;
  readonly #line = new LineEditor();

  constructor(options: PromptOptions) {
    this.#options = options;
  }

  get status(): StatusLine {
    return { left: ` ${this.#options.label} ${this.#shown}`, right: 'Esc: cancel ', look: 'message' };
  }

  get cursorCol(): number {
    return this.#options.label.length + Array.from(this.#shown).length + 2;
  }

  get #shown(): string {
    const { text } = this.#line;
    return this.#options.isSecret === true ? '•'.repeat(Array.from(text).length) : text;
  }

  overlay(rows: number, cols: number): readonly string[] {
    return this.#options.card?.(rows, cols) ?? [];
  }

  take(key: string): boolean {
    if (CANCELLING_KEYS.has(key)) return true;
    if (this.#options.isOneKey === true) this.#options.onAnswer(key);
    else if (this.#line.take(key) === undefined) return false;
    else this.#options.onAnswer(this.#line.text);
    return true;
  }
}
