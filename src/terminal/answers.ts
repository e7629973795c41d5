/** Answers of a screen to the queries of its program: one write for each slice of output. */
import type { PtyPart } from './pty/pty.js';

export interface AnsweringTerminal {
  readonly alive: boolean;
  readonly detectors: { onAnswers(bytes: Uint8Array): void; readonly shell: { onAnswers(): void } };
}

export class Answers {
  readonly #terminal: AnsweringTerminal;
  readonly #pty: PtyPart;
  /** Of the slice that is being parsed. */
  #pending = '';

  constructor(terminal: AnsweringTerminal, pty: PtyPart) {
    this.#terminal = terminal;
    this.#pty = pty;
  }

  add(answer: string): void {
    this.#pending += answer;
    // In the order of the output: of the command or of the prompt, whose marks may be in the same slice.
    if (this.#terminal.alive) this.#terminal.detectors.shell.onAnswers();
  }

  /** Lost answers do no harm: a program that does not read its input does not wait for them. */
  send(): void {
    if (this.#pending === '') return;
    const answers = Buffer.from(this.#pending, 'utf8');
    this.#pending = '';
    if (!this.#terminal.alive) return;
    this.#terminal.detectors.onAnswers(answers);
    this.#pty.write(answers).catch(() => {});
  }
}
