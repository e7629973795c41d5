/** The terminals of all daemons, with their states. */
import { h, type ComponentChild } from 'preact';
import { AWAY_WORDS, seenKey, type AwayLine } from './away.js';
import { button, programSpan, questionBadge, subtitle } from './controls.js';
import type { Desk } from './desk.js';
import type { Model, Place } from './model.js';
import { icon, iconButton } from './icons.js';
import { crewWords, programBeside, stateOf, subtitleOf, type StateChip, type Subtitle } from './state.js';
import { inOrder, type DaemonState } from './daemon-state.js';
import type { TerminalState } from './listed.js';

export function tree(desk: Desk): ComponentChild {
  const { model } = desk;
  const groups = model.shownDaemons.map((daemon) => ({ daemon, items: itemsOf(model, daemon) }));
  model.listed.drawn(groups.flatMap(({ daemon, items }) => [...linesOf(daemon), ...items.flatMap(keysOf)]));
  return h(
    'nav',
    { class: `tree${model.isDrawerOpen ? ' is-open' : ''}`, 'aria-label': 'Terminals', onKeyDown: walk(desk) },
    h(
      'div',
      { class: 'tree-head' },
      h('span', { class: 'brand' }, h('img', { src: 'icon.svg', alt: '', width: 24, height: 24 }), 't4a'),
      iconButton(
        model.preferences.theme === 'dark' ? 'sun' : 'moon',
        model.preferences.theme === 'dark' ? 'Light theme' : 'Dark theme',
        () => {
          model.toggleTheme();
          desk.focus();
        },
      ),
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
    daemonFilter(desk, 'only-phone'),
    h(
      'div',
      { class: 'tree-list', ...model.listed.handlers },
      groups.map(({ daemon, items }) => group(desk, daemon, items)),
    ),
    !model.connections.isOfOne &&
      h(
        'nav',
        { class: 'tree-boards', 'aria-label': 'More' },
        board(desk, 'recordings', 'Recordings'),
        board(desk, 'health', 'Health'),
      ),
    model.isReadOnly
      ? h('p', { class: 'tree-foot quiet' }, 'This page only watches.')
      : h(
          'div',
          { class: 'tree-foot' },
          button([icon('plus'), 'New terminal'], () => model.show('create'), { class: 'button primary wide' }),
        ),
  );
}

function board(desk: Desk, name: 'recordings' | 'health', words: string): ComponentChild {
  const pressed = desk.model.view === name;
  return button(words, () => desk.toggleView(name), { 'aria-pressed': pressed });
}

/** Of one daemon, or of all: where there are several. */
export function daemonFilter({ model }: Desk, className: string): ComponentChild {
  if (model.daemons.size < 2) return null;
  const onChange = (event: Event): void => {
    model.onlyDaemon = (event.target as HTMLSelectElement).value || undefined;
    model.changed();
  };
  return h(
    'select',
    {
      class: `filter ${className}`,
      'aria-label': 'Daemons shown',
      key: 'filter',
      value: model.daemons.has(model.onlyDaemon ?? '') ? model.onlyDaemon : '',
      onChange,
    },
    h('option', { value: '' }, 'All daemons'),
    [...model.daemons.keys()].map((name) => h('option', { key: name, value: name }, name)),
  );
}

/** Arrows walk through the list, Enter chooses, in the search the first one; Escape goes back to the terminal. */
function walk(desk: Desk): (event: KeyboardEvent) => void {
  return (event) => {
    const { key, currentTarget, target } = event;
    const items = [...(currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.item, .away')];
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

interface Item {
  readonly key: string;
  readonly terminal: TerminalState;
  readonly state: StateChip;
  readonly asks: number;
  readonly below: Subtitle;
  readonly away: AwayLine | undefined;
}

/** Keys of the lines of an item: one that comes or goes moves what is below. */
function keysOf({ key, below, away }: Item): string[] {
  const isTitled = below.words !== '' || below.since !== '';
  return [key, ...(isTitled ? [`${key} title`] : []), ...(away === undefined ? [] : [awayKey(key)])];
}

function awayKey(key: string): string {
  return `${key} away`;
}

function itemsOf({ search, listed, away }: Model, daemon: DaemonState): Item[] {
  const lines = away.shown(listed.isHeld);
  const words = search.toLowerCase();
  // The name of a daemon finds all that it has.
  const shown = daemon.terminals.filter((one) =>
    `${daemon.name} ${one.id} ${one.title} ${one.foreground ?? ''}`.toLowerCase().includes(words),
  );
  return listed.sorted(
    inOrder(shown, daemon.asks).map((terminal) => {
      const state = stateOf(daemon, terminal);
      const asks = daemon.asks.filter(({ id }) => id === terminal.id);
      const below = subtitleOf(terminal, state, asks);
      const crew = below.isQuestion ? '' : crewWords(terminal);
      return {
        key: JSON.stringify([daemon.name, terminal.id]),
        terminal,
        state,
        asks: asks.length,
        below: { ...below, words: [crew, below.words].filter((words) => words !== '').join(' · ') },
        away: lines.get(seenKey(daemon.name, terminal)),
      };
    }),
  );
}

/** What is drawn above the items of a daemon, and moves them as it comes and goes. */
function linesOf({ name, isOpen, reason, lacks }: DaemonState): string[] {
  const says = isOpen ? lacks : [reason].filter((one) => one !== '');
  return [name, ...says.map((one) => JSON.stringify([name, 'says', one]))];
}

function group(desk: Desk, daemon: DaemonState, items: readonly Item[]): ComponentChild {
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
    items.length === 0 && daemon.isOpen && daemon.lacks.length === 0
      ? h('p', { class: 'quiet empty-group' }, desk.model.search === '' ? 'No terminal yet.' : 'None of that name.')
      : h(
          'ul',
          null,
          items.map((one) => item(desk, daemon, one)),
        ),
  );
}

function item(desk: Desk, daemon: DaemonState, { key, terminal, state, asks, below, away }: Item): ComponentChild {
  const { model } = desk;
  const { id } = terminal;
  const isChosen = model.chosen?.daemon === daemon.name && model.chosen.id === id;
  return h(
    'li',
    { key: id },
    button(
      [
        h('span', { class: `dot is-${state.kind}`, 'aria-hidden': 'true' }),
        h('span', { class: 'item-name' }, id),
        // What it does is read before its title, as in the tiles.
        h(
          'span',
          { class: 'item-states' },
          daemon.bells.has(id)
            ? h('span', { class: 'badge', title: 'A bell' }, icon('bell'), h('span', { class: 'hidden' }, 'bell'))
            : null,
          questionBadge(asks),
          h('span', { class: `chip is-${state.kind}` }, state.word),
        ),
        programSpan(programBeside(terminal)),
        subtitle(below),
      ],
      (event: MouseEvent) => model.listed.takes(event, key) && desk.choose({ daemon: daemon.name, id }),
      {
        class: `item${isChosen ? ' is-chosen' : ''}${terminal.alive ? '' : ' is-ended'}${model.listed.isMoved(key) ? ' is-moved' : ''}`,
        'aria-current': isChosen ? 'true' : undefined,
      },
    ),
    away === undefined ? null : awayButton(desk, { daemon: daemon.name, id }, awayKey(key), away),
  );
}

/** Entries since a person looked, as a button that opens the past at that moment. */
function awayButton(
  desk: Desk,
  place: Place,
  key: string,
  { words, tone, more, time, moment }: AwayLine,
): ComponentChild {
  const { listed } = desk.model;
  return button(
    [
      h('span', { class: 'hidden' }, `${AWAY_WORDS}: `),
      h('span', { class: 'away-words' }, words),
      h('span', { class: 'quiet' }, [time, ...(more === 0 ? [] : [`+${more}`])].join(' · ')),
    ],
    (event: MouseEvent) => listed.takes(event, key) && desk.openMoment(place, moment),
    { class: `away is-${tone}${listed.isMoved(key) ? ' is-moved' : ''}`, title: AWAY_WORDS },
  );
}

function closeDrawer({ model }: Desk): void {
  model.isDrawerOpen = false;
  model.changed();
}
