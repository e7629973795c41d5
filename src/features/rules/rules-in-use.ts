/** What the handlers have of the rules. */
import type { Activity } from './activity.js';

export interface RulesInUse {
  readonly file: string;
  /** Undefined while no rules are in use. */
  readonly used: Activity | undefined;
  /** From here on they are in use. */
  activity(): Activity;
}
