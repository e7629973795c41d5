/** A rules file that is being edited: plain values, which the daemon checks. Pure. */

export type RuleFields = Readonly<Record<string, unknown>>;

export interface ProfileDraft {
  /** Beside its rules. */
  readonly fields: RuleFields;
  readonly rules: readonly RuleFields[];
}

/** @returns undefined for what is no rules file at all */
export function draftOf(text: string | null): readonly ProfileDraft[] | undefined {
  if (text === null) return [];
  try {
    const { profiles } = JSON.parse(text) as { readonly profiles: readonly RuleFields[] };
    return profiles.map(({ rules = [], ...fields }) => ({ fields, rules: [...(rules as RuleFields[])] }));
  } catch {
    return undefined;
  }
}

export function fileText(draft: readonly ProfileDraft[]): string {
  const profiles = draft.map(({ fields, rules }) => ({ ...fields, rules }));
  return `${JSON.stringify({ version: 1, profiles }, undefined, 2)}\n`;
}

export interface RegionFields {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export function newRule(id: string): RuleFields {
  return { id, start: '', emit: { kind: 'note' } };
}

/** A name that none of them has. */
export function freeName(word: string, taken: readonly unknown[]): string {
  let n = 1;
  while (taken.includes(`${word}-${n}`)) n++;
  return `${word}-${n}`;
}

/** @param next undefined: without the one that stands there */
export function replaced<Item>(list: readonly Item[], at: number, next: Item | undefined): readonly Item[] {
  return list.flatMap((one, i) => (i !== at ? [one] : next === undefined ? [] : [next]));
}

/** @param value undefined: without the field */
export function withField(fields: RuleFields, name: string, value: unknown): RuleFields {
  const { [name]: _old, ...others } = fields;
  return value === undefined ? others : { ...fields, [name]: value };
}

/** Names of the fields with an input of their own, beside the kind in `emit`. */
const OWN_FIELDS: readonly string[] = ['id', 'enabled', 'on', 'region', 'start', 'continue', 'end'];

/** What has no input of its own. */
export function otherFields({ emit, ...fields }: RuleFields): RuleFields {
  const others = Object.fromEntries(Object.entries(fields).filter(([name]) => !OWN_FIELDS.includes(name)));
  const { kind: _kind, ...more } = areFields(emit) ? emit : {};
  return Object.keys(more).length === 0 ? others : { ...others, emit: more };
}

/** @throws Error in words, if it is no JSON object */
export function withOtherFields(rule: RuleFields, text: string): RuleFields {
  const given: unknown = text.trim() === '' ? {} : JSON.parse(text);
  if (!areFields(given)) throw new Error('Expected a JSON object.');
  const own = Object.entries(rule).filter(([name]) => OWN_FIELDS.includes(name));
  const { emit, ...others } = given;
  const more = emit === undefined ? {} : areFields(emit) ? emit : { emit };
  return { ...Object.fromEntries(own), ...others, emit: { kind: entryKind(rule), ...more } };
}

export function entryKind({ emit }: RuleFields): unknown {
  return areFields(emit) ? emit['kind'] : undefined;
}

export function areFields(value: unknown): value is RuleFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The input at which an error stands: that of its field, or of the nearest field around it. */
export function placeOfError(field: string | undefined, places: readonly string[]): string | undefined {
  for (let path = field ?? ''; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
    if (places.includes(path)) return path;
  }
  return undefined;
}
