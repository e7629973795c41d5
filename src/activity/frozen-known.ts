/** Entries that an engine knows, as values for another process: what refers to the same entry has the same number. */
import type { Block } from './blocks.js';
import type { Known } from './ledger.js';
import type { Rule } from './rule.js';

export interface FrozenKnown extends Omit<Known, 'block'> {
  readonly block: Omit<Block, 'rule'> & {
    /** Number of the rule, in all of its profile. */
    readonly rule: number;
  };
}

export class KnownNumbers {
  readonly #rules: readonly Rule[];
  readonly #numbers = new Map<Known, number>();

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  readonly of = (known: Known): number => {
    let number = this.#numbers.get(known);
    if (number === undefined) this.#numbers.set(known, (number = this.#numbers.size));
    return number;
  };

  /** Blocks in the order of their numbers. */
  all(): FrozenKnown[] {
    return Array.from(this.#numbers.keys(), ({ entry, block: { rule, ...block }, frozen }) => {
      return { entry, frozen, block: { ...block, rule: this.#rules.indexOf(rule) } };
    });
  }
}

/** @param rules the same ones @returns what has a number */
export function thawedKnown(all: readonly FrozenKnown[], rules: readonly Rule[]): (number: number) => Known {
  const thawed = all.map(({ entry, frozen, block: { rule: at, ...block } }): Known => {
    const rule = rules[at];
    if (rule === undefined) throw new Error(`there is no rule ${at} of ${rules.length}`);
    return { entry, frozen, block: { ...block, rule } };
  });
  return (number) => {
    const known = thawed[number];
    if (known === undefined) throw new Error(`there is no entry ${number} of ${thawed.length}`);
    return known;
  };
}
