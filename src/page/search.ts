/** The search in the text of a terminal: it finds as one types, marks what it finds, and leaves the view where it is. */
import { h, type ComponentChild } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { keepFocus } from './bar.js';
import type { Desk } from './desk.js';
import { icon, iconButton } from './icons.js';
import type { FoundPlaces, FoundPlace } from './seat.js';

/** After a key; the next one comes before, in a word that is typed. */
const TYPED_MS = 120;

/** That of `grep`. */
const MAX_LENGTH = 1000;

const NONE: FoundPlaces = { matches: [], total: 0 };

export function Search({ desk }: { readonly desk: Desk }): ComponentChild {
  const { model } = desk;
  const [found, setFound] = useState<FoundPlaces | undefined>();
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  /** What the matches are of. */
  const words = useRef('');
  /** Revision of the screen that they were found in: later text may have more of them. */
  const rev = useRef<number | undefined>(undefined);
  /** The last question, and the steps that are due with its answer: an answer to an older one is dropped. */
  const question = useRef({ number: 0, steps: 0 });
  useLayoutEffect(() => {
    desk.focusSearch = () => {
      field.current?.focus();
      field.current?.select();
    };
    desk.focusSearch();
    return () => {
      clearTimeout(timer.current);
      desk.focusSearch = undefined;
      desk.seat?.marks.show('');
    };
  }, []);
  const go = (matches: readonly FoundPlace[], index: number): void => {
    const wrapped = (index + matches.length) % Math.max(1, matches.length);
    setAt(wrapped);
    const match = matches[wrapped];
    desk.seat?.marks.show(words.current, match?.line);
    if (match !== undefined) desk.seat?.show(match.row);
  };
  /** @param from the match that is shown, of older text @param steps from there; the last match without one */
  const find = (from?: FoundPlace, steps = 0): void => {
    clearTimeout(timer.current);
    const asked = field.current?.value ?? '';
    const { seat } = desk;
    const before = question.current;
    question.current = { number: before.number + 1, steps: from === undefined ? 0 : before.steps + steps };
    const { number } = question.current;
    words.current = asked;
    rev.current = seat?.rev;
    if (asked === '' || seat === undefined) {
      setFound(undefined);
      seat?.marks.show('');
      return;
    }
    model.attempt(async () => {
      const next = await seat.find(asked);
      if (question.current.number !== number || desk.seat !== seat) return;
      const due = question.current.steps;
      question.current = { number, steps: 0 };
      setFound(next);
      const end = next.matches.length - 1;
      const here = from === undefined ? end : next.matches.findLastIndex(({ row }) => row <= from.row);
      go(next.matches, Math.max(0, here) + due);
    });
  };
  const { matches, total } = found ?? NONE;
  /** Enter is for the match before: the search begins at the end. */
  const step = (steps: number): void => {
    if (words.current !== field.current?.value || found === undefined) find();
    else if (rev.current !== desk.seat?.rev) find(matches[at], steps);
    else go(matches, at + steps);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      desk.closeSearch();
      desk.seat?.focus();
    } else if (event.key === 'Enter') step(event.shiftKey ? 1 : -1);
    else return;
    event.preventDefault();
  };
  const onInput = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => find(), TYPED_MS);
  };
  const count = found === undefined ? '' : total === 0 ? 'none' : `${total - matches.length + at + 1} of ${total}`;
  return h(
    'form',
    {
      class: 'search',
      role: 'search',
      onMouseDown: keepFocus,
      onSubmit: (event: Event) => event.preventDefault(),
      onKeyDown,
    },
    icon('search'),
    h('input', {
      ref: field,
      type: 'text',
      'aria-label': 'Search in the text',
      placeholder: 'Search the screen and its scrollback',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: false,
      enterkeyhint: 'search',
      maxLength: MAX_LENGTH,
      onInput,
    }),
    h('span', { class: 'quiet', role: 'status' }, count),
    iconButton('up', 'The match before', () => step(-1), { disabled: matches.length === 0 }),
    iconButton('down', 'The next match', () => step(1), { disabled: matches.length === 0 }),
    iconButton('close', 'Close the search', () => desk.closeSearch()),
  );
}
