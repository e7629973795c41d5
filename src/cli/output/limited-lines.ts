/** The first and the last of many lines; a note on standard error stands in the place of those between, so that no gap is silent. */
import type { Host } from '../host.js';

export class LimitedLines {
  readonly #host: Host;
  readonly #head: number;
  readonly #tail: number;
  #printed = 0;
  #omitted = 0;
  #kept: string[] = [];
  #isWithinLine = false;

  constructor(most: number, host: Host) {
    this.#host = host;
    this.#head = Math.ceil(most / 2);
    this.#tail = most - this.#head;
  }

  /** @param text a line with its LF, or a piece of one */
  print(text: string): void {
    const begins = !this.#isWithinLine;
    this.#isWithinLine = !text.endsWith('\n');
    if (this.#printed < this.#head || (!begins && this.#kept.length === 0 && this.#omitted === 0)) {
      this.#host.out(text);
      if (begins) this.#printed++;
      return;
    }
    if (begins) this.#kept.push(text);
    else this.#kept.push(`${this.#kept.pop() ?? ''}${text}`);
    if (this.#kept.length <= this.#tail) return;
    this.#kept.shift();
    this.#omitted++;
  }

  end(): void {
    if (this.#omitted > 0) this.#host.note(`… ${this.#omitted} lines left out (--max-lines) …\n`);
    this.#host.out(this.#kept.join(''));
  }
}
