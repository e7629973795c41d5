/** Questions to the person, as cards. The place is what the daemon knows; below it stand the words of the asker. */
import { h, type ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import { RequestError } from './daemon-link.js';
import type { Desk } from './desk.js';
import { isShort } from './height.js';
import { icon } from './icons.js';
import type { DaemonState } from './daemon-state.js';
import type { Model, Place } from './model.js';
import type { Ask } from './listed.js';

export function askCards(desk: Desk): ComponentChild {
  const { asks } = desk.model;
  if (asks.length === 0) return null;
  return h(
    'section',
    { class: 'asks', 'aria-label': 'Questions' },
    asks.map(({ daemon, ask }, i) => card(desk, daemon, ask, i === 0 ? asks.length - 1 : 0)),
  );
}

/** @param more questions that stand behind it while there is room for one line alone */
function card(desk: Desk, daemon: DaemonState, ask: Ask, more: number): ComponentChild {
  const { model } = desk;
  const place = [ask.id ?? 'no terminal', ...(ask.foreground === null ? [] : [ask.foreground])].join(' · ');
  const isThere = model.chosen?.daemon === daemon.name && model.chosen.id === ask.id;
  const { id } = ask;
  return h(
    'article',
    {
      class: 'ask',
      key: `${daemon.name} ${ask.ask}`,
      'data-ask': `${daemon.name} ${ask.ask}`,
      'aria-label': `Question of ${ask.as}`,
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
      h('p', { class: 'question' }, ask.question),
      id === null || isThere ? null : showButton(desk, { daemon: daemon.name, id }),
      model.isReadOnly ? null : answers(desk, daemon, ask),
    ),
  );
}

/** While a phone's keyboard leaves little room, a card is one line; the focus opens it, and closes the keyboard. */
function openInShort(event: Event): void {
  const summary = event.currentTarget as HTMLElement;
  if (!isShort() || summary.closest('.ask')?.matches(':focus-within') === true) return;
  event.preventDefault();
  summary.focus();
}

function showButton({ model }: Desk, place: Place): ComponentChild {
  return h('button', { type: 'button', class: 'link', onClick: () => model.choose(place) }, `Show ${place.id}`);
}

function answers(desk: Desk, daemon: DaemonState, ask: Ask): ComponentChild {
  const { model } = desk;
  const send = (fields: Answer): void => model.attempt(() => sendAnswer(daemon, ask, fields));
  const decline = h('button', { type: 'button', class: 'button', onClick: () => send({ decline: true }) }, 'Decline');
  const choice = (text: string, isFirst: boolean, label = text): ComponentChild =>
    h('button', { type: 'button', class: `button${isFirst ? ' primary' : ''}`, onClick: () => send({ text }) }, label);
  switch (ask.kind) {
    case 'confirm':
      return h('div', { class: 'answers' }, choice('yes', true, 'Yes'), choice('no', false, 'No'), decline);
    case 'choice':
      return h(
        'div',
        { class: 'answers is-list' },
        (ask.choices ?? []).map((text) => choice(text, false)),
        decline,
      );
    case 'hand':
      return h('div', { class: 'answers' }, handButton(desk, daemon, ask), decline);
    default:
      return h(TextForm, { model, daemon, ask, decline });
  }
}

interface Answer {
  readonly text?: string;
  readonly decline?: boolean;
}

/** It is sent once: a page cannot know whether one that has no reply has arrived, and the list shows it later. */
async function sendAnswer({ link }: DaemonState, { ask }: Ask, fields: Answer): Promise<void> {
  try {
    await link.ask('answer', { ask, ...fields });
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'connection_lost') throw error;
    throw new RequestError(
      error.code,
      'The connection was lost, and the answer may not have arrived. If the question is here once it is back, answer again.',
    );
  }
}

/** Taking the keyboard accepts it, giving it back answers. */
function handButton({ model, seat }: Desk, daemon: DaemonState, { id }: Ask): ComponentChild {
  const isThere = model.chosen?.daemon === daemon.name && model.chosen.id === id;
  if (!isThere || seat === undefined) {
    const show = (): void => (id === null ? undefined : model.choose({ daemon: daemon.name, id }));
    return h('button', { type: 'button', class: 'button primary', onClick: show }, 'Go there');
  }
  if (seat.isMine) {
    return h(
      'button',
      { type: 'button', class: 'button primary', onClick: () => model.attempt(() => seat.release()) },
      'Done, give back',
    );
  }
  return h(
    'button',
    { type: 'button', class: 'button primary', onClick: () => model.attempt(() => seat.take(false)) },
    'Take the keyboard',
  );
}

interface TextFormProps {
  readonly model: Model;
  readonly daemon: DaemonState;
  readonly ask: Ask;
  readonly decline: ComponentChild;
}

/** A secret that the terminal may show is not typed: to insist is for the command line, where the person sees the prompt. */
function TextForm({ model, daemon, ask, decline }: TextFormProps): ComponentChild {
  const [mayBeShown, setMayBeShown] = useState(false);
  const isSecret = ask.kind === 'secret';
  const send = async (field: HTMLInputElement): Promise<void> => {
    try {
      await sendAnswer(daemon, ask, { text: field.value });
      field.value = '';
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
      name: 'answer',
      type: isSecret ? 'password' : 'text',
      autocomplete: 'off',
      'aria-label': isSecret ? 'Secret, typed into the terminal' : 'Answer',
      placeholder: isSecret ? 'Typed into the terminal, shown to no agent' : 'Your answer',
    }),
    h('button', { type: 'submit', class: 'button primary' }, 'Send'),
    decline,
  );
}
