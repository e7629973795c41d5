/** The form of a profile of rules. It checks nothing: the daemon names the field that is wrong, and the error stands there. */
import { h, type ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import {
  freeName,
  kindOf,
  newRule,
  otherFields,
  type Fields,
  type ProfileDraft,
  type RuleDraft,
  withField,
  withKind,
  withOtherFields,
} from './rules-draft.js';

export interface Errors {
  /** Path of the input in the file. */
  readonly at: string | undefined;
  readonly message: string;
}

interface ProfileProps {
  readonly profile: ProfileDraft;
  /** Its path in the file. */
  readonly path: string;
  readonly error: Errors | undefined;
  readonly change: (profile: ProfileDraft) => void;
  readonly remove: () => void;
  /** The region of that rule is picked on the snapshot. */
  readonly pick: (rule: number) => void;
  readonly picked: number | undefined;
}

export function ProfileForm({ profile, path, error, change, remove, pick, picked }: ProfileProps): ComponentChild {
  const { fields, rules } = profile;
  const set = (name: string, value: unknown): void => {
    const { [name]: _old, ...others } = fields;
    change({ ...profile, fields: value === undefined ? others : { ...fields, [name]: value } });
  };
  const match = (fields['match'] ?? {}) as Fields;
  const bases = (fields['extends'] ?? []) as readonly string[];
  const replace = (at: number, rule: RuleDraft | undefined): void =>
    change({ ...profile, rules: rules.flatMap((one, i) => (i !== at ? [one] : rule === undefined ? [] : [rule])) });
  return h(
    'div',
    { class: 'rules-form' },
    field({ label: 'Profile', path: `${path}.id`, value: textOf(fields['id']), error, set: (text) => set('id', text) }),
    field({
      label: 'For programs (a pattern, or empty: by name alone)',
      path: `${path}.match.command_regex`,
      value: textOf(match['command_regex']),
      error,
      set: (text) => set('match', text === '' ? undefined : { ...match, command_regex: text }),
    }),
    field({
      label: 'Extends (names of profiles)',
      path: `${path}.extends`,
      value: bases.join(', '),
      error,
      set: (text) => set('extends', text.trim() === '' ? undefined : text.split(',').map((one) => one.trim())),
    }),
    rules.map((rule, i) =>
      h(RuleForm, {
        key: i,
        rule,
        path: `${path}.rules.${i}`,
        error,
        change: (next) => replace(i, next),
        remove: () => replace(i, undefined),
        pick: () => pick(i),
        isPicked: picked === i,
      }),
    ),
    h(
      'div',
      { class: 'answers' },
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          onClick: () =>
            change({
              ...profile,
              rules: [
                ...rules,
                newRule(
                  freeName(
                    'rule',
                    rules.map((one) => one.fields['id']),
                  ),
                ),
              ],
            }),
        },
        'Add a rule',
      ),
      h('button', { type: 'button', class: 'button', onClick: remove }, 'Delete the profile'),
    ),
  );
}

interface RuleProps {
  readonly rule: RuleDraft;
  readonly path: string;
  readonly error: Errors | undefined;
  readonly change: (rule: RuleDraft) => void;
  readonly remove: () => void;
  readonly pick: () => void;
  readonly isPicked: boolean;
}

const PLACES = ['lines', 'region', 'title', 'report', 'box'] as const;

function RuleForm({ rule, path, error, change, remove, pick, isPicked }: RuleProps): ComponentChild {
  const { fields } = rule;
  const id = textOf(fields['id']);
  const place = typeof fields['on'] === 'string' ? fields['on'] : 'lines';
  const region = fields['region'] as Fields | undefined;
  const text = (name: string, label: string): ComponentChild =>
    field({
      label,
      path: `${path}.${name}`,
      value: textOf(fields[name]),
      error,
      isMono: true,
      set: (words) => change(withField(rule, name, words === '' ? undefined : words)),
    });
  return h(
    'fieldset',
    { class: 'rule', 'data-field': path, tabIndex: -1 },
    h('legend', null, `Rule ${id}`),
    h(
      'label',
      { class: 'check' },
      h('input', {
        type: 'checkbox',
        checked: fields['enabled'] !== false,
        onChange: (event: Event) =>
          change(withField(rule, 'enabled', (event.target as HTMLInputElement).checked ? undefined : false)),
      }),
      'Enabled',
    ),
    text('id', 'Name'),
    field({
      label: 'Kind of its entries',
      path: `${path}.emit.kind`,
      value: kindOf(rule),
      error,
      set: (words) => change(withKind(rule, words)),
    }),
    h(
      'label',
      { class: 'field' },
      'Reads',
      h(
        'select',
        {
          value: place,
          'data-field': `${path}.on`,
          onChange: (event: Event) => change(withField(rule, 'on', (event.target as HTMLSelectElement).value)),
        },
        PLACES.map((one) => h('option', { value: one, key: one }, one)),
      ),
    ),
    text('start', 'Starts with (a pattern)'),
    text('continue', 'Goes on with'),
    text('end', 'Ends with'),
    place !== 'region' && place !== 'box' && region === undefined
      ? null
      : h(
          'div',
          { class: 'rule-region' },
          ...(['top', 'left', 'bottom', 'right'] as const).map((name) =>
            field({
              label: name,
              path: `${path}.region.${name}`,
              value: region?.[name] === undefined ? '' : JSON.stringify(region[name]),
              error,
              set: (words) => change(withField(rule, 'region', withEdge(region, name, words))),
            }),
          ),
          h(
            'button',
            { type: 'button', class: 'button', 'aria-pressed': isPicked, onClick: pick },
            'Pick on the snapshot',
          ),
        ),
    h(OtherFields, { rule, path, error, change }),
    h('button', { type: 'button', class: 'link', onClick: remove }, `Delete the rule ${id}`),
  );
}

/** A number stays what was typed while it is none: the daemon says so. */
function withEdge(region: Fields | undefined, name: string, words: string): Fields | undefined {
  const { [name]: _old, ...others } = region ?? {};
  const next = words === '' ? others : { ...others, [name]: /^-?\d+$/.test(words) ? Number(words) : words };
  return Object.keys(next).length === 0 ? undefined : next;
}

interface OtherProps {
  readonly rule: RuleDraft;
  readonly path: string;
  readonly error: Errors | undefined;
  readonly change: (rule: RuleDraft) => void;
}

/** Steps, keys, numbers and what else a rule may have, as JSON. */
function OtherFields({ rule, path, error, change }: OtherProps): ComponentChild {
  const present = otherFields(rule);
  const [words, setWords] = useState(Object.keys(present).length === 0 ? '' : JSON.stringify(present, undefined, 1));
  const [wrong, setWrong] = useState<string>();
  const onInput = (event: Event): void => {
    const { value } = event.target as HTMLTextAreaElement;
    setWords(value);
    try {
      change(withOtherFields(rule, value));
      setWrong(undefined);
    } catch (failure) {
      setWrong(failure instanceof Error ? failure.message : String(failure));
    }
  };
  const isHere = error?.at === path;
  const message = wrong ?? (isHere ? error.message : undefined);
  return h(
    'label',
    { class: 'field' },
    'Other fields (JSON)',
    h('textarea', {
      class: 'mono',
      rows: words === '' ? 1 : 4,
      value: words,
      spellcheck: false,
      onInput,
      'aria-invalid': message !== undefined,
    }),
    message === undefined ? null : h('span', { class: 'wrong', role: 'alert' }, message),
  );
}

interface FieldProps {
  readonly label: string;
  readonly path: string;
  readonly value: string;
  readonly error: Errors | undefined;
  readonly isMono?: boolean;
  readonly set: (text: string) => void;
}

function field({ label, path, value, error, isMono = false, set }: FieldProps): ComponentChild {
  const isWrong = error?.at === path;
  return h(
    'label',
    { class: 'field' },
    label,
    h('input', {
      type: 'text',
      class: isMono ? 'mono' : '',
      value,
      'data-field': path,
      'aria-invalid': isWrong,
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: false,
      onInput: (event: Event) => set((event.target as HTMLInputElement).value),
    }),
    isWrong ? h('span', { class: 'wrong', role: 'alert' }, error.message) : null,
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
