/** What handlers and features use of the daemon: what stands below all of them. */
import type { Clock } from '../base/clock.js';
import type { Log } from '../base/log.js';
import type { EventBus } from '../events/bus.js';
import type { WorkSchedule } from '../search/work-schedule.js';
import type { Config } from '../protocol/commands/config.js';
import type { RulesOwner } from './activity/entry-condition.js';
import type { Pictures } from './pictures/pictures.js';
import type { Prefetch } from './pictures/prefetch.js';
import type { Themes } from './pictures/themes.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Terminals } from '../terminal/terminals.js';

export interface Core {
  readonly terminals: Terminals;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: Config;
  /** Long searches of all requests. */
  readonly work: WorkSchedule;
}

/** With pictures, for what looks after it has acted or waited. */
export interface LookingCore extends Core {
  readonly themes: Themes;
  readonly pictures: Pictures;
  readonly prefetch: Prefetch<Terminal>;
}

/** With rules, whose entries a request may name. */
export interface RulesCore extends LookingCore, RulesOwner {}
