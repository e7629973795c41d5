/** Questions to the person, as cards. The place is what the daemon knows; below it stand the words of the asker. */
import { h, type ComponentChild } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { button } from './controls.js';
import { RequestError } from './daemon-link.js';
import { draftOf, keepDraft } from './drafts.js';
import type { Desk } from './desk.js';
import { isShort } from './height.js';
import { icon } from './icons.js';
import type { Model, Place } from './model.js';
import type { QuestionCard } from './question-cards.js';

/** The oldest stands at the bottom: what arrives moves none that is there. */
export function AskCards({ desk }: { readonly desk: Desk }): ComponentChild {
  const { model } = desk;
  const { cards } = model;
  const section = useRef<HTMLElement>(null);
  const downAtMs = useRef(0);
  const shown = cards.shown(model.asks);
  // That of its last button: what comes above the buttons moves them within the card.
  const placeOf = (key: string): QuestionCard['place'] => {
    const element = section.current?.querySelector(`[data-ask="${CSS.escape(key)}"]`);
    return (element?.querySelector('.answers > :last-child') ?? element)?.getBoundingClientRect();
  };
  useLayoutEffect(() => cards.drawn(placeOf));
  if (shown.length === 0) return null;
  const press = (event: MouseEvent): void => {
    const key = (event.target as Element).closest<HTMLElement>('[data-ask]')?.dataset['ask'];
    // A key presses what has the focus, wherever that stands.
    if (key === undefined || event.detail === 0 || cards.mayPress(key, placeOf(key), downAtMs.current)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return h(
    'section',
    {
      ref: section,
      class: 'asks',
      'aria-label': 'Questions',
      onPointerEnter: ({ pointerType }: PointerEvent) => (cards.isPointed = pointerType === 'mouse'),
      onPointerLeave: () => (cards.isPointed = false),
      onPointerDownCapture: () => (downAtMs.current = performance.now()),
      onClickCapture: press,
      onFocusIn: () => (cards.isFocused = true),
      onFocusOut: ({ currentTarget, relatedTarget }: FocusEvent) =>
        (cards.isFocused = (currentTarget as Element).contains(relatedTarget as Node | null)),
      // A key that is held down began before the card had the focus.
      onKeyDownCapture: (event: KeyboardEvent) => {
        if (event.repeat && event.key === 'Enter') event.preventDefault();
        if (event.key !== 'Escape' || (event.target as Element).closest('.is-over') === null) return;
        event.preventDefault();
        desk.focus();
      },
    },
    shown.map((one, i) => card(desk, one, i === 0 ? shown.length - 1 : 0)),
  );
}

/** @param more questions that stand behind it while there is room for one line alone */
function card(desk: Desk, shown: QuestionCard, more: number): ComponentChild {
  const { model } = desk;
  const { daemon, ask, over, key } = shown;
  const place = [ask.id ?? 'no terminal', ...(ask.foreground === null ? [] : [ask.foreground])].join(' · ');
  const isThere = model.chosen?.daemon === daemon.name && model.chosen.id === ask.id;
  const { id } = ask;
  return h(
    'article',
    {
      class: over === undefined ? 'ask' : 'ask is-over',
      key,
      'data-ask': key,
      'aria-label': over === undefined ? `Question of ${ask.as}` : `${ask.as} asked`,
    },
    h(
      'details',
      { open: true, onToggle: () => desk.uncover() },
      h(
        'summary',
        { onClick: openInShort },
        icon('question'),
        h('strong', null, ask.as),
        h('span', { class: 'quiet' }, `${daemon.name} / ${place}`),
        more === 0 ? null : h('span', { class: 'more' }, `+${more}`),
        icon('down'),
      ),
      // Screen readers say it once it is there.
      h(
        'p',
        { class: 'question', role: 'alert' },
        h('span', { class: 'hidden' }, `${ask.as} asks: `),
        words(ask.question),
      ),
      id === null || isThere ? null : showButton(desk, { daemon: daemon.name, id }),
      model.isReadOnly ? null : answers(desk, shown),
      over === undefined ? null : ending(desk, shown, over),
    ),
  );
}

/** Commands are written as code: between back quotes, as agents do, in a fence of three, or as a line of a shell. */
const CODE = /\n?^```[^`\n]*\n([^`]+)```$\n?|`([^`\n]+)`|^[ \t]*(\$ .+)$/gm;

function words(question: string): ComponentChild {
  let end = 0;
  const parts = Array.from(question.matchAll(CODE)).flatMap((match) => {
    const before = question.slice(end, match.index);
    end = match.index + match[0].length;
    const [, block, within, line] = match;
    const isBlock = block !== undefined;
    return [before, h('code', isBlock ? { class: 'is-block' } : {}, isBlock ? block.trimEnd() : (within ?? line))];
  });
  return [...parts, question.slice(end)];
}

/** While a phone's keyboard leaves little room, a card is one line; the focus opens it, and closes the keyboard. */
function openInShort(event: Event): void {
  const summary = event.currentTarget as HTMLElement;
  if (!isShort() || summary.closest('.ask')?.matches(':focus-within') === true) return;
  event.preventDefault();
  summary.focus();
}

function showButton({ model }: Desk, place: Place): ComponentChild {
  return button(`Show ${place.id}`, () => model.choose(place), { class: 'link' });
}

/** How it ended, below its buttons, which stay: what has the focus keeps it. */
function ending({ model }: Desk, shown: QuestionCard, words: string): ComponentChild {
  const { key, daemon, ask } = shown;
  const undo = (): void => model.attempt(() => daemon.link.ask('answer', { ask: ask.ask, undo: true }));
  return h(
    'p',
    { class: 'ending', role: 'status' },
    words,
    shown.undoUntilMs > performance.now()
      ? button('Undo', undo, { class: 'link', 'aria-disabled': !model.cards.isReady(shown) })
      : null,
    button('Close', () => model.cards.dismiss(key), { class: 'link' }),
  );
}

function answers(desk: Desk, shown: QuestionCard): ComponentChild {
  const { model } = desk;
  const { ask } = shown;
  const isOpen = shown.over === undefined;
  const send = (fields: Answer): void => {
    if (isOpen) model.attempt(() => sendAnswer(shown, fields));
  };
  const isOff = !isOpen || !model.cards.isReady(shown);
  const choice = (text: string, isFirst: boolean, fields: Answer = { text }, label = text): ComponentChild =>
    button(label, () => send(fields), { class: `button${isFirst ? ' primary' : ''}`, 'aria-disabled': isOff });
  const decline = choice('', false, { decline: true }, 'Decline');
  switch (ask.kind) {
    case 'confirm':
      return h(
        'div',
        { class: 'answers' },
        choice('yes', true, { text: 'yes' }, 'Yes'),
        choice('no', false, { text: 'no' }, 'No'),
        decline,
      );
    case 'choice':
      return h(
        'div',
        { class: 'answers is-list' },
        (ask.choices ?? []).map((text) => choice(text, false)),
        decline,
      );
    case 'hand':
      return h('div', { class: 'answers' }, isOpen ? handButton(desk, shown, isOff) : null, decline);
    default:
      return h(TextForm, { model, shown, isOff, decline });
  }
}

interface Answer {
  readonly text?: string;
  readonly decline?: boolean;
}

/** It is sent once: a page cannot know whether one that has no reply has arrived, and the list shows it later. */
async function sendAnswer(shown: QuestionCard, fields: Answer): Promise<void> {
  const { daemon, ask } = shown;
  try {
    shown.isAnswered = true;
    const { undo_ms: undoMs } = await daemon.link.ask('answer', { ask: ask.ask, ...fields });
    // A daemon of another version may not say so.
    if (undoMs > 0) shown.undoUntilMs = performance.now() + undoMs;
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'connection_lost') throw error;
    throw new RequestError(
      error.code,
      'The connection was lost, and the answer may not have arrived. If the question is here once it is back, answer again.',
    );
  }
}

/** Taking the keyboard accepts it, giving it back answers. */
function handButton(desk: Desk, { daemon, ask: { id } }: QuestionCard, isOff: boolean): ComponentChild {
  const [words, act] = handAct(desk, { daemon: daemon.name, id });
  const press = (): void => {
    if (!isOff) act();
  };
  return button(words, press, { class: 'button primary', 'aria-disabled': isOff });
}

function handAct({ model, seat }: Desk, { daemon, id }: { readonly daemon: string; readonly id: string | null }): Act {
  const isThere = model.chosen?.daemon === daemon && model.chosen.id === id;
  if (!isThere || seat === undefined) return ['Go there', () => id !== null && model.choose({ daemon, id })];
  if (seat.isMine) return ['Done, give back', () => model.attempt(() => seat.release())];
  return ['Take the keyboard', () => model.attempt(() => seat.take(false))];
}

type Act = readonly [words: string, act: () => void];

interface TextFormProps {
  readonly model: Model;
  readonly shown: QuestionCard;
  readonly isOff: boolean;
  readonly decline: ComponentChild;
}

/** A secret that the terminal may show is not typed: to insist is for the command line, where the person sees the prompt. */
function TextForm({ model, shown, isOff, decline }: TextFormProps): ComponentChild {
  const { ask } = shown;
  const isOver = shown.over !== undefined;
  const input = useRef<HTMLInputElement>(null);
  // A secret is kept nowhere.
  useLayoutEffect(() => {
    if (isOver && ask.kind === 'secret' && input.current !== null) input.current.value = '';
  });
  const [mayBeShown, setMayBeShown] = useState(false);
  const isSecret = ask.kind === 'secret';
  // A page that is loaded again has what was half written.
  useLayoutEffect(() => {
    if (!isSecret && input.current !== null) input.current.value = draftOf(shown.key, ask.question);
  }, []);
  const keep = ({ currentTarget }: Event): void => {
    if (!isSecret) keepDraft(shown.key, ask.question, (currentTarget as HTMLInputElement).value);
  };
  const send = async (field: HTMLInputElement): Promise<void> => {
    try {
      await sendAnswer(shown, { text: field.value });
      field.value = '';
      keepDraft(shown.key, ask.question, '');
      setMayBeShown(false);
    } catch (error) {
      // A text that may not have arrived can be sent again; a secret is kept nowhere.
      if (isSecret) field.value = '';
      if (!(error instanceof RequestError) || error.code !== 'would_echo') throw error;
      setMayBeShown(true);
    }
  };
  return h(
    'form',
    {
      class: 'answers',
      onSubmit: (event: Event) => {
        event.preventDefault();
        if (isOver) return;
        const field = (event.currentTarget as HTMLFormElement).elements.namedItem('answer') as HTMLInputElement;
        model.attempt(() => send(field));
      },
    },
    mayBeShown
      ? h(
          'p',
          { class: 'warns', role: 'alert' },
          'Not typed: the terminal may show it. Type it there yourself, or run ',
          h('code', null, `t4a answer ${ask.ask} --even-if-shown`),
        )
      : null,
    h('input', {
      ref: input,
      name: 'answer',
      readOnly: isOver,
      onInput: keep,
      type: isSecret ? 'password' : 'text',
      autocomplete: 'off',
      'aria-label': isSecret ? 'Secret, typed into the terminal' : 'Answer',
      placeholder: isSecret ? 'Typed there, shown to no agent' : 'Your answer',
    }),
    h('button', { type: 'submit', class: 'button primary', 'aria-disabled': isOff }, 'Send'),
    decline,
  );
}
