import type { Fields } from '../presenters.js';
import type { Surroundings } from '../host.js';

/** After `kill` and `shutdown`, which have nothing else to say. */
export function noteSurvivors({ survivors }: Fields, surroundings: Surroundings): void {
  if (!Array.isArray(survivors)) return;
  surroundings.note(`t4a: could not be ended and still run (another user's?): pids ${survivors.join(', ')}.\n`);
}
