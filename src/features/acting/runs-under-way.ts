/** Runs whose end is awaited: what a daemon that takes over is told of them, and what it holds for their clients. */
import { type HasParts, PartKey } from '../../base/parts.js';
import type { Terminal } from '../../terminal/terminal.js';

/** Its end is the answer to a run. */
export const ANSWERS_RUN = new PartKey<boolean>(() => false);

/** Of a run that a daemon before has begun, until its client goes on with it. */
export const IS_TO_RESUME = new PartKey<boolean>(() => false);

/** Its terminal stays, however the run ends. */
export const KEEPS_RUN = new PartKey<boolean>(() => false);

/** For a client to go on with its run: then it has gone. */
const RESUME_WITHIN_MS = 30_000;

/** Ids of terminals whose runs are under way, or are still to go on, and whether they stay. */
export function runsUnderWay(terminals: readonly Terminal[]): ReadonlyMap<string, boolean> {
  const runs = terminals.filter((each) => each.part(IS_TO_RESUME).value || answersRun(each));
  return new Map(runs.map((each) => [each.id, each.part(KEEPS_RUN).value] as const));
}

/** @param remove the terminal, whose client has gone */
export function isToResume(terminal: Terminal, stays: boolean, remove: () => void): void {
  const part = terminal.part(IS_TO_RESUME);
  part.value = true;
  terminal.part(KEEPS_RUN).value = stays;
  terminal.clock.after(RESUME_WITHIN_MS, () => {
    const isLeft = part.value;
    part.value = false;
    if (isLeft && !stays) remove();
  });
}

export function answersRun(terminal: HasParts): boolean {
  return terminal.part(ANSWERS_RUN).value;
}
