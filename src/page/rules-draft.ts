/** A rules file that is being edited: plain values, which the daemon checks. Pure. */

export type Fields = Readonly<Record<string, unknown>>;

export interface RuleDraft {
  readonly fields: Fields;
}

export interface ProfileDraft {
  /** Beside its rules. */
  readonly fields: Fields;
  readonly rules: readonly RuleDraft[];
}

export interface RulesDraft {
  readonly profiles: readonly ProfileDraft[];
}

/** @returns undefined for what is no rules file at all */
export function draftOf(text: string | null): RulesDraft | undefined {
  if (text === null) return { profiles: [] };
  try {
    const { profiles } = JSON.parse(text) as { readonly profiles?: unknown };
    if (!Array.isArray(profiles)) return undefined;
    return {
      profiles: profiles.map((profile: Fields) => {
        const { rules = [], ...fields } = profile;
        return { fields, rules: (rules as Fields[]).map((rule) => ({ fields: rule })) };
      }),
    };
  } catch {
    return undefined;
  }
}

export function textOf({ profiles }: RulesDraft): string {
  const all = profiles.map(({ fields, rules }) => ({ ...fields, rules: rules.map((rule) => rule.fields) }));
  return `${JSON.stringify({ version: 1, profiles: all }, undefined, 2)}\n`;
}

/** Names of the fields with an input of their own. */
export const OWN_FIELDS = ['id', 'enabled', 'on', 'region', 'start', 'continue', 'end'] as const;

export interface RegionFields {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

export function newProfile(id: string): ProfileDraft {
  return { fields: { id }, rules: [newRule('rule-1')] };
}

export function newRule(id: string): RuleDraft {
  return { fields: { id, start: '', emit: { kind: 'note' } } };
}

/** A name that none of them has. */
export function freeName(word: string, taken: readonly unknown[]): string {
  let n = 1;
  while (taken.includes(`${word}-${n}`)) n++;
  return `${word}-${n}`;
}

/** @param value undefined: without the field */
export function withField({ fields }: RuleDraft, name: string, value: unknown): RuleDraft {
  const { [name]: _old, ...others } = fields;
  return { fields: value === undefined ? others : { ...fields, [name]: value } };
}

/** What has no input of its own. */
export function otherFields({ fields }: RuleDraft): Fields {
  const { emit, ...rest } = fields;
  const others = Object.entries(rest).filter(([name]) => !(OWN_FIELDS as readonly string[]).includes(name));
  const { kind: _kind, ...ofEmit } = isFields(emit) ? emit : {};
  return { ...Object.fromEntries(others), ...(Object.keys(ofEmit).length === 0 ? {} : { emit: ofEmit }) };
}

/** @throws Error in words, if it is no JSON object */
export function withOtherFields(rule: RuleDraft, text: string): RuleDraft {
  const given: unknown = text.trim() === '' ? {} : JSON.parse(text);
  if (!isFields(given)) throw new Error('Expected a JSON object.');
  const own = OWN_FIELDS.filter((name) => Object.hasOwn(rule.fields, name)).map((name) => [name, rule.fields[name]]);
  const { emit, ...others } = given;
  const more = emit === undefined ? {} : isFields(emit) ? emit : { emit };
  return { fields: { ...Object.fromEntries(own), ...others, emit: { kind: kindOf(rule), ...more } } };
}

export function kindOf({ fields: { emit } }: RuleDraft): string {
  return isFields(emit) && typeof emit['kind'] === 'string' ? emit['kind'] : '';
}

export function withKind(rule: RuleDraft, kind: string): RuleDraft {
  const { emit } = rule.fields;
  return withField(rule, 'emit', { ...(isFields(emit) ? emit : {}), kind });
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The input at which an error stands: that of its field, or of the nearest field around it. */
export function placeOfError(field: string | undefined, places: readonly string[]): string | undefined {
  for (let path = field ?? ''; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
    if (places.includes(path)) return path;
  }
  return undefined;
}
