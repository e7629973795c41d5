/**
 * The rules by which terminals have entries: profiles, which of them a terminal uses, and an editor whose rules are tested before they
 * are used. Served with `t4a web --allow-rules` alone, and loaded when it is meant.
 */
import { h, type ComponentChild } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ParamsInput, Reply } from '../protocol/registry.js';
import { saved } from './clipboard.js';
import { type DaemonLink, RequestError } from './daemon-link.js';
import type { Desk } from './desk.js';
import { iconButton } from './icons.js';
import type { Place } from './model.js';
import { withStyles } from './part-styles.js';
import {
  draftOf,
  freeName,
  newProfile,
  placeOfError,
  type ProfileDraft,
  type RegionFields,
  type RulesDraft,
  textOf,
  withField,
} from './rules-draft.js';
import { type Errors, ProfileForm } from './rules-form.js';
import { RULES_STYLES } from './rules-styles.js';
import { type Checked, Differences, Snapshot } from './rules-test.js';

export function Rules({ desk }: { readonly desk: Desk }): ComponentChild {
  const { chosen, chosenDaemon } = desk.model;
  if (chosen === undefined || chosenDaemon === undefined) return null;
  return h(RulesOf, { desk, place: chosen, link: chosenDaemon.link, key: `${chosen.daemon} ${chosen.id}` });
}

interface RulesProps {
  readonly desk: Desk;
  readonly place: Place;
  readonly link: DaemonLink;
}

const DROPS = 'What you changed is not in use. Close again to drop it.';

/** A message of a page has 64 KB. */
const MOST_BYTES = 60_000;

function RulesOf({ desk, place, link }: RulesProps): ComponentChild {
  const { model } = desk;
  const { id } = place;
  const [shown, setShown] = useState<Reply<'rules'>>();
  const [draft, setDraft] = useState<RulesDraft>();
  const [isChanged, setChanged] = useState(false);
  const [at, setAt] = useState(0);
  const [error, setError] = useState<Errors>();
  const [failure, setFailure] = useState<string>();
  const [checked, setChecked] = useState<Checked>();
  const [isBusy, setBusy] = useState(false);
  const [isPast, setPast] = useState(false);
  /** The terminal that they are tested on: recordings that were opened are some, too. */
  const [tested, setTested] = useState(id);
  const [recordings, setRecordings] = useState<readonly string[]>([]);
  const [base, setBase] = useState('');
  const [picking, setPicking] = useState<number>();
  const root = useRef<HTMLElement>(null);
  useLayoutEffect(() => withStyles(RULES_STYLES), []);
  /** @param ofOlder for a daemon that does not know a field @returns the reply; undefined after an error, which stands in its place */
  const ask = async (
    fields: ParamsInput<'rules'>,
    ofOlder?: ParamsInput<'rules'>,
  ): Promise<Reply<'rules'> | undefined> => {
    setBusy(true);
    setError(undefined);
    setFailure(undefined);
    try {
      if (new TextEncoder().encode(JSON.stringify(fields)).length > MOST_BYTES)
        throw new Error('These rules have more than 60 KB: change them by "t4a rules set".');
      return await link.ask('rules', fields).catch((refused: unknown) => {
        const isOlder = refused instanceof RequestError && refused.code === 'unknown_field';
        if (isOlder && ofOlder !== undefined) return link.ask('rules', ofOlder);
        throw refused;
      });
    } catch (caught) {
      const message = caught instanceof Error ? caught.message : String(caught);
      const places = [...(root.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])];
      const field = caught instanceof RequestError ? caught.field : undefined;
      const where = placeOfError(
        field,
        places.map(({ dataset }) => dataset['field'] ?? ''),
      );
      if (where === undefined) setFailure(message);
      else setError({ at: where, message });
      places.find(({ dataset }) => dataset['field'] === where)?.focus();
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  const read = async (): Promise<void> => {
    const reply = await ask({ terminal: id, with_text: true }, { terminal: id });
    if (reply === undefined) return;
    setShown(reply);
    setDraft(reply.text === undefined ? undefined : draftOf(reply.text));
    setChanged(false);
  };
  useEffect(() => {
    void read();
    root.current?.querySelector<HTMLElement>('button')?.focus();
    link.ask('list', { recordings: true }).then(
      ({ terminals }) => setRecordings(terminals.filter(({ recording }) => recording !== null).map((one) => one.id)),
      () => {
        // The terminals of the list are there all the same.
      },
    );
  }, []);
  const change = (next: RulesDraft): void => {
    setDraft(next);
    setChanged(true);
    setError(undefined);
  };
  const profile = draft?.profiles[at];
  const replace = (next: ProfileDraft | undefined): void => {
    if (draft === undefined) return;
    change({ profiles: draft.profiles.flatMap((one, i) => (i !== at ? [one] : next === undefined ? [] : [next])) });
    if (next === undefined) setAt(0);
  };
  const add = (given: (name: string) => ProfileDraft): void => {
    if (draft === undefined) return;
    const taken = [...(shown?.profiles ?? []).map((one) => one.id), ...draft.profiles.map((one) => one.fields['id'])];
    change({ profiles: [...draft.profiles, given(freeName('profile', taken))] });
    setAt(draft.profiles.length);
  };
  const use = async (name: string): Promise<void> => {
    const reply = await ask({ action: 'set', terminal: id, profile: name });
    if (reply !== undefined) setShown(reply);
  };
  const test = async (): Promise<void> => {
    if (draft === undefined || profile === undefined) return;
    const name = profile.fields['id'];
    const reply = await ask({
      action: 'check',
      rules: textOf(draft),
      terminal: tested,
      ...(typeof name === 'string' && name !== '' ? { profile: name } : {}),
      ...(isPast ? { from: 'start' } : {}),
    });
    setChecked(reply);
  };
  /** Other than while rules are wrong, the snapshot is that of a test. */
  const look = async (rule: number): Promise<void> => {
    setPicking(picking === rule ? undefined : rule);
    const [{ lines }, { cols, rows }] = await Promise.all([
      link.ask('text', { id: tested, region: 'viewport', trim: true }),
      link.ask('status', { id: tested }),
    ]);
    setChecked((before) => ({ ...before, snapshot: { rev: 0, cols, rows, lines } }));
  };
  const save = async (): Promise<void> => {
    if (draft === undefined || shown === undefined) return;
    const reply = await ask({ action: 'set', rules: textOf(draft), if_version: shown.version });
    if (reply === undefined) return;
    model.notice('These rules are in use now.');
    await read();
  };
  const pickRegion = (rule: number, region: RegionFields): void => {
    if (profile === undefined) return;
    const rules = profile.rules.map((one, i) =>
      i === rule ? withField(withField(one, 'on', one.fields['on'] ?? 'region'), 'region', region) : one,
    );
    replace({ ...profile, rules });
    setPicking(undefined);
  };
  /** What was changed and is not in use is dropped by a second press alone. */
  const close = (): void => {
    if (!isChanged || failure === DROPS) desk.toggleRules();
    else setFailure(DROPS);
  };
  const own = new Set(draft?.profiles.map(({ fields }) => fields['id']));
  const builtIn = (shown?.profiles ?? []).filter((one) => !own.has(one.id));
  const terminals = [...(model.chosenDaemon?.terminals ?? []).map((one) => one.id), ...recordings];
  return h(
    'section',
    {
      ref: root,
      class: 'rules',
      'aria-label': 'Rules',
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || event.isComposing) return;
        event.preventDefault();
        close();
      },
    },
    h(
      'div',
      { class: 'rules-head' },
      h('h2', null, `Rules of ${place.daemon}`),
      iconButton('close', 'Close the rules', close),
    ),
    failure === undefined ? null : h('p', { class: 'wrong', role: 'alert' }, failure),
    shown === undefined
      ? failure === undefined
        ? h('p', { class: 'quiet', role: 'status' }, 'Loading')
        : null
      : h(
          'div',
          { class: 'rules-parts' },
          h(
            'div',
            { class: 'rules-profiles' },
            h(
              'fieldset',
              null,
              h('legend', null, `Profile of ${id}`),
              [...shown.profiles.map((one) => one.id), 'none'].map((name) =>
                h(
                  'label',
                  { class: 'check', key: name },
                  h('input', {
                    type: 'radio',
                    name: 'profile',
                    checked: (shown.profile ?? 'none') === name,
                    disabled: isBusy,
                    onChange: () => void use(name),
                  }),
                  name,
                  h('span', { class: 'quiet' }, profileNote(shown, name)),
                ),
              ),
            ),
            draft === undefined
              ? h('p', { class: 'quiet' }, 'The daemon does not give the text of its rules: edit the file.')
              : [
                  h('h3', { key: 'own' }, 'Yours'),
                  h(
                    'ul',
                    { key: 'list' },
                    draft.profiles.map(({ fields, rules }, i) =>
                      h(
                        'li',
                        { key: i },
                        h(
                          'button',
                          {
                            type: 'button',
                            class: 'button wide',
                            'aria-pressed': i === at,
                            onClick: () => {
                              setAt(i);
                              setPicking(undefined);
                            },
                          },
                          String(fields['id']),
                          h('span', { class: 'quiet' }, rules.length),
                        ),
                      ),
                    ),
                  ),
                  h(
                    'select',
                    {
                      key: 'base',
                      'aria-label': 'What a new profile extends',
                      value: base,
                      onChange: (event: Event) => setBase((event.target as HTMLSelectElement).value),
                    },
                    h('option', { value: '' }, 'extends nothing'),
                    builtIn.map((one) => h('option', { key: one.id, value: one.id }, `extends ${one.id}`)),
                  ),
                  h(
                    'button',
                    {
                      key: 'new',
                      type: 'button',
                      class: 'button wide',
                      onClick: () =>
                        add((name) =>
                          base === '' ? newProfile(name) : { fields: { id: name, extends: [base] }, rules: [] },
                        ),
                    },
                    'New profile',
                  ),
                ],
          ),
          profile === undefined
            ? h('p', { class: 'quiet' }, 'No profile of yours so far. Those that come with t4a are used as they are.')
            : h(ProfileForm, {
                key: at,
                profile,
                path: `profiles.${at}`,
                error,
                change: replace,
                remove: () => replace(undefined),
                pick: (rule) => model.attempt(() => look(rule)),
                picked: picking,
              }),
          draft === undefined
            ? null
            : h(
                'div',
                { class: 'rules-test' },
                h(
                  'div',
                  { class: 'answers' },
                  h(
                    'select',
                    {
                      'aria-label': 'Terminal to test on',
                      value: tested,
                      onChange: (event: Event) => setTested((event.target as HTMLSelectElement).value),
                    },
                    terminals.map((one) => h('option', { key: one, value: one }, one)),
                  ),
                  h(
                    'label',
                    { class: 'check' },
                    h('input', {
                      type: 'checkbox',
                      checked: isPast,
                      onChange: (event: Event) => setPast((event.target as HTMLInputElement).checked),
                    }),
                    'Its whole history',
                  ),
                  h(
                    'button',
                    {
                      type: 'button',
                      class: 'button',
                      disabled: isBusy || profile === undefined,
                      onClick: () => void test(),
                    },
                    'Test',
                  ),
                  h(
                    'button',
                    {
                      type: 'button',
                      class: 'button primary',
                      disabled: isBusy || !isChanged,
                      onClick: () => void save(),
                    },
                    'Use these rules',
                  ),
                  h(
                    'button',
                    {
                      type: 'button',
                      class: 'button',
                      onClick: () => saved(new Blob([textOf(draft)], { type: 'application/json' }), 'rules.json'),
                    },
                    'Save as a file',
                  ),
                ),
                h(
                  'p',
                  { class: 'quiet' },
                  `Rules are in use until the daemon ends, or ${shown.file} changes. To keep them, put the saved file there.`,
                ),
                checked?.differences === undefined ? null : h(Differences, { checked }),
                checked?.snapshot === undefined
                  ? null
                  : h(Snapshot, {
                      snapshot: checked.snapshot,
                      entries: checked.entries ?? [],
                      pick: picking === undefined ? undefined : (region) => pickRegion(picking, region),
                    }),
              ),
        ),
  );
}

function profileNote({ profiles }: Reply<'rules'>, name: string): string {
  const found = profiles.find((one) => one.id === name);
  if (found === undefined) return 'no entries';
  return `${found.rules} rules${found.automatic ? ', by program' : ''}`;
}
