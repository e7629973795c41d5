/** The page's frame: the list on the left, the terminal, and what belongs to it. */
import { h, render, type ComponentChild } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { button } from './controls.js';
import { AskCards } from './asks.js';
import { bar, controlLine, keepFocus } from './bar.js';
import type { Desk } from './desk.js';
import { EndTerminal, NewTerminal } from './dialogs.js';
import { icon } from './icons.js';
import { LazyPanel } from './lazy-panel.js';
import type { View } from './model.js';
import { lockedOut } from './locked-out.js';
import { PaletteDialog } from './palette-dialog.js';
import { Search } from './search.js';
import { tray } from './tray.js';
import { tree } from './tree.js';

export function draw(desk: Desk, root: HTMLElement): void {
  desk.arrange();
  desk.wayBack.follow();
  render(h(App, { desk }), root);
}

const wall = new LazyPanel(async () => (await loadParts()).Wall);
const recordings = new LazyPanel(async () => (await loadParts()).Recordings);
const health = new LazyPanel(async () => (await loadParts()).Health);
const IN_PLACE: Readonly<Partial<Record<View, LazyPanel>>> = { wall, recordings, health };
const past = new LazyPanel(async () => (await loadParts()).Scrubber);
const feed = new LazyPanel(async () => (await import('./beside.js')).beside.Feed);
const rules = new LazyPanel(async () => (await import('./beside.js')).beside.Rules);
const blocks = new LazyPanel(async () => (await import('./beside.js')).beside.Blocks);

async function loadParts() {
  stylesOfParts ??= loadStyles('parts.css');
  const [{ parts }] = await Promise.all([import('./wall-and-boards.js'), stylesOfParts]);
  return parts;
}

let stylesOfParts: Promise<void> | undefined;

function loadStyles(href: string): Promise<void> {
  return new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    // Without it the part is plain, and works.
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}

function App({ desk }: { readonly desk: Desk }): ComponentChild {
  const { model, seat } = desk;
  const isRules = model.view === 'rules';
  useEffect(() => desk.uncover());
  // Before they are seen.
  useLayoutEffect(() => desk.placeNotices());
  if (model.shutOut !== undefined) return lockedOut(desk, model.shutOut);
  return h(
    'div',
    { class: 'app' },
    tree(desk),
    model.isDrawerOpen ? h('div', { class: 'veil', onClick: () => model.choose(model.chosen) }) : null,
    h(
      'main',
      { class: 'main' },
      bar(desk),
      controlLine(desk),
      callLine(desk),
      stoppedLine(desk),
      model.view === 'search' ? h(Search, { desk, key: seat?.number }) : null,
      oldLine(desk),
      // Cards stand beside what is shown, and over no line above it.
      h(
        'div',
        { class: 'work' },
        h(
          'div',
          { class: 'stage-frame' },
          h(Stage, { desk }),
          IN_PLACE[model.view]?.show(desk) ?? (model.chosen === undefined ? welcome(desk) : null),
          showsBlocks(desk) && !isRules ? blocks.show(desk, true) : null,
          showsFeed(desk) && !isRules ? feed.show(desk, true) : null,
          isRules && seat !== undefined ? rules.show(desk) : null,
          isRules ? null : toEnd(desk),
        ),
        h(AskCards, { desk }),
      ),
      model.view === 'past' && seat !== undefined ? past.show(desk) : null,
      isRules ? null : tray(desk),
    ),
    h('div', { class: 'hidden said', 'aria-live': 'polite', 'aria-atomic': 'true' }, model.said),
    h(
      'div',
      { class: 'notices', role: 'status' },
      model.notices.shown.map(({ number, text }) =>
        button(text, () => model.notices.dismiss(number), { class: 'notice', key: number }),
      ),
    ),
    model.dialog === 'palette' ? h(PaletteDialog, { desk }) : null,
    model.dialog === 'create' ? h(NewTerminal, { desk }) : null,
    model.dialog === 'end' ? h(EndTerminal, { desk }) : null,
  );
}

/** The seat puts its own elements into it, which Preact leaves alone. */
function Stage({ desk }: { readonly desk: Desk }): ComponentChild {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    desk.host = host.current ?? undefined;
    desk.model.changed();
  }, []);
  const isStale = desk.model.chosenDaemon?.isOpen === false || desk.seat?.isGone === true;
  return h('div', {
    ref: host,
    inert: desk.model.view === 'rules',
    class: classes({
      stage: true,
      'is-stale': isStale,
      'is-then': desk.seat?.isThen === true,
      'has-blocks': showsBlocks(desk),
      'has-feed': showsFeed(desk),
    }),
  });
}

function classes(names: Readonly<Record<string, boolean>>): string {
  return Object.keys(names)
    .filter((name) => names[name] === true)
    .join(' ');
}

/** The screen of another moment has the commands of that one. */
function showsBlocks({ model, seat }: Desk): boolean {
  const isLive = !model.isAway && model.view !== 'past';
  return seat !== undefined && isLive && !model.preferences.hidesBlocks && model.commandsSeen > 0;
}

function showsFeed({ model, seat }: Desk): boolean {
  return seat !== undefined && !model.isAway && model.feed !== 'closed';
}

/** Before the browser asks, in words. */
function callLine({ model }: Desk): ComponentChild {
  if (!model.offersCalls) return null;
  const answer = (wanted: boolean) => (): void => model.attempt(() => model.setCalls(wanted));
  return h(
    'p',
    { class: 'line is-asked', role: 'status' },
    icon('bell'),
    h('span', null, 'An agent may wait while you look elsewhere.'),
    button('Call me', answer(true), { class: 'button primary' }),
    button('Not now', answer(false)),
  );
}

function stoppedLine({ model }: Desk): ComponentChild {
  if (!model.hasStopped) return null;
  return h(
    'p',
    { class: 'line is-asked', role: 'status' },
    h('span', null, 'No t4a web answers here any more. This page tries again when you come back to it.'),
    button('Try now', () => model.tryAgain(), { class: 'button primary' }),
  );
}

/** A key that is pressed while a page loads is lost: it does so by itself when none has come for a while. */
function oldLine({ model }: Desk): ComponentChild {
  if (!model.isOld) return null;
  return h(
    'p',
    { class: 'line is-asked', role: 'status', ref: () => reloadWhenIdle() },
    h('span', null, 't4a web has been updated. This page loads itself again once you pause.'),
    button('Load it now', () => location.reload(), { class: 'button primary' }),
  );
}

const IDLE_MS = 3000;
let isDue = false;

function reloadWhenIdle(): void {
  if (isDue) return;
  isDue = true;
  let timer = setTimeout(() => location.reload(), IDLE_MS);
  for (const name of ['keydown', 'pointerdown', 'wheel'])
    addEventListener(
      name,
      () => {
        clearTimeout(timer);
        timer = setTimeout(() => location.reload(), IDLE_MS);
      },
      { capture: true, passive: true },
    );
}

function toEnd({ seat }: Desk): ComponentChild {
  if (seat === undefined || seat.screen.isAtEnd) return null;
  return button([icon('down'), 'To the end'], () => seat.screen.toEnd(), {
    class: 'button to-end',
    onMouseDown: keepFocus,
  });
}

function welcome({ model }: Desk): ComponentChild {
  const isOpen = [...model.daemons.values()].some((daemon) => daemon.isOpen);
  return h(
    'div',
    { class: 'welcome' },
    h('img', { src: 'icon.svg', alt: '', width: 56, height: 56 }),
    h('h2', null, isOpen ? 'No terminal yet' : 'Connecting'),
    h(
      'p',
      { class: 'quiet' },
      isOpen ? 'What you or an agent creates appears here, live.' : model.reason || 'The daemon does not answer yet.',
    ),
    isOpen && !model.isReadOnly
      ? button([icon('plus'), 'New terminal'], () => model.show('create'), { class: 'button primary' })
      : null,
  );
}
