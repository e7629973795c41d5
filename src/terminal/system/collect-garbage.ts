/**
 * Runs the engine's garbage collector: some 50 ms for 200,000 lines of scrollback. Used close to the memory limit,
 * before work is refused because of unreachable objects.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

export function collectGarbage(): void {
  collect ??= collector();
  collect();
}

/** The engine exposes it only in contexts that are created while the flag is set. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof gc !== 'function') throw new Error('this engine does not offer its collector');
  return () => void gc();
}
