/**
 * Shares the process between all screens that have something to parse: one slice each in turn, and back to the event loop
 * after a few milliseconds, however many screens there are and whatever their programs print. A request therefore waits
 * for one run ({@link YIELD_MS} and the slice under way), not for everybody's flood.
 */

/** Long enough that the loop's own cost between runs does not count, short enough that nobody feels it. */
const YIELD_MS = 2;

/** Of so many slices one goes to whoever is next, so that the urgent ones cannot starve the others. */
const SLICES_A_ROUND = 4;

/** What a program says at a time when somebody waits for it: a bell, a prompt with its marks, a line. */
export const LITTLE_BYTES = 1024;

export interface ParseTask {
  /** Somebody waits for it to have caught up, or it has so little to parse that nobody's flood notices. */
  isUrgent(): boolean;
  /** Parses one slice. True: there is more. */
  parseSlice(): boolean;
}

export class ParseSchedule {
  readonly #ready: ParseTask[] = [];
  #scheduled = false;
  #slices = 0;

  /** To be called when a task has something to parse and has not been added since it last had nothing. */
  add(task: ParseTask): void {
    this.#ready.push(task);
    this.#schedule();
  }

  remove(task: ParseTask): void {
    const index = this.#ready.indexOf(task);
    if (index !== -1) this.#ready.splice(index, 1);
  }

  readonly #run = (): void => {
    this.#scheduled = false;
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
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#run);
  }

  #parse(task: ParseTask): void {
    let hasMore = true;
    try {
      hasMore = task.parseSlice();
    } finally {
      // Also when a listener threw: what is left must be parsed all the same.
      if (hasMore) this.#ready.push(task);
    }
  }

  #next(): ParseTask | undefined {
    const urgentFirst = ++this.#slices % SLICES_A_ROUND !== 0;
    const urgent = urgentFirst ? this.#ready.findIndex((task) => task.isUrgent()) : -1;
    return urgent > 0 ? this.#ready.splice(urgent, 1)[0] : this.#ready.shift();
  }
}
