/**
 * Whether a program rests: it sleeps until a key or an event comes, and has done so for a while. What it has computed is drawn by then.
 * A program that computes may be about to ask, and would take an Enter that is written meanwhile for an answer.
 */
import { haveSlept, restingReaders, type SleepingReader } from '../../terminal/system/proc/sleeping-readers.js';
import type { Terminal } from '../../terminal/terminal.js';

/** Libraries for screens draw at most 30 times a second: who has slept for longer has nothing left to draw. */
const RESTS_MS = 40;
/** Some programs draw an animation without a pause as long: then any sleep counts. */
const RESTLESS_MS = 1500;
/** Some never sleep in a wait for keys. */
const SLEEPLESS_MS = 10_000;

export class ProgramRest {
  readonly #terminal: Terminal;
  readonly #fromMs: number;
  #readers: readonly SleepingReader[] = [];
  #sinceMs: number;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#fromMs = this.#sinceMs = terminal.clock.now();
  }

  /** Looks at its threads. @returns whether it rests, or never does, or the system does not report it */
  isReached(): boolean {
    if (this.#isUnknown) return true;
    const readers = restingReaders(this.#terminal);
    const isSame = readers.length > 0 && haveSlept(this.#readers) && readers.length === this.#readers.length;
    if (!isSame) {
      this.#readers = readers;
      this.#sinceMs = this.#terminal.clock.now();
    }
    return this.#hasRested;
  }

  /** Rest at the last look, which no thread has ended since. */
  get lasts(): boolean {
    return this.#isUnknown || (this.#hasRested && haveSlept(this.#readers));
  }

  get #hasRested(): boolean {
    const nowMs = this.#terminal.clock.now();
    const restsMs = nowMs - this.#fromMs >= RESTLESS_MS ? 0 : RESTS_MS;
    return this.#readers.length > 0 && nowMs - this.#sinceMs >= restsMs;
  }

  get #isUnknown(): boolean {
    const { detectors, clock } = this.#terminal;
    return !detectors.tellsAwaitingInput || clock.now() - this.#fromMs >= SLEEPLESS_MS;
  }
}
