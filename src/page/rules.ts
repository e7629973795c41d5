/**
 * The rules by which terminals have entries: profiles, which of them a terminal uses, and an editor whose rules are tested before they
 * are used. Served with `t4a web --allow-rules` alone, and loaded when it is meant.
 */
import { h, type ComponentChild } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ParamsInput, Reply } from '../protocol/registry.js';
import { saved } from './clipboard.js';
import { button, checkbox, select } from './controls.js';
import { type DaemonLink, RequestError } from './daemon-link.js';
import type { Desk } from './desk.js';
import { iconButton } from './icons.js';
import type { Place } from './model.js';
import * as form from './rules-form.js';
import { type CheckedRules, Differences, SnapshotGrid } from './rules-test.js';

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

interface Editing {
  readonly shown?: Reply<'rules'>;
  readonly draft?: readonly form.ProfileDraft[] | undefined;
  readonly isChanged: boolean;
  /** The profile that is edited. */
  readonly at: number;
  readonly wrong?: form.Wrong | undefined;
  readonly checked?: CheckedRules | undefined;
  readonly isBusy: boolean;
  readonly isPast: boolean;
  /** The terminal that they are tested on: recordings that were opened are some, too. */
  readonly tested: string;
  readonly recordings: readonly string[];
  /** What a new profile extends; empty for nothing. */
  readonly base: string;
  /** The rule whose region is picked on the snapshot. */
  readonly picking?: number | undefined;
}

const AT_FIRST = { isChanged: false, at: 0, isBusy: false, isPast: false, recordings: [], base: '' } as const;

const DROPS = 'What you changed is not in use. Close again to drop it.';

/** A message of a page has 64 KB. */
const MOST_BYTES = 60_000;

function RulesOf({ desk, place, link }: RulesProps): ComponentChild {
  const { model } = desk;
  const { id } = place;
  const [editing, setEditing] = useState<Editing>({ ...AT_FIRST, tested: id });
  const { shown, draft, isChanged, at, wrong, checked, isBusy, isPast, tested, base, picking } = editing;
  const root = useRef<HTMLElement>(null);
  const put = (part: Partial<Editing>): void => setEditing((before) => ({ ...before, ...part }));
  /** @returns undefined after an error, which stands in its place */
  const ask = async (fields: ParamsInput<'rules'>): Promise<Reply<'rules'> | undefined> => {
    put({ isBusy: true, wrong: undefined });
    try {
      if (new TextEncoder().encode(JSON.stringify(fields)).length > MOST_BYTES)
        throw new Error('These rules have more than 60 KB: change them by "t4a rules set".');
      return await link.ask('rules', fields).catch((refused: unknown) => {
        const isOlder = refused instanceof RequestError && refused.code === 'unknown_field';
        if (isOlder && fields.with_text === true) return link.ask('rules', { terminal: id });
        throw refused;
      });
    } catch (caught) {
      const places = [...(root.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])];
      const names = places.map(({ dataset }) => dataset['field'] ?? '');
      const where = form.placeOfError(caught instanceof RequestError ? caught.field : undefined, names);
      put({ wrong: { at: where, message: caught instanceof Error ? caught.message : String(caught) } });
      places[names.indexOf(where ?? '')]?.focus();
      return undefined;
    } finally {
      put({ isBusy: false });
    }
  };
  const read = async (): Promise<void> => {
    const reply = await ask({ terminal: id, with_text: true });
    if (reply === undefined) return;
    put({ shown: reply, draft: reply.text === undefined ? undefined : form.draftOf(reply.text), isChanged: false });
  };
  useEffect(() => {
    void read();
    root.current?.querySelector<HTMLElement>('button')?.focus();
    link.ask('list', { recordings: true }).then(
      ({ terminals }) => put({ recordings: terminals.flatMap((one) => (one.recording === null ? [] : [one.id])) }),
      () => {
        // The terminals of the list are there all the same.
      },
    );
  }, []);
  /** What was changed and is not in use is dropped by a second press alone. */
  const close = (): void => {
    if (!isChanged || wrong?.message === DROPS) desk.toggleView('rules');
    else put({ wrong: { at: undefined, message: DROPS } });
  };
  const failure = wrong === undefined || wrong.at !== undefined ? undefined : wrong.message;
  const waiting = failure === undefined ? h('p', { class: 'quiet', role: 'status' }, 'Loading') : null;
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
    shown === undefined ? waiting : h('div', { class: 'rules-parts' }, profiles(shown), editor(), tester(shown)),
  );

  function change(next: readonly form.ProfileDraft[], index = at): void {
    put({ draft: next, isChanged: true, at: index, wrong: undefined });
  }

  function profiles(reply: Reply<'rules'>): ComponentChild {
    const use = async (profile: string): Promise<void> => {
      const shown = await ask({ action: 'set', terminal: id, profile });
      if (shown !== undefined) put({ shown });
    };
    const choice = (name: string): ComponentChild =>
      h(
        'label',
        { class: 'check', key: name },
        h('input', {
          type: 'radio',
          name: 'profile',
          checked: (reply.profile ?? 'none') === name,
          disabled: isBusy,
          onChange: () => void use(name),
        }),
        name,
        h('span', { class: 'quiet' }, profileNote(reply, name)),
      );
    const all = reply.profiles.map((one) => one.id);
    return h(
      'div',
      { class: 'rules-profiles' },
      h('fieldset', null, h('legend', null, `Profile of ${id}`), [...all, 'none'].map(choice)),
      draft === undefined
        ? h('p', { class: 'quiet' }, 'The daemon does not give the text of its rules: edit the file.')
        : ofPerson(draft, all),
    );
  }

  function ofPerson(own: readonly form.ProfileDraft[], all: readonly string[]): ComponentChild {
    const names = own.map(({ fields }) => fields['id']);
    const add = (): void => {
      const name = form.freeName('profile', [...all, ...names]);
      const fresh = { fields: base === '' ? { id: name } : { id: name, extends: [base] }, rules: [] };
      change([...own, base === '' ? { ...fresh, rules: [form.newRule('rule-1')] } : fresh], own.length);
    };
    const builtIn = all.filter((name) => !names.includes(name)).map((name) => [name, `extends ${name}`] as const);
    return [
      h('h3', { key: 'own' }, 'Yours'),
      h(
        'ul',
        { key: 'list' },
        own.map(({ rules }, i) => {
          const words = [String(names[i]), h('span', { class: 'quiet' }, rules.length)];
          const choose = (): void => put({ at: i, picking: undefined });
          return h('li', { key: i }, button(words, choose, { class: 'button wide', 'aria-pressed': i === at }));
        }),
      ),
      select([['', 'extends nothing'], ...builtIn], base, (name) => put({ base: name }), {
        key: 'base',
        'aria-label': 'What a new profile extends',
      }),
      button('New profile', add, { key: 'new', class: 'button wide' }),
    ];
  }

  function editor(): ComponentChild {
    const profile = draft?.[at];
    if (draft === undefined || profile === undefined)
      return h('p', { class: 'quiet' }, 'No profile of yours so far. Those that come with t4a are used as they are.');
    /** Other than while rules are wrong, the snapshot is that of a test. */
    const look = async (rule: number): Promise<void> => {
      put({ picking: picking === rule ? undefined : rule });
      const [{ lines }, { cols, rows }] = await Promise.all([
        link.ask('text', { id: tested, region: 'viewport', trim: true }),
        link.ask('status', { id: tested }),
      ]);
      const snapshot = { rev: 0, cols, rows, lines };
      setEditing((before) => ({ ...before, checked: { ...before.checked, snapshot } }));
    };
    return h(form.ProfileEditor, {
      key: at,
      profile,
      path: `profiles.${at}`,
      wrong,
      change: (next) => change(form.replaced(draft, at, next), next === undefined ? 0 : at),
      pick: (rule) => model.attempt(() => look(rule)),
      picked: picking,
    });
  }

  function tester({ version, file }: Reply<'rules'>): ComponentChild {
    if (draft === undefined) return null;
    const profile = draft[at];
    const rules = form.fileText(draft);
    const test = async (): Promise<void> => {
      const name = profile?.fields['id'];
      const named = typeof name === 'string' && name !== '' ? { profile: name } : {};
      const past = isPast ? ({ from: 'start' } as const) : {};
      put({ checked: await ask({ action: 'check', rules, terminal: tested, ...named, ...past }) });
    };
    const save = async (): Promise<void> => {
      if ((await ask({ action: 'set', rules, if_version: version })) === undefined) return;
      model.notice('These rules are in use now.');
      await read();
    };
    const pick = (region: form.RegionFields): void => {
      const rule = profile?.rules[picking ?? -1];
      if (profile === undefined || rule === undefined) return;
      const next = form.withField(form.withField(rule, 'on', rule['on'] ?? 'region'), 'region', region);
      change(form.replaced(draft, at, { ...profile, rules: form.replaced(profile.rules, picking ?? -1, next) }));
      put({ picking: undefined });
    };
    const terminals = [...(model.chosenDaemon?.terminals ?? []).map((one) => one.id), ...editing.recordings];
    return h(
      'div',
      { class: 'rules-test' },
      h(
        'div',
        { class: 'answers' },
        select(terminals, tested, (name) => put({ tested: name }), { 'aria-label': 'Terminal to test on' }),
        checkbox('Its whole history', isPast, (is) => put({ isPast: is })),
        button('Test', () => void test(), { disabled: isBusy || profile === undefined }),
        button('Use these rules', () => void save(), { class: 'button primary', disabled: isBusy || !isChanged }),
        button('Save as a file', () => saved(new Blob([rules], { type: 'application/json' }), 'rules.json')),
      ),
      h(
        'p',
        { class: 'quiet' },
        `Rules are in use until the daemon ends, or ${file} changes. To keep them, put the saved file there.`,
      ),
      checked?.differences === undefined ? null : h(Differences, { checked }),
      checked?.snapshot === undefined
        ? null
        : h(SnapshotGrid, {
            snapshot: checked.snapshot,
            entries: checked.entries ?? [],
            pick: picking === undefined ? undefined : pick,
          }),
    );
  }
}

function profileNote({ profiles }: Reply<'rules'>, name: string): string {
  const found = profiles.find((one) => one.id === name);
  if (found === undefined) return 'no entries';
  return `${found.rules} rules${found.automatic ? ', by program' : ''}`;
}
