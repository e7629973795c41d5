/** The terminals of all daemons, with their states. */
import { doingWord } from '../mirror/doing-word.js';
import { titleThatWasSet } from '../protocol/program-title.js';
import { h, type ComponentChild } from 'preact';
import type { Desk } from './desk.js';
import { icon, iconButton } from './icons.js';
import { inOrder, type DaemonState, type TerminalState } from './model.js';

export function tree(desk: Desk): ComponentChild {
  const { model } = desk;
  const daemons = [...model.daemons.values()];
  return h(
    'nav',
    { class: `tree${model.isDrawerOpen ? ' is-open' : ''}`, 'aria-label': 'Terminals', onKeyDown: walk(desk) },
    h(
      'div',
      { class: 'tree-head' },
      h('span', { class: 'brand' }, h('img', { src: '/icon.svg', alt: '', width: 24, height: 24 }), 't4a'),
      iconButton(model.theme === 'dark' ? 'sun' : 'moon', model.theme === 'dark' ? 'Light theme' : 'Dark theme', () => {
        model.toggleTheme();
        desk.focus();
      }),
      iconButton('close', 'Close the list', () => closeDrawer(desk), { class: 'only-phone' }),
    ),
    h(
      'label',
      { class: 'find' },
      icon('search'),
      h('input', {
        type: 'search',
        placeholder: 'Find a terminal',
        'aria-label': 'Find a terminal',
        value: model.search,
        onInput: (event: Event) => {
          model.search = (event.target as HTMLInputElement).value;
          model.changed();
        },
      }),
    ),
    h(
      'div',
      { class: 'tree-list' },
      daemons.map((daemon) => group(desk, daemon)),
    ),
    model.isReadOnly
      ? h('p', { class: 'tree-foot quiet' }, 'This page only watches.')
      : h(
          'div',
          { class: 'tree-foot' },
          h(
            'button',
            { type: 'button', class: 'button primary wide', onClick: () => openDialog(desk) },
            icon('plus'),
            'New terminal',
          ),
        ),
  );
}

/** Arrows walk through the list, Enter chooses, in the search the first one; Escape goes back to the terminal. */
function walk(desk: Desk): (event: KeyboardEvent) => void {
  return (event) => {
    const { key, currentTarget, target } = event;
    const items = [...(currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.item')];
    const at = items.indexOf(target as HTMLElement);
    const isField = target instanceof HTMLInputElement;
    if (event.isComposing || (at === -1 && !isField)) return;
    if (key === 'ArrowDown') items[Math.min(at + 1, items.length - 1)]?.focus();
    else if (key === 'ArrowUp' && at > 0) items[at - 1]?.focus();
    else if (key === 'ArrowUp' && at === 0) (currentTarget as HTMLElement).querySelector('input')?.focus();
    else if (key === 'Home' && !isField) items[0]?.focus();
    else if (key === 'End' && !isField) items.at(-1)?.focus();
    else if (key === 'Enter' && isField) items[0]?.click();
    else if (key === 'Escape') {
      closeDrawer(desk);
      desk.seat?.focus();
    } else return;
    event.preventDefault();
  };
}

function group(desk: Desk, daemon: DaemonState): ComponentChild {
  const words = desk.model.search.toLowerCase();
  const shown = daemon.terminals.filter((one) =>
    `${one.id} ${one.title} ${one.foreground ?? ''}`.toLowerCase().includes(words),
  );
  const sorted = inOrder(shown);
  return h(
    'details',
    { open: true, key: daemon.name, class: 'group' },
    h(
      'summary',
      null,
      icon('down'),
      h('span', { class: 'group-name' }, daemon.name),
      daemon.isOpen
        ? h('span', { class: 'count' }, daemon.terminals.length)
        : h('span', { class: 'chip is-off' }, 'down'),
    ),
    daemon.isOpen || daemon.reason === '' ? null : h('p', { class: 'quiet empty-group' }, daemon.reason),
    daemon.isOpen ? daemon.lacks.map((says) => h('p', { class: 'quiet lacks', key: says }, says)) : null,
    sorted.length === 0 && daemon.isOpen && daemon.lacks.length === 0
      ? h('p', { class: 'quiet empty-group' }, words === '' ? 'No terminal yet.' : 'None of that name.')
      : h(
          'ul',
          null,
          sorted.map((terminal) => item(desk, daemon, terminal)),
        ),
  );
}

function item(desk: Desk, daemon: DaemonState, terminal: TerminalState): ComponentChild {
  const { model } = desk;
  const { id } = terminal;
  const isChosen = model.chosen?.daemon === daemon.name && model.chosen.id === id;
  const asks = daemon.asks.filter((ask) => ask.id === id).length;
  const state = stateOf(daemon, terminal);
  return h(
    'li',
    { key: id },
    h(
      'button',
      {
        type: 'button',
        class: `item${isChosen ? ' is-chosen' : ''}${terminal.alive ? '' : ' is-ended'}`,
        'aria-current': isChosen ? 'true' : undefined,
        onClick: () => {
          model.choose({ daemon: daemon.name, id });
          desk.focus();
        },
      },
      h('span', { class: `dot is-${state.kind}`, 'aria-hidden': 'true' }),
      h(
        'span',
        { class: 'item-text' },
        h('span', { class: 'item-name' }, id),
        h('span', { class: 'item-title' }, titleThatWasSet(terminal) || terminal.foreground || terminal.cmd.join(' ')),
      ),
      daemon.bells.has(id)
        ? h('span', { class: 'badge', title: 'A bell' }, icon('bell'), h('span', { class: 'hidden' }, 'bell'))
        : null,
      asks === 0 ? null : h('span', { class: 'badge is-ask', title: 'A question' }, `? ${asks}`),
      h('span', { class: `chip is-${state.kind}` }, state.word),
    ),
  );
}

export interface StateChip {
  readonly kind: 'busy' | 'ready' | 'waits' | 'done' | 'failed';
  readonly word: string;
}

const SHELLS: readonly string[] = ['bash', 'zsh', 'fish', 'sh', 'dash', 'ksh', 'mksh'];

const DOING_KIND: Readonly<Record<string, StateChip['kind']>> = {
  waiting: 'waits',
  idle: 'ready',
  done: 'done',
  error: 'failed',
};

export function stateOf(
  daemon: DaemonState,
  { id, alive, exit_code: code, signal, foreground, doing }: TerminalState,
): StateChip {
  if (!alive)
    return code === 0 ? { kind: 'done', word: 'ended' } : { kind: 'failed', word: signal ?? `exit ${code ?? '?'}` };
  const word = doingWord(doing, doing?.sure);
  if (word !== '') return { kind: DOING_KIND[doing?.is ?? ''] ?? 'busy', word };
  if (foreground !== null && SHELLS.includes(foreground)) return { kind: 'ready', word: foreground };
  if (daemon.waiting.has(id)) return { kind: 'waits', word: 'waits' };
  return { kind: 'busy', word: foreground ?? 'runs' };
}

function closeDrawer({ model }: Desk): void {
  model.isDrawerOpen = false;
  model.changed();
}

function openDialog({ model }: Desk): void {
  model.isDrawerOpen = false;
  model.isCreating = true;
  model.changed();
}
