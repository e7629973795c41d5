/**
 * At which revision each line of the buffer last changed, by its lasting number: what a reader who was here before has
 * to read again. A number a line, beside the 1.3 KB that the line itself takes.
 */
export class LineRevisions {
  /** Revisions of the lines from `#start` on; a line that never changed since the floor has 0. */
  #revs: number[] = [];
  #start = 0;
  #floor = 0;

  /** Whoever last looked before this revision must read everything: lines were laid out anew, or another screen is shown. */
  get floor(): number {
    return this.#floor;
  }

  raiseFloor(rev: number): void {
    this.#floor = rev;
    this.#revs = [];
  }

  set(line: number, rev: number): void {
    if (this.#revs.length === 0) this.#start = line;
    if (line < this.#start) {
      this.#revs = [...Array.from({ length: this.#start - line }, () => 0), ...this.#revs];
      this.#start = line;
    }
    while (this.#revs.length < line - this.#start) this.#revs.push(0);
    this.#revs[line - this.#start] = rev;
  }

  get(line: number): number {
    return this.#revs[line - this.#start] ?? 0;
  }

  /** Forgets the lines before `first`, from time to time: a cut costs a copy. */
  forgetBefore(first: number): void {
    const gone = first - this.#start;
    if (gone < SLACK_LINES || gone * 2 < this.#revs.length) return;
    this.#revs = this.#revs.slice(gone);
    this.#start = first;
  }
}

const SLACK_LINES = 1024;
