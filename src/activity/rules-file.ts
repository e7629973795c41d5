/** The text of a rules file to the profiles that it declares. An error names the file, the line and the field. */
import type { z } from 'zod';
import { jsonPlaces } from '../base/json-places.js';
import { nearestWords } from '../base/nearest.js';
import { T4aError, quote } from '../protocol/errors.js';
import { fieldError } from '../protocol/field-error.js';
import { finish, STEPS_A_PIECE, type Work } from '../search/work.js';
import { Pattern } from './pattern.js';
import type { Profile, Region, Rule, RuleSet, RuleStep } from './rule.js';
import {
  MAX_RULES,
  ownRule,
  type OwnRule,
  type ProfileForm,
  rulesFile,
  seedRule,
  type SeedRule,
} from './rules-form.js';

/** @param shipped profiles that the file's may extend. @throws T4aError rules_invalid */
export function parseRules(name: string, text: string, shipped: readonly Profile[] = []): RuleSet {
  return finish(parsingRules(name, text, shipped));
}

/** The same, with a pause before each pattern. */
export function parsingRules(name: string, text: string, shipped: readonly Profile[]): Work<RuleSet> {
  return new RulesReader(name, text, shipped).read();
}

/** A pattern is compiled in some 0.3 ms. */
const PATTERN_STEPS = STEPS_A_PIECE;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

class RulesReader {
  readonly #name: string;
  readonly #text: string;
  readonly #shipped: readonly Profile[];

  constructor(name: string, text: string, shipped: readonly Profile[]) {
    this.#name = name;
    this.#text = text;
    this.#shipped = shipped;
  }

  *read(): Work<RuleSet> {
    const { profiles: forms } = this.#checked(rulesFile, this.#json(), '');
    const known = new Map(this.#shipped.map((profile) => [profile.id, profile]));
    const own: Profile[] = [];
    for (const [i, form] of forms.entries()) {
      const place = `profiles.${i}`;
      if (own.some(({ id }) => id === form.id)) throw this.#error(`${place}.id`, `there are two profiles ${form.id}`);
      const profile = yield* this.#profile(form, place, known);
      own.push(profile);
      known.set(profile.id, profile);
    }
    return { profiles: own };
  }

  *#profile(form: ProfileForm, place: string, known: ReadonlyMap<string, Profile>): Work<Profile> {
    const inherited = form.extends.flatMap((id, i) => {
      const base = known.get(id);
      if (base !== undefined) return base.rules;
      throw this.#error(
        `${place}.extends.${i}`,
        `there is no profile ${quote(id)} before it`,
        nearestTo(id, known.keys()),
      );
    });
    const rules = [...(yield* this.#rules(form, place)), ...inherited];
    if (rules.length > MAX_RULES) throw this.#error(`${place}.rules`, `more than ${MAX_RULES} rules`);
    const { match } = form;
    return {
      id: form.id,
      command: yield* this.#patternIf(match?.command_regex, `${place}.match.command_regex`),
      args: yield* this.#patternIf(match?.args_regex, `${place}.match.args_regex`),
      rules,
    };
  }

  *#rules({ rules: forms }: ProfileForm, place: string): Work<Rule[]> {
    const byId = new Map<string, Mutable<Rule>>();
    const fallbacks: { readonly rule: Mutable<Rule>; readonly to: string; readonly at: string }[] = [];
    const enabled = new Set<Rule>();
    for (const [i, form] of forms.entries()) {
      const at = `${place}.rules.${i}`;
      const isSeeds = 'extract' in form;
      const checked = isSeeds ? this.#checked(seedRule, form, at) : this.#checked(ownRule, form, at);
      const rule = 'extract' in checked ? yield* this.#seedRule(checked, at) : yield* this.#ownRule(checked, at);
      if (byId.has(rule.id)) throw this.#error(`${at}.id`, `there are two rules ${rule.id}`);
      byId.set(rule.id, rule);
      if (checked.enabled) enabled.add(rule);
      if ('fallback' in checked && checked.fallback !== undefined) {
        fallbacks.push({ rule, to: checked.fallback, at: `${at}.fallback` });
      }
    }
    const second = new Set<Rule>();
    for (const { rule, to, at } of fallbacks) {
      const next = byId.get(to);
      if (next === undefined) throw this.#error(at, `there is no rule ${quote(to)}`, nearestTo(to, byId.keys()));
      if (next.on !== rule.on) throw this.#error(at, `rule ${quote(to)} is not on ${rule.on}`);
      second.add(next);
      if (enabled.has(next)) rule.fallback = next;
      for (let other: Rule | undefined = next; other !== undefined; other = other.fallback) {
        if (other === rule) throw this.#error(at, `rule ${quote(rule.id)} is a fallback of itself`);
      }
    }
    return [...byId.values()].filter((rule) => enabled.has(rule) && !second.has(rule));
  }

  *#ownRule(form: OwnRule, at: string): Work<Rule> {
    const { id, on, region, emit, steps: given = [] } = form;
    const { start, steps } = yield* this.#startOf(form, given, at);
    if (on !== 'region' && on !== 'box' && region !== undefined) {
      throw this.#error(`${at}.region`, 'goes with "on": "region" and "on": "box"');
    }
    for (const field of ['hint', 'opens_menu', 'opens_shell'] as const) {
      if (on !== 'box' && form[field] !== undefined) throw this.#error(`${at}.${field}`, 'goes with "on": "box"');
    }
    if (given.length > 0 && (form.continue ?? form.end) !== undefined) {
      throw this.#error(`${at}.steps`, 'goes without "continue" and "end"');
    }
    return {
      ...NOTHING,
      id,
      on,
      kind: emit.kind,
      region: region === undefined ? undefined : regionOf(region),
      start,
      continues: yield* this.#patternIf(form.continue, `${at}.continue`),
      end: yield* this.#patternIf(form.end, `${at}.end`),
      steps,
      maxLines: form.max_lines,
      unfinished: form.unfinished,
      hint: yield* this.#patternIf(form.hint, `${at}.hint`),
      opensMenu: yield* this.#patternIf(form.opens_menu, `${at}.opens_menu`),
      opensShell: yield* this.#patternIf(form.opens_shell, `${at}.opens_shell`),
      cursor: form.cursor,
      key: emit.key,
      confidence: emit.confidence,
      minConfidence: form.min_confidence,
      numbers: new Set(emit.numbers),
      data: emit.data,
    };
  }

  /** Start of a rule. One without a start of its own starts with the first of its steps. */
  *#startOf(form: OwnRule, given: NonNullable<OwnRule['steps']>, at: string): Work<Pick<Rule, 'start' | 'steps'>> {
    const steps: RuleStep[] = [];
    for (const [i, step] of given.entries()) {
      steps.push({ ...step, match: yield* this.#pattern(step.match, `${at}.steps.${i}.match`) });
    }
    if (form.start !== undefined) return { start: yield* this.#pattern(form.start, `${at}.start`), steps };
    const [first, ...others] = steps;
    if (first === undefined) throw this.#error(`${at}.start`, 'is missing, and so are "steps"');
    const trait = (['optional', 'ahead'] as const).find((name) => first[name]);
    if (trait !== undefined) {
      throw this.#error(`${at}.steps.0.${trait}`, 'does not go with the step that a rule without "start" starts with');
    }
    // The line that it starts with has been the first of them.
    const repeated = first.repeat ? [{ ...first, optional: true }] : [];
    return { start: first.match, steps: [...repeated, ...others] };
  }

  *#seedRule({ id, trigger, extract, emit }: SeedRule, at: string): Work<Rule> {
    return {
      ...NOTHING,
      id,
      on: 'region',
      whole: true,
      kind: emit.kind,
      region: regionOf(extract.region),
      trigger: trigger === undefined ? undefined : regionOf(trigger.region_changed),
      start: yield* this.#pattern(extract.pattern, `${at}.extract.pattern`),
      key: emit.key,
      confidence: emit.confidence,
    };
  }

  *#patternIf(source: string | undefined, place: string): Work<Pattern | undefined> {
    return source === undefined ? undefined : yield* this.#pattern(source, place);
  }

  *#pattern(source: string, place: string): Work<Pattern> {
    yield PATTERN_STEPS;
    try {
      return new Pattern(source);
    } catch (error) {
      throw this.#error(place, `${quote(source)}: ${error instanceof Error ? error.message : String(error)}`, {
        hint: 'RE2 syntax: no look-around, no back-references. https://github.com/google/re2/wiki/Syntax',
      });
    }
  }

  #json(): Record<string, unknown> {
    let value: unknown;
    try {
      value = JSON.parse(this.#text);
    } catch {
      const { line, says } = jsonPlaces(this.#text).error ?? { line: 1, says: 'expected JSON' };
      throw new T4aError('rules_invalid', `In ${quote(this.#name)}, line ${line}: ${says}.`);
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    throw new T4aError('rules_invalid', `${quote(this.#name)} is not a JSON object.`, { hint: EXAMPLE });
  }

  #checked<Schema extends z.ZodType>(schema: Schema, value: Record<string, unknown>, at: string): z.output<Schema> {
    const checked = schema.safeParse(value);
    if (checked.success) return checked.data;
    const { message, details } = fieldError({ name: 'rules', schema, hint: EXAMPLE }, checked.error, value);
    const place = [at, details.field ?? ''].filter((part) => part !== '').join('.');
    throw new T4aError('rules_invalid', `${this.#lineOf(place)}${message}`, { ...details, field: place });
  }

  #error(place: string, says: string, details: { hint?: string; closest?: string } = {}): T4aError {
    return new T4aError('rules_invalid', `${this.#lineOf(place)}"${place}": ${says}.`, { ...details, field: place });
  }

  /** Line of a field; for one that is missing, the line of the nearest one around it. */
  #lineOf(place: string): string {
    const { lines } = jsonPlaces(this.#text);
    for (let path = place; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
      const line = lines.get(path);
      if (line !== undefined) return `In ${quote(this.#name)}, line ${line}: `;
    }
    return `In ${quote(this.#name)}: `;
  }
}

const EXAMPLE =
  'For example {"version":1,"profiles":[{"id":"mine","rules":[{"id":"error","start":"^ERROR","emit":{"kind":"diagnostic"}}]}]}.';

const NOTHING = {
  region: undefined,
  trigger: undefined,
  whole: false,
  continues: undefined,
  end: undefined,
  steps: [],
  maxLines: 50,
  unfinished: false,
  minConfidence: 0,
  numbers: new Set<string>(),
  data: {},
  hint: undefined,
  opensMenu: undefined,
  opensShell: undefined,
  cursor: true,
  fallback: undefined,
};

function regionOf({
  top,
  left,
  bottom,
  right,
}: {
  top: number;
  left: number;
  bottom?: number | undefined;
  right?: number | undefined;
}): Region {
  return { top, left, bottom, right };
}

function nearestTo(word: string, known: Iterable<string>): { closest?: string; hint?: string } {
  const closest = nearestWords(word, known)[0];
  return closest === undefined ? {} : { closest, hint: `Did you mean "${closest}"?` };
}
