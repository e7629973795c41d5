/** A rule as the engine runs it, whatever form its file has. */
import type { Pattern } from './pattern.js';

/** Cells of the viewport; negative numbers count from below and from the right. The last ones are left out. */
export interface Region {
  readonly top: number;
  readonly left: number;
  /** Undefined: to the edge. */
  readonly bottom: number | undefined;
  readonly right: number | undefined;
}

/** A place of a region, as one in a viewport of that size. */
export function within(place: number, size: number): number {
  return Math.min(size, place < 0 ? Math.max(0, size + place) : place);
}

/** A line of a block after its first. */
export interface RuleStep {
  readonly match: Pattern;
  readonly optional: boolean;
  readonly repeat: boolean;
  /** The line must follow and does not belong to the block: it may start the next one. */
  readonly ahead: boolean;
}

export interface Rule {
  readonly id: string;
  readonly kind: string;
  /**
   * Where its lines come from: all that is printed, a part of the viewport, the title, the report of the program. `box` finds no
   * entries: see box.ts.
   */
  readonly on: 'lines' | 'region' | 'title' | 'report' | 'box';
  readonly region: Region | undefined;
  /** Looked at again only if this part of the viewport has changed. */
  readonly trigger: Region | undefined;
  /** Begins a block. Of a `whole` rule: the pattern over the text of the region. */
  readonly start: Pattern;
  /** `start` is searched in the text of the region as a whole. */
  readonly whole: boolean;
  readonly continues: Pattern | undefined;
  readonly end: Pattern | undefined;
  readonly steps: readonly RuleStep[];
  readonly maxLines: number;
  /** Starts on a line that is still being printed, too. */
  readonly unfinished: boolean;
  /** Template of captures, which makes all blocks of the same key one entry. */
  readonly key: string | undefined;
  readonly confidence: number;
  /** Blocks of fewer steps are given to the fallback, or dropped. */
  readonly minConfidence: number;
  /** Captures that are numbers. */
  readonly numbers: ReadonlySet<string>;
  readonly data: Readonly<Record<string, unknown>>;
  /** Text that the program shows in a box while it is empty. */
  readonly hint: Pattern | undefined;
  /** End of a text in a box at which the program offers a choice, which Enter would take. A blank behind it ends that. */
  readonly opensMenu: Pattern | undefined;
  /** Begin of a text that the program takes for a command of a shell, unless a blank is before it. */
  readonly opensShell: Pattern | undefined;
  /** Whether a box is one only while the cursor, shown or hidden, stands in its text. */
  readonly cursor: boolean;
  /** Tried on the same line if this one fails. */
  readonly fallback: Rule | undefined;
}

export interface Profile {
  readonly id: string;
  /** Undefined: chosen by name alone. */
  readonly command: Pattern | undefined;
  readonly args: Pattern | undefined;
  /** Rules in the order of their precedence; those that are a fallback only are left out. */
  readonly rules: readonly Rule[];
}

/** Rules with those that are a fallback only; each once. */
export function allRules({ rules }: Pick<Profile, 'rules'>): readonly Rule[] {
  return [...new Set(rules.flatMap(withFallbacks))];
}

function withFallbacks(first: Rule): Rule[] {
  const all: Rule[] = [];
  for (let rule: Rule | undefined = first; rule !== undefined; rule = rule.fallback) all.push(rule);
  return all;
}

export interface RuleSet {
  readonly profiles: readonly Profile[];
}

/** The profile by which a program's output is read; the first that matches. */
export function profileFor({ profiles }: RuleSet, command: readonly string[]): Profile | undefined {
  const [program = '', ...args] = command;
  const joined = args.join(' ');
  return profiles.find(({ command: own, args: ownArgs }) => {
    if (own === undefined || !own.test(program)) return false;
    return ownArgs === undefined || ownArgs.test(joined);
  });
}
