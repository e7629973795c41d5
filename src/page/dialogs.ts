/** A new terminal, and the end of one. */
import { h, type ComponentChild, type ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { button } from './controls.js';
import { RequestError } from './daemon-link.js';
import type { Desk } from './desk.js';

interface DialogProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

function Dialog({ label, onClose, children }: DialogProps): ComponentChild {
  const dialog = useRef<HTMLDialogElement>(null);
  // At once: the next key is for it.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const onClick = (event: Event): void => {
    if (event.target === dialog.current) onClose();
  };
  return h('dialog', { ref: dialog, 'aria-label': label, onClose, onClick }, children);
}

export function NewTerminal({ desk }: { readonly desk: Desk }): ComponentChild {
  const { model } = desk;
  const close = (): void => model.hide('create');
  const daemons = [...model.daemons.values()].filter(({ isOpen }) => isOpen);
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    const { elements } = event.currentTarget as HTMLFormElement;
    const field = (name: string): string => ((elements.namedItem(name) as HTMLInputElement | null)?.value ?? '').trim();
    close();
    model.attempt(() => desk.create(field('daemon') || (daemons[0]?.name ?? ''), field('command'), field('name')));
  };
  return h(
    Dialog,
    { label: 'New terminal', onClose: close },
    h(
      'form',
      { onSubmit },
      h('h2', null, 'New terminal'),
      h(
        'label',
        { class: 'field' },
        'Command',
        h('input', {
          name: 'command',
          class: 'mono',
          placeholder: 'empty for a shell',
          autocomplete: 'off',
          autocapitalize: 'off',
          spellcheck: false,
        }),
      ),
      h(
        'label',
        { class: 'field' },
        'Name',
        h('input', { name: 'name', placeholder: 'chosen for you', autocomplete: 'off', autocapitalize: 'off' }),
      ),
      daemons.length < 2
        ? null
        : h(
            'label',
            { class: 'field' },
            'Daemon',
            h(
              'select',
              { name: 'daemon' },
              daemons.map(({ name }) => h('option', { value: name }, name)),
            ),
          ),
      h(
        'div',
        { class: 'answers' },
        h('button', { type: 'submit', class: 'button primary' }, 'Create'),
        button('Cancel', close),
      ),
    ),
  );
}

export function EndTerminal({ desk }: { readonly desk: Desk }): ComponentChild {
  const { model } = desk;
  const { chosen, chosenTerminal: terminal } = model;
  const close = (): void => model.hide('end');
  /** Who has the keyboard, once that was the answer. */
  const [refusal, setRefusal] = useState<string>();
  const end = async (): Promise<void> => {
    try {
      await desk.kill(refusal !== undefined);
    } catch (error) {
      if (error instanceof RequestError && error.code === 'control_held') return setRefusal(error.message);
      close();
      throw error;
    }
    close();
  };
  const isAlive = terminal?.alive !== false;
  const word = isAlive ? 'End it' : 'Remove it';
  return h(
    Dialog,
    { label: 'End the terminal', onClose: close },
    h('h2', null, isAlive ? `End ${chosen?.id}?` : `Remove ${chosen?.id}?`),
    h(
      'p',
      { class: 'quiet' },
      isAlive
        ? `Its program${terminal?.foreground ? `, ${terminal.foreground},` : ''} ends, and its screen is dropped.`
        : 'Its last screen is dropped.',
    ),
    refusal === undefined ? null : h('p', { role: 'alert' }, refusal),
    h(
      'div',
      { class: 'answers' },
      button(refusal === undefined ? word : `${word} all the same`, () => model.attempt(end), {
        class: 'button danger',
      }),
      button('Keep it', close),
    ),
  );
}
