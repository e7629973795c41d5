/**
 * Long work in pieces: a generator that pauses regularly and yields the number of steps since the last pause. The
 * caller decides what happens in a pause.
 */

/** A step takes some 50 ns: one state of a pattern, or a few skipped characters. */
export type Work<T> = Generator<number, T, void>;

/** Steps between two pauses, plus or minus those of one character: half a millisecond. */
export const STEPS_A_PIECE = 10_000;

/** Runs it to the end, without pauses. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const next = work.next();
    if (next.done === true) return next.value;
  }
}
