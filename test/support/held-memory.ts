/** What is really held: what is left once the garbage is collected, inside and outside of V8's heap. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export function heldBytes(): number {
  // Twice: a buffer's memory goes with the collection after the one that finds it unused.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
