import type { UnshownPicture } from './unshown-pictures.js';

/** A recorded sequence, for finding problems of a program. */
export interface UnknownSequence {
  readonly kind: 'csi' | 'esc' | 'osc' | 'dcs' | 'apc';
  /** Text without the introducer and the terminator, e.g. `?1;2h`. */
  readonly text: string;
  /** Picture that a sequence shows. */
  readonly picture?: UnshownPicture | undefined;
}

/** A program's query and the answer to it; undefined if unanswered. */
export interface Query extends UnknownSequence {
  readonly answer: string | undefined;
}
