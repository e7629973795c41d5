/** How often each rule has found something: a rule that finds nothing shows here, and one that finds too much. */
import { allRules, type Profile } from '../../activity/rule.js';
import type { ENTRY_OPS, WireEntry } from '../../protocol/entry.js';

interface Counts {
  found: number;
  changed: number;
  deleted: number;
}

export interface RuleTally extends Readonly<Counts> {
  readonly profile: string;
  readonly rule: string;
  readonly kind: string;
}

interface Change {
  readonly op: (typeof ENTRY_OPS)[number];
  readonly entry: Pick<WireEntry, 'rule' | 'version'>;
}

/** By profile, by rule. */
export type FrozenTally = ReadonlyMap<string, ReadonlyMap<string, Counts>>;

export class Tally {
  /** By profile, by rule. */
  readonly #counts = new Map<string, Map<string, Counts>>();

  freeze(): FrozenTally {
    return this.#counts;
  }

  restore(counts: FrozenTally): void {
    for (const [profile, own] of counts) this.#counts.set(profile, new Map(own));
  }

  /** A terminal is read by it. */
  use(profile: string): void {
    if (!this.#counts.has(profile)) this.#counts.set(profile, new Map());
  }

  add(profile: string, { op, entry: { rule, version } }: Change): void {
    const rules = this.#counts.get(profile);
    const counts = rules?.get(rule) ?? { found: 0, changed: 0, deleted: 0 };
    if (op === 'delete') counts.deleted++;
    if (op === 'upsert') counts[version === 1 ? 'found' : 'changed']++;
    rules?.set(rule, counts);
  }

  /** Of the profiles that were used, all rules; what these do not have any more is forgotten. */
  of(profiles: readonly Profile[]): RuleTally[] {
    const used = profiles.filter(({ id }) => this.#counts.has(id));
    const left = new Set(used.map(({ id }) => id));
    for (const id of this.#counts.keys()) if (!left.has(id)) this.#counts.delete(id);
    return used.flatMap((profile) => {
      const counts = this.#counts.get(profile.id);
      const rules = allRules(profile).filter(({ on }) => on !== 'box');
      const ids = new Set(rules.map(({ id }) => id));
      for (const id of counts?.keys() ?? []) if (!ids.has(id)) counts?.delete(id);
      return rules.map(({ id, kind }) => {
        const { found = 0, changed = 0, deleted = 0 } = counts?.get(id) ?? {};
        return { profile: profile.id, rule: id, kind, found, changed, deleted };
      });
    });
  }
}
