/**
 * Settled, of a terminal that was just made: a program that has printed nothing yet is about to, so that its blank screen counts
 * only once the program waits for input, or has had time enough.
 */
import { DisposableScope } from '../../base/lifetime.js';
import { wholeText } from '../../vt/rows/logical-line.js';
import type { ArmedCondition, Evidence } from './armed-condition.js';
import type { WaitContext, WaitSubject } from './subject.js';

/** A blank screen counts after this: the start of an interpreter on a busy machine, and not the patience of a caller. */
export const BLANK_LIMIT_MS = 3000;

export function settledFirst(settledMs: number, { subject, clock }: WaitContext, recheck: () => void): ArmedCondition {
  const scope = new DisposableScope();
  const holding = scope.add(new DisposableScope());
  let evidence: Evidence | undefined;
  const begin = (): void => {
    if (holding.disposed) return;
    holding.dispose();
    // Called at once if the screen is settled already.
    scope.add(
      subject.watchSettled(settledMs, -Infinity, ({ ignored }) => {
        evidence = { ignored: [...ignored] };
        recheck();
      }),
    );
  };
  const beginOnceShown = (): void => {
    if (!isBlank(subject)) begin();
  };
  holding.add(subject.onParsed(beginOnceShown));
  holding.add(clock.after(BLANK_LIMIT_MS, begin));
  if (subject.tellsAwaitingInput) holding.add(subject.onAwaitingInput(begin, { now: true }));
  beginOnceShown();
  return { check: () => evidence, dispose: () => scope.dispose() };
}

function isBlank({ screen }: WaitSubject): boolean {
  return screen.snapshot().lines.every((row) => wholeText(row).trim() === '');
}
