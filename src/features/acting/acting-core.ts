/** What features use that act: with pictures, and with rules, whose entries a request may name. */
import type { Later } from '../feature.js';
import type { LookingCore } from '../pictures/looking-core.js';
import type { RulesFeature } from '../rules/feature.js';

export interface ActingCore extends LookingCore {
  readonly rules: Later<RulesFeature>;
}
