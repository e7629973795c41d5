/**
 * Rules: `rules`, `entries`, and the conditions of other commands on entries. Rules are in use from the first request that names some
 * on, or where the owner has a file of them.
 */
import { existsSync } from 'node:fs';
import type { Core } from '../core.js';
import type { Feature } from '../feature.js';
import { Activity, activityFolder, type FrozenActivity } from './activity.js';
import { entries } from './entries.js';
import { assertEntry, entryReference, type EntryTerminal } from './entry-condition.js';
import { rules } from './rules.js';
import type { RulesInUse } from './rules-in-use.js';
import { type StandingEntries, standingEntries } from './standing-entries.js';

export interface RulesOptions {
  /** Rules of the owner, whether or not the file exists. */
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface RulesFeature extends Feature<'rules' | 'entries'>, RulesInUse {
  /** @param given `id@version`, checked by the schema @throws T4aError entry_changed */
  assertEntry(terminal: EntryTerminal, given: string): Promise<void>;
  standingEntries(terminal: EntryTerminal): Promise<StandingEntries>;
}

export function rulesFeature(core: Core, { file, env }: RulesOptions): RulesFeature {
  const { clock, work, bus } = core;
  let activity: Activity | undefined;
  const inUse: RulesInUse = {
    file,
    get used() {
      return activity !== undefined || existsSync(file) ? inUse.activity() : undefined;
    },
    activity() {
      activity ??= new Activity({
        file,
        folder: activityFolder(env, clock.wallNow()),
        clock,
        work,
        warn: (message, code = 'rules') => bus.announce({ event: 'warning', code, message }),
        keepsFiles: () => core.config.activity === 'disk',
        terminals: () => core.terminals.all(),
      });
      return activity;
    },
  };
  return {
    file,
    get used() {
      return inUse.used;
    },
    activity: () => inUse.activity(),
    handlers: { rules: rules(core, inUse), entries: entries(core, inUse) },
    /** Looks read the screen from its first line on, so that none is missed. */
    observe(terminal, isNew) {
      if (!isNew) return undefined;
      const { used } = inUse;
      if (used !== undefined && used.of(terminal) === undefined) used.watch(terminal);
      return undefined;
    },
    assertEntry: (terminal, given) => assertEntry(inUse.used, terminal, entryReference(given)),
    standingEntries: (terminal) => standingEntries(inUse.used, terminal),
    keeps: () => [activity?.hindrance ?? []].flat(),
    settle: () => activity?.endLooks(),
    freeze: () => activity?.freeze(),
    thaw: (state: FrozenActivity) => inUse.activity().resume(state),
    written: () => activity?.written() ?? Promise.resolve(),
    dispose: () => activity?.close(),
  };
}
