/**
 * What the browser says of keys and clicks, by listeners that come before those of the page: what had the focus when a key was pressed,
 * and what stood under the pointer half a second before a click.
 */
import type { Page } from 'playwright-core';

/** A key. `terminal`: that whose keyboard had the focus; `nothing`: nothing had it, or the rows of that terminal. */
export interface KeyNote {
  readonly key: string;
  readonly focus: 'terminal' | 'nothing' | 'other';
  /** In front; undefined if none is. */
  readonly terminal: string | undefined;
}

/** A click: what stood there half a second ago, or when the pointer came if that is later, and now. Names are those of {@link NAME}. */
export interface ClickNote {
  readonly before: string;
  readonly now: string;
}

export interface Notes {
  readonly keys: readonly KeyNote[];
  readonly clicks: readonly ClickNote[];
}

/** Name of what stands at a place: a button of a card, an item of the list, a tile of the wall. */
const NAME = `(element) => {
  if (element === null) return '';
  const button = element.closest('button');
  const ask = element.closest('[data-ask]')?.dataset.ask;
  if (ask !== undefined) return 'ask ' + ask + ' ' + (button?.textContent ?? '');
  const item = element.closest('.item');
  if (item !== null) return 'open ' + item.querySelector('.item-name').textContent;
  const tile = element.closest('.tile');
  if (tile !== null) return 'open ' + tile.dataset.place;
  return button === null ? '' : 'button ' + (button.getAttribute('aria-label') ?? button.textContent);
}`;

/** What programs read of the keys below the terminal on a phone, by their labels. */
const TRAY_BYTES = {
  Esc: '\x1b',
  Tab: '\t',
  Up: '\x1b[A',
  Down: '\x1b[B',
  Right: '\x1b[C',
  Left: '\x1b[D',
  PgUp: '\x1b[5~',
  PgDn: '\x1b[6~',
};

const BEFORE_MS = 500;

/** To be added before the page is loaded. */
export const NOTING = `(() => {
  const nameOf = ${NAME};
  const notes = window.walkNotes = { keys: [], clicks: [] };
  // The page goes on over entries that show nothing of their own.
  const ways = window.walkWays = { pops: 0, passes: 0 };
  const go = history.go.bind(history);
  history.go = (steps) => {
    ways.passes++;
    go(steps);
  };
  addEventListener('popstate', () => ways.pops++);
  let seen = [];
  let pointer;
  const look = (ms) => {
    const name = pointer === undefined ? '' : nameOf(document.elementFromPoint(pointer.x, pointer.y));
    if (seen.at(-1)?.name !== name) seen.push({ ms, name });
    return name;
  };
  // A person sees what a frame shows, from its time on.
  const frame = (ms) => {
    look(ms);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const aim = window.walkAim = ({ clientX, clientY }) => {
    if (pointer?.x === clientX && pointer.y === clientY) return;
    pointer = { x: clientX, y: clientY };
    // Where it was before says nothing of this place.
    seen = [{ ms: -Infinity, name: nameOf(document.elementFromPoint(clientX, clientY)) }];
  };
  addEventListener('pointermove', (event) => event.pointerType === 'mouse' && aim(event), true);
  addEventListener('click', (event) => {
    if (!event.isTrusted || event.detail === 0) return;
    const since = performance.now() - ${BEFORE_MS};
    notes.clicks.push({ before: seen.findLast(({ ms }) => ms <= since)?.name ?? '', now: look(performance.now()) });
    const key = ${JSON.stringify(TRAY_BYTES)}[event.target.closest('.tray .key')?.ariaLabel];
    const field = document.querySelector('.term .hands');
    if (key !== undefined && field !== null)
      notes.keys.push({ key, focus: 'terminal', terminal: field.ariaLabel.replace('Keyboard of ', '') });
  }, true);
  addEventListener('submit', ({ target }) => {
    const field = document.querySelector('.term .hands');
    if (!target.matches('.line-bar') || field === null) return;
    const terminal = field.ariaLabel.replace('Keyboard of ', '');
    notes.keys.push({ key: target.elements.line.value + '\\r', focus: 'terminal', terminal });
  }, true);
  addEventListener('keydown', (event) => {
    // Those with Ctrl are the page's.
    if (!event.isTrusted || event.ctrlKey) return;
    const field = document.querySelector('.term .hands');
    const focus = document.activeElement;
    const isModal = document.querySelector('dialog[open]') !== null;
    const isInFront = field !== null && !isModal && field.checkVisibility();
    notes.keys.push({
      key: event.key,
      focus: isInFront && focus === field ? 'terminal'
        : focus === null || focus === document.body || focus.contains(field) ? 'nothing' : 'other',
      terminal: isInFront ? field.getAttribute('aria-label').replace('Keyboard of ', '') : undefined,
    });
  }, true);
})()`;

/** A finger is over a place, of which the browser learns nothing. CSS pixels */
export function aimFinger(page: Page, x: number, y: number): Promise<void> {
  return page.evaluate(`window.walkAim({ clientX: ${x}, clientY: ${y} })`);
}

/** One entry of the page back, and those that it passes over. */
export async function goBack(page: Page): Promise<void> {
  await page.evaluate('void Object.assign(window.walkWays, { pops: 0, passes: 0 })');
  await page.goBack({ timeout: 10_000 });
  await page.evaluate(`new Promise((resolve) => {
    const look = () => (window.walkWays.pops > window.walkWays.passes ? resolve() : setTimeout(look, 10));
    look();
  })`);
}

/** Those since the last call. */
export function takeNotes(page: Page): Promise<Notes> {
  return page.evaluate(`(() => {
    const { keys, clicks } = window.walkNotes ?? { keys: [], clicks: [] };
    return { keys: keys.splice(0), clicks: clicks.splice(0) };
  })()`);
}
