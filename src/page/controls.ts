/** Buttons and lists of choices, as all parts of the page have them. */
import { h, type ComponentChild, type ComponentChildren } from 'preact';
import type { Subtitle } from './state.js';

type Attributes = Readonly<Record<string, unknown>>;

export function button(
  words: ComponentChildren,
  onClick: (event: MouseEvent) => void,
  more: Attributes = {},
): ComponentChild {
  return h('button', { type: 'button', class: 'button', onClick, ...more }, words);
}

/** @param options each with its value, and its words if they are others */
export function select(
  options: readonly (string | readonly [value: string, words: string])[],
  value: string | undefined,
  choose: (value: string) => void,
  more: Attributes,
): ComponentChild {
  const onChange = (event: Event): void => choose((event.target as HTMLSelectElement).value);
  const pairs = options.map((one) => (typeof one === 'string' ? ([one, one] as const) : one));
  return h(
    'select',
    { value, onChange, ...more },
    pairs.map(([each, words]) => h('option', { key: each, value: each }, words)),
  );
}

export function checkbox(
  words: string,
  checked: boolean,
  set: (checked: boolean) => void,
  more: Attributes = {},
): ComponentChild {
  const onChange = (event: Event): void => set((event.target as HTMLInputElement).checked);
  return h('label', { class: 'check' }, h('input', { type: 'checkbox', checked, onChange, ...more }), words);
}

/** Program beside a name, read after what needs a person. */
export function programSpan(program: string): ComponentChild {
  return program === '' ? null : h('span', { class: 'item-program' }, program);
}

/** The line below a name, with its time at the end, which stays in view. */
export function subtitle({ words, since, isQuestion }: Subtitle): ComponentChild {
  if (words === '' && since === '') return null;
  return h(
    'span',
    { class: `item-title${isQuestion ? ' is-question' : ''}` },
    h('span', { class: 'item-words' }, words),
    since === '' ? null : h('span', { class: 'item-since' }, since),
  );
}

/** Open questions of a terminal; screen readers read no sign. */
export function questionBadge(count: number): ComponentChild {
  if (count === 0) return null;
  const words = count === 1 ? '1 question' : `${count} questions`;
  return h(
    'span',
    { class: 'badge is-ask', title: words },
    h('span', { 'aria-hidden': 'true' }, `? ${count}`),
    h('span', { class: 'hidden' }, words),
  );
}
