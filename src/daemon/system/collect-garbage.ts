/**
 * Has the engine collect its garbage now: some 50 ms for 200,000 lines of scrollback. For a process that is close to its
 * limit of memory, and that would otherwise refuse work for the sake of what nobody holds any more.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

export function collectGarbage(): void {
  collect ??= collector();
  collect();
}

/** The engine offers it only to contexts that are made while the flag is set. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof gc !== 'function') throw new Error('this engine does not offer its collector');
  return () => void gc();
}
