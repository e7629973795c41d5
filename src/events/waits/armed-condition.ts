/** A condition of a wait: armed once, checked after everything that could have made it true. */
import type { Disposable } from '../../base/lifetime.js';
import type { WaitReply } from '../../protocol/conditions.js';

/** The reply's facts about a condition that is true. */
export type Evidence = Pick<
  WaitReply,
  | 'match'
  | 'code'
  | 'exit_code'
  | 'shell_level'
  | 'signal'
  | 'nothing_ran'
  | 'command'
  | 'event'
  | 'awaiting_input'
  | 'doing'
  | 'ignored'
  | 'warning'
>;

/** The condition is still searching; it asks for another check when it has finished. */
export const UNDECIDED = Symbol('undecided');

export interface ArmedCondition extends Disposable {
  /** Evidence once it is true; for some conditions, if it was true at any time since it was armed. */
  check(): Evidence | typeof UNDECIDED | undefined;
  /** Asked after `check` had nothing: it can come true no more, and why. */
  inVain?(): string | undefined;
  /** Reason why it was not met, if that may surprise, at the end of a wait that it did not end. */
  lack?(): string | undefined;
  /** Closes a condition that may be undecided: later changes do not count. */
  close?(): void;
}
