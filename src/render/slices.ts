/** Long work as a generator that yields where it may be interrupted. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which a picture may hold the loop at a time. */
const SLICE_MS = 4;

export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Gives the loop a turn whenever it was held for 4 ms.
 * @throws the signal's reason, once that is aborted: the work is left undone
 */
export async function inSlices<T>(steps: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  try {
    for (let start = performance.now(); ;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (performance.now() - start < SLICE_MS) continue;
      await nextTurn();
      signal?.throwIfAborted();
      start = performance.now();
    }
  } finally {
    // Lets the `finally` blocks of an unfinished generator run.
    steps.return(undefined as never);
  }
}
