/**
 * Work that may take long, done in pieces: a generator that pauses every now and then and says how many steps it has made
 * since. Whoever runs it decides what happens in a pause.
 */

/** A step is what takes some 50 ns: a state of a pattern that is tried, a few characters that are passed over. */
export type Work<T> = Generator<number, T, void>;

/** Steps between two pauses, give or take those of one character: half a millisecond. */
export const STEPS_A_PIECE = 10_000;

/** All of it, without a pause. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
  }
}
