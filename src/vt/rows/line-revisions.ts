export interface FrozenRevisions {
  readonly start: number;
  readonly floor: number;
  /** Words: as JSON ten thousand numbers take a millisecond on either side. A list in states of earlier daemons. */
  readonly revs: Uint32Array | readonly number[];
}

/**
 * Revision of each line's last change, by its lasting number: what a returning reader has to read again. One number a
 * line, beside the 1.3 KB of the line itself.
 */
export class LineRevisions {
  /** Revisions of the lines from `#start` on; 0 for a line that is unchanged since the floor. */
  #revs: number[] = [];
  #start = 0;
  #floor = 0;

  /**
   * Readers whose last revision is older must read everything: lines were laid out anew, or another screen is shown.
   */
  get floor(): number {
    return this.#floor;
  }

  freeze(): FrozenRevisions {
    return { start: this.#start, floor: this.#floor, revs: Uint32Array.from(this.#revs) };
  }

  restore({ start, floor, revs }: FrozenRevisions): void {
    this.#start = start;
    this.#floor = floor;
    this.#revs = Array.from(revs);
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

  /** Drops the lines before `first`, from time to time: a cut costs a copy. */
  forgetBefore(first: number): void {
    const gone = first - this.#start;
    if (gone < SLACK_LINES || gone * 2 < this.#revs.length) return;
    this.#revs = this.#revs.slice(gone);
    this.#start = first;
  }
}

const SLACK_LINES = 1024;
