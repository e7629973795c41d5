/** The form of a profile of rules, and the file of them as plain values. It checks nothing: the daemon names the field that is wrong. */
import { h, type ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import { button, checkbox, select } from './controls.js';

export type RuleFields = Readonly<Record<string, unknown>>;

export interface ProfileDraft {
  /** Beside its rules. */
  readonly fields: RuleFields;
  readonly rules: readonly RuleFields[];
}

export interface Wrong {
  /** Path of the input in the file; undefined for none of them. */
  readonly at: string | undefined;
  readonly message: string;
}

interface ProfileProps {
  readonly profile: ProfileDraft;
  /** Its path in the file. */
  readonly path: string;
  readonly wrong: Wrong | undefined;
  readonly change: (profile: ProfileDraft | undefined) => void;
  /** The region of that rule is picked on the snapshot. */
  readonly pick: (rule: number) => void;
  readonly picked: number | undefined;
}

export function ProfileEditor({ profile, path, wrong, change, pick, picked }: ProfileProps): ComponentChild {
  const { fields, rules } = profile;
  const set = (name: string, value: unknown): void => change({ ...profile, fields: withField(fields, name, value) });
  const match = (fields['match'] ?? {}) as RuleFields;
  const bases = (fields['extends'] ?? []) as readonly string[];
  const input = inputsOf(path, wrong);
  const add = (): void => {
    const taken = rules.map((one) => one['id']);
    change({ ...profile, rules: [...rules, newRule(freeName('rule', taken))] });
  };
  return h(
    'div',
    { class: 'rules-form' },
    input('Profile', 'id', fields['id'], (text) => set('id', text)),
    input('For programs (a pattern, or empty: by name alone)', 'match.command_regex', match['command_regex'], (text) =>
      set('match', text === '' ? undefined : { ...match, command_regex: text }),
    ),
    input('Extends (names of profiles)', 'extends', bases.join(', '), (text) =>
      set('extends', text.trim() === '' ? undefined : text.split(',').map((one) => one.trim())),
    ),
    rules.map((rule, i) =>
      h(RuleForm, {
        key: i,
        rule,
        path: `${path}.rules.${i}`,
        wrong,
        change: (next) => change({ ...profile, rules: replaced(rules, i, next) }),
        pick: () => pick(i),
        isPicked: picked === i,
      }),
    ),
    h(
      'div',
      { class: 'answers' },
      button('Add a rule', add),
      button('Delete the profile', () => change(undefined)),
    ),
  );
}

interface RuleProps {
  readonly rule: RuleFields;
  readonly path: string;
  readonly wrong: Wrong | undefined;
  readonly change: (rule: RuleFields | undefined) => void;
  readonly pick: () => void;
  readonly isPicked: boolean;
}

function RuleForm({ rule, path, wrong, change, pick, isPicked }: RuleProps): ComponentChild {
  const { on = 'lines', emit } = rule;
  const region = rule['region'] as RuleFields | undefined;
  const set = (name: string, value: unknown): void => change(withField(rule, name, value));
  const input = inputsOf(path, wrong);
  const text = (name: string, label: string): ComponentChild =>
    input(label, name, rule[name], (words) => set(name, words === '' ? undefined : words), 'mono');
  const edge = (name: string): ComponentChild =>
    input(name, `region.${name}`, region?.[name] === undefined ? '' : JSON.stringify(region[name]), (words) =>
      set('region', withEdge(region, name, words)),
    );
  return h(
    'fieldset',
    { class: 'rule', 'data-field': path, tabIndex: -1 },
    h('legend', null, `Rule ${String(rule['id'])}`),
    checkbox('Enabled', rule['enabled'] !== false, (is) => set('enabled', is ? undefined : false)),
    text('id', 'Name'),
    input('Kind of its entries', 'emit.kind', entryKind(rule), (kind) =>
      set('emit', { ...(areFields(emit) ? emit : {}), kind }),
    ),
    h(
      'label',
      { class: 'field' },
      'Reads',
      select(['lines', 'region', 'title', 'report', 'box'], String(on), (place) => set('on', place), {
        'data-field': `${path}.on`,
      }),
    ),
    text('start', 'Starts with (a pattern)'),
    text('continue', 'Goes on with'),
    text('end', 'Ends with'),
    on !== 'region' && on !== 'box' && region === undefined
      ? null
      : h(
          'div',
          { class: 'rule-region' },
          ['top', 'left', 'bottom', 'right'].map(edge),
          button('Pick on the snapshot', pick, { 'aria-pressed': isPicked }),
        ),
    h(OtherFields, { rule, path, wrong, change }),
    button(`Delete the rule ${String(rule['id'])}`, () => change(undefined), { class: 'link' }),
  );
}

/** A number stays what was typed while it is none: the daemon says so. */
function withEdge(region: RuleFields = {}, name: string, words: string): RuleFields | undefined {
  const edge = words === '' ? undefined : /^-?\d+$/.test(words) ? Number(words) : words;
  const next = withField(region, name, edge);
  return Object.keys(next).length === 0 ? undefined : next;
}

/** Steps, keys, numbers and what else a rule may have, as JSON. */
function OtherFields({ rule, path, wrong, change }: Omit<RuleProps, 'pick' | 'isPicked'>): ComponentChild {
  const present = otherFields(rule);
  const [value, setValue] = useState(Object.keys(present).length === 0 ? '' : JSON.stringify(present, undefined, 1));
  const [unread, setUnread] = useState<string>();
  const onInput = (event: Event): void => {
    const words = (event.target as HTMLTextAreaElement).value;
    setValue(words);
    try {
      change(withOtherFields(rule, words));
      setUnread(undefined);
    } catch (failure) {
      setUnread((failure as Error).message);
    }
  };
  const message = unread ?? (wrong?.at === path ? wrong.message : undefined);
  const rows = value === '' ? 1 : 4;
  return h(
    'label',
    { class: 'field' },
    'Other fields (JSON)',
    h('textarea', { class: 'mono', rows, value, spellcheck: false, onInput, 'aria-invalid': message !== undefined }),
    warning(message),
  );
}

/** @param path of what they are fields of */
function inputsOf(path: string, wrong: Wrong | undefined) {
  return (label: string, name: string, value: unknown, set: (text: string) => void, look = ''): ComponentChild => {
    const at = `${path}.${name}`;
    const isWrong = wrong?.at === at;
    return h(
      'label',
      { class: 'field' },
      label,
      h('input', {
        type: 'text',
        class: look,
        value: typeof value === 'string' ? value : '',
        'data-field': at,
        'aria-invalid': isWrong,
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: false,
        onInput: (event: Event) => set((event.target as HTMLInputElement).value),
      }),
      warning(isWrong ? wrong.message : undefined),
    );
  };
}

function warning(message: string | undefined): ComponentChild {
  return message === undefined ? null : h('span', { class: 'wrong', role: 'alert' }, message);
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
function otherFields({ emit, ...fields }: RuleFields): RuleFields {
  const others = Object.fromEntries(Object.entries(fields).filter(([name]) => !OWN_FIELDS.includes(name)));
  const { kind: _kind, ...more } = areFields(emit) ? emit : {};
  return Object.keys(more).length === 0 ? others : { ...others, emit: more };
}

/** @throws Error in words, if it is no JSON object */
function withOtherFields(rule: RuleFields, text: string): RuleFields {
  const given: unknown = text.trim() === '' ? {} : JSON.parse(text);
  if (!areFields(given)) throw new Error('Expected a JSON object.');
  const own = Object.entries(rule).filter(([name]) => OWN_FIELDS.includes(name));
  const { emit, ...others } = given;
  const more = emit === undefined ? {} : areFields(emit) ? emit : { emit };
  return { ...Object.fromEntries(own), ...others, emit: { kind: entryKind(rule), ...more } };
}

function entryKind({ emit }: RuleFields): unknown {
  return areFields(emit) ? emit['kind'] : undefined;
}

function areFields(value: unknown): value is RuleFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The input at which an error stands: that of its field, or of the nearest field around it. */
export function placeOfError(field: string | undefined, places: readonly string[]): string | undefined {
  for (let path = field ?? ''; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
    if (places.includes(path)) return path;
  }
  return undefined;
}
