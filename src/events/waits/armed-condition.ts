/** A condition of a wait: armed once, asked after everything that could have made it true. */
import type { Disposable } from '../../base/lifetime.js';
import type { WaitReply } from '../../protocol/conditions.js';

/** What a condition can show for itself. */
export type Evidence = Pick<WaitReply, 'match' | 'code' | 'event' | 'awaiting_input' | 'ignored'>;

/** It is still looking at what was there when it was asked; it stirs when it has. */
export const UNDECIDED = Symbol('undecided');

export interface ArmedCondition extends Disposable {
  /** Evidence once it is true, or was so at some time since it was armed where that is what counts. */
  check(): Evidence | typeof UNDECIDED | undefined;
  /** Where it may be undecided: what changes from now on does not count. */
  close?(): void;
}
