/** Below the terminal on a phone: a line to send, and the keys that its keyboard lacks. */
import { h, type ComponentChild } from 'preact';
import { button } from './controls.js';
import type { Desk } from './desk.js';
import { icon, type IconName } from './icons.js';

type Key = readonly [name: string, label: string, icon?: IconName];

/** Two rows, with the arrows as on a keyboard. */
const UPPER: readonly Key[] = [
  ['Escape', 'Esc'],
  ['Up', 'Up', 'up'],
  ['Tab', 'Tab'],
  ['PageUp', 'PgUp'],
];
const LOWER: readonly Key[] = [
  ['Left', 'Left', 'left'],
  ['Down', 'Down', 'down'],
  ['Right', 'Right', 'right'],
  ['PageDown', 'PgDn'],
];

export function tray(desk: Desk): ComponentChild {
  const { seat, model } = desk;
  if (seat === undefined || model.isReadOnly || !seat.isAlive || seat.isThen) return null;
  const { hands } = seat;
  const sticky = (name: 'ctrl' | 'alt', label: string): ComponentChild =>
    button(
      label,
      () => {
        hands.sticky[name] = !hands.sticky[name];
        model.changed();
      },
      { class: 'key', 'aria-pressed': hands.sticky[name], onPointerDown: keep },
    );
  const key = ([name, label, iconName]: Key): ComponentChild =>
    button(iconName === undefined ? label : icon(iconName), () => hands.press(name), {
      class: 'key',
      'aria-label': label,
      onPointerDown: keep,
    });
  return h(
    'footer',
    { class: 'tray' },
    h(
      'div',
      { class: 'keys', role: 'toolbar', 'aria-label': 'Keys' },
      sticky('ctrl', 'Ctrl'),
      UPPER.map(key),
      sticky('alt', 'Alt'),
      LOWER.map(key),
    ),
    h(
      'form',
      {
        class: 'line-bar',
        onSubmit: (event: Event) => {
          event.preventDefault();
          const field = (event.currentTarget as HTMLFormElement).elements.namedItem('line') as HTMLInputElement;
          seat.submit(field.value);
          field.value = '';
        },
      },
      h('input', {
        name: 'line',
        type: 'text',
        placeholder: 'Type a line',
        'aria-label': 'A line for the terminal',
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: false,
        enterkeyhint: 'send',
      }),
      h('button', { type: 'submit', class: 'icon-button primary', 'aria-label': 'Send the line' }, icon('enter')),
    ),
  );
}

/** The phone's keyboard stays open: the field keeps the focus. */
function keep(event: Event): void {
  event.preventDefault();
}
