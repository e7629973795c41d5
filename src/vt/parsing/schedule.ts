/**
 * Shares the process between all screens with unparsed output: one slice of each in turn, and back to the event loop
 * after a few milliseconds, however many screens there are and whatever their programs print. A request therefore waits
 * for one run ({@link YIELD_MS} and the current slice), not for all floods.
 */

/** Long enough that the loop's own cost between runs does not count, short enough not to be noticed. */
const YIELD_MS = 2;

/** One of this many slices goes to the next task in line, so that urgent ones cannot starve the others. */
const SLICES_A_ROUND = 4;

/** Typical output that a wait depends on: a bell, a prompt with its marks, a line. */
export const LITTLE_BYTES = 1024;

export interface ParseTask {
  /** A reader waits for it to catch up, or it has so little to parse that floods are not delayed noticeably. */
  isUrgent(): boolean;
  /** Parses one slice. Returns true if there is more. */
  parseSlice(): boolean;
}

export class ParseSchedule {
  readonly #ready: ParseTask[] = [];
  #scheduled = false;
  #slices = 0;
  #isHeld = false;

  /** Call it when a task has something to parse and is not in the schedule. */
  add(task: ParseTask): void {
    this.#ready.push(task);
    this.#schedule();
  }

  /** Nothing is parsed until {@link release}. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    if (this.#ready.length > 0) this.#schedule();
  }

  remove(task: ParseTask): void {
    const index = this.#ready.indexOf(task);
    if (index !== -1) this.#ready.splice(index, 1);
  }

  readonly #run = (): void => {
    this.#scheduled = false;
    if (this.#isHeld) return;
    const endMs = performance.now() + YIELD_MS;
    try {
      for (let task = this.#next(); task !== undefined; task = performance.now() < endMs ? this.#next() : undefined) {
        this.#parse(task);
      }
    } finally {
      if (this.#ready.length > 0) this.#schedule();
    }
  };

  #schedule(): void {
    if (this.#scheduled || this.#isHeld) return;
    this.#scheduled = true;
    setImmediate(this.#run);
  }

  #parse(task: ParseTask): void {
    let hasMore = true;
    try {
      hasMore = task.parseSlice();
    } finally {
      // Also after a listener's error: the rest must be parsed all the same.
      if (hasMore) this.#ready.push(task);
    }
  }

  #next(): ParseTask | undefined {
    const urgentFirst = ++this.#slices % SLICES_A_ROUND !== 0;
    const urgent = urgentFirst ? this.#ready.findIndex((task) => task.isUrgent()) : -1;
    return urgent > 0 ? this.#ready.splice(urgent, 1)[0] : this.#ready.shift();
  }
}
