/** Above the terminal: what it is, who types, and what can be done with it. */
import { h, type ComponentChild } from 'preact';
import { button } from './controls.js';
import type { Desk } from './desk.js';
import { icon, iconButton } from './icons.js';
import type { View } from './model.js';
import { stateOf } from './state.js';
import { daemonFilter } from './tree.js';

export function bar(desk: Desk): ComponentChild {
  const { model, seat } = desk;
  const { chosen, chosenDaemon: daemon, chosenTerminal: terminal } = model;
  const { isAway } = model;
  const isNone = daemon === undefined || terminal === undefined || isAway;
  const state = isNone ? undefined : stateOf(daemon, terminal);
  const { cols, rows, watchers = 1 } = seat?.standing ?? { cols: 0, rows: 0 };
  const title = seat?.standing?.title || terminal?.title || '';
  return h(
    'header',
    { class: 'bar', onMouseDown: keepFocus },
    h(
      'span',
      { class: 'only-phone menu-button' },
      iconButton('menu', 'List of terminals', () => {
        model.isDrawerOpen = true;
        model.changed();
      }),
      model.asks.length === 0 ? null : h('span', { class: 'badge is-ask on-menu' }, model.asks.length),
    ),
    h(
      'div',
      { class: 'bar-name' },
      h('h1', null, headline(desk)),
      state === undefined ? null : h('span', { class: `chip is-${state.kind}` }, state.word),
      h('span', { class: 'bar-title' }, isAway ? '' : title),
    ),
    chosen === undefined || isAway
      ? h('div', { class: 'bar-end', key: 'end' }, daemonFilter(desk, 'only-desk'), wallButton(desk))
      : h(
          'div',
          { class: 'bar-end', key: 'end' },
          daemonFilter(desk, 'only-desk'),
          cols === 0 ? null : h('span', { class: 'quiet size only-desk' }, `${cols} × ${rows}`),
          watchers > 1 ? h('span', { class: 'quiet only-desk' }, `${watchers} watch`) : null,
          controlButton(desk),
          wallButton(desk),
          ...(model.view === 'rules' ? [] : views(desk)),
          model.isReadOnly || model.recording !== undefined || seat?.isGone === true
            ? null
            : iconButton('trash', terminal?.alive === false ? 'Remove' : 'End the program', () => model.show('end'), {
                class: 'only-desk',
              }),
          iconButton('more', 'More', () => desk.openPalette(), { class: 'only-phone' }),
        ),
  );
}

/** Other views of the terminal: rules stand in its place. */
function views(desk: Desk): ComponentChild[] {
  const { model } = desk;
  return [
    iconButton('feed', 'What happened', () => model.toggleFeed(), { pressed: model.feed !== 'closed' }),
    iconButton('past', 'The past', () => desk.togglePast(), { pressed: model.view === 'past' }),
    model.recording !== undefined
      ? null
      : iconButton('search', 'Search', () => (model.view === 'search' ? desk.closeSearch() : desk.search()), {
          pressed: model.view === 'search',
          class: 'only-desk',
        }),
    model.isReadOnly ? null : fitButton(desk),
  ];
}

/** Who clicks a button goes on typing where they typed; the keyboard itself still reaches it. */
export function keepFocus(event: Event): void {
  if (event.target instanceof Element && event.target.closest('button') !== null) event.preventDefault();
}

const VIEWS: Readonly<Partial<Record<View, string>>> = {
  wall: 'All terminals',
  health: 'Health',
  recordings: 'Recordings',
};

function headline({ model }: Desk): string {
  return VIEWS[model.view] ?? model.recording?.name ?? model.chosen?.id ?? 't4a';
}

function wallButton(desk: Desk): ComponentChild {
  const isWall = desk.model.view === 'wall';
  const label = isWall ? 'Back to the terminal' : 'All terminals at a glance';
  // Between the press and the release of a mouse others may come before it: it is the same button.
  return iconButton('wall', label, () => desk.toggleView('wall'), { pressed: isWall, key: 'wall' });
}

function controlButton(desk: Desk): ComponentChild {
  const { model, seat } = desk;
  if (seat?.isAlive !== true || model.isReadOnly) return null;
  if (seat.isMine) {
    const release = (): void => model.attempt(() => seat.release());
    return button([h('span', { class: 'dot is-mine' }), 'Give back'], release, { class: 'button held' });
  }
  const { holder } = seat;
  const isPerson = seat.hold.control?.person === true;
  const take = (): void => model.attempt(() => seat.take(isPerson));
  if (holder === undefined) {
    return button([icon('hand'), h('span', { class: 'only-desk' }, 'Take')], take, {
      title: 'Keep the keyboard to yourself',
    });
  }
  return button([icon('hand'), isPerson ? `Take from ${holder}` : 'Take'], take, {
    class: `button ${seat.isRefused ? 'primary' : ''}`,
  });
}

/** Below the bar: who has the keyboard, if it is another, and who asks for it. */
export function controlLine(desk: Desk): ComponentChild {
  const { model, seat } = desk;
  if (seat === undefined || model.isAway) return null;
  if (model.chosenDaemon?.isOpen === false) {
    const { name, reason } = model.chosenDaemon;
    const words =
      seat.rev === undefined
        ? `Connecting to ${name}. ${reason}`
        : 'Connection lost. This is the last picture; trying again.';
    return h('p', { class: 'line is-off', role: 'status' }, h('span', { class: 'spinner' }), words);
  }
  if (seat.isGone) {
    const words =
      model.recording === undefined ? 'This terminal has been removed.' : 'This recording was closed. Open it again.';
    return h('p', { class: 'line', role: 'status' }, words);
  }
  if (model.recording !== undefined) {
    return model.recording.isComplete
      ? null
      : h('p', { class: 'line', role: 'status' }, 'The file was cut off. What was whole is shown.');
  }
  if (seat.standing?.alive === false)
    return h('p', { class: 'line', role: 'status' }, 'The program has ended. This is its last screen.');
  const { holder } = seat;
  const control = seat.hold.control;
  if (holder !== undefined) {
    const reason = control?.reason === undefined ? '' : `: ${control.reason}`;
    const where = seat.isHeldElsewhere ? ' elsewhere' : '';
    const words = `${seat.isRefused ? 'Nothing was typed: ' : ''}${holder} has the keyboard${where}${reason}`;
    return h('p', { class: `line is-held${seat.isRefused ? ' is-refused' : ''}`, role: 'status' }, icon('hand'), words);
  }
  const [asker] = seat.isMine ? (control?.requests ?? []) : [];
  if (asker === undefined) return null;
  const answer = (action: 'give' | 'deny') => (): void => model.attempt(() => seat.answerRequest(action, asker));
  return h(
    'p',
    { class: 'line is-asked', role: 'status' },
    h('span', null, `${asker} asks for the keyboard.`),
    button('Give it', answer('give'), { class: 'button primary' }),
    button('Not now', answer('deny')),
  );
}

function fitButton({ model, seat }: Desk): ComponentChild {
  if (seat?.isAlive !== true || seat.holder !== undefined) return null;
  const toggle = (): void => model.attempt(() => (seat.isFitted ? seat.unfit() : seat.fit()));
  return iconButton('fit', seat.isFitted ? 'Its own size' : 'Fit to this page', toggle, { pressed: seat.isFitted });
}
