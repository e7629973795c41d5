/** What must hold after each step of a walk, by what is not the page. */
import type { Page } from 'playwright-core';
import type { Client } from '../../src/client/index.js';
import type { KeyNote } from './browser-notes.js';
import type { Recorder } from './recorders.js';

/** The page draws what it is sent; a machine that does too much is slow. */
const MOST_MS = 15_000;
/** A key that has not come by then may have gone nowhere. */
const NOWHERE_MS = 1500;

/** A terminal in view: places in CSS pixels below the oldest line. */
interface Seen {
  readonly id: string;
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly rows: readonly { readonly top: number; readonly text: string }[];
}

/** Undefined if no terminal is in view as it is now, or if the page says that it is not as it is now. */
const SEEN = `(() => {
  const term = document.querySelector('.stage:not(.is-stale):not(.is-then) .term');
  if (term === null || !term.checkVisibility() || document.querySelector('.wall, .board') !== null) return undefined;
  const extent = term.querySelector('.extent').getBoundingClientRect();
  const view = term.getBoundingClientRect();
  const field = term.querySelector('.hands');
  const rows = [...term.querySelectorAll('.row')].flatMap((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom <= view.top || top >= view.bottom ? [] : [{ top: top - extent.top, text: row.textContent }];
  });
  return {
    id: field.getAttribute('aria-label').replace('Keyboard of ', ''),
    top: view.top - extent.top,
    height: term.clientHeight,
    // Not that of the field: layout cuts it to a 64th of a pixel, which a thousand rows make a row.
    rowHeight: term.querySelector('.row')?.getBoundingClientRect().height ?? 0,
    rows,
  };
})()`;

/** @returns what is wrong; undefined if each row in view is the row that the daemon has for it */
export function wrongRow(page: Page, client: Client, mostMs = MOST_MS): Promise<string | undefined> {
  return untilRight(mostMs, async () => {
    const seen: Seen | undefined = await page.evaluate(SEEN);
    if (seen === undefined) return undefined;
    const { lines } = await client.call('text', { id: seen.id, region: 'all', trim: true });
    return differenceOf(seen, lines);
  });
}

/** Whole rows alone: the page shows part of one at its edges. */
function differenceOf({ id, top, height, rowHeight, rows }: Seen, lines: readonly string[]): string | undefined {
  if (rowHeight === 0) return `${id}: its rows have no height`;
  const shown = new Map(rows.map((row) => [Math.round(row.top / rowHeight), row.text.trimEnd()]));
  const [from, to] = [Math.ceil(top / rowHeight - 0.1), Math.floor((top + height) / rowHeight + 0.1)];
  for (let at = Math.max(0, from); at < to; at++) {
    const [is, right] = [shown.get(at) ?? '', lines[at] ?? ''];
    if (is !== right)
      return `${id}: row ${at} of ${lines.length} is ${JSON.stringify(is)}, not ${JSON.stringify(right)}`;
  }
  return undefined;
}

/** Who is shown as needing a person, by the list of the page. Undefined if it says that it does not know. */
const NEEDY = `(() => {
  if (document.querySelector('.chip.is-off, .stage.is-stale') !== null) return undefined;
  return [...document.querySelectorAll('.tree .item')]
    .filter((item) => item.querySelector('.badge.is-ask, .dot.is-waits') !== null
      || item.matches(':not(.is-ended):has(.dot.is-failed)'))
    .map((item) => item.querySelector('.item-name').textContent)
    .sort();
})()`;

/** @returns what is wrong; undefined if those who are shown as needing a person are those that the daemon names */
export function wrongNeed(page: Page, client: Client, mostMs = MOST_MS): Promise<string | undefined> {
  return untilRight(mostMs, async () => {
    const shown: readonly string[] | undefined = await page.evaluate(NEEDY);
    if (shown === undefined) return undefined;
    const { terminals } = await client.call('list', { where: { needs_you: true } });
    const right = terminals.map(({ id }) => id).toSorted();
    return String(shown) === String(right)
      ? undefined
      : `shown as needing a person: ${String(shown)}; named: ${String(right)}`;
  });
}

/** What programs read of keys that type nothing. Walks press no others of them at a terminal. */
const BYTES: Readonly<Record<string, string>> = { Enter: '\r', Escape: '\x1b' };

/** What may be said where a key went nowhere. */
const SAYS = `document.querySelector('.notice, .stage.is-stale, .stage.is-then, .main > .line, .item.is-chosen.is-ended') !== null`;

const NOTICES = `Array.from(document.querySelectorAll('.notice, .main > .line'), (one) => one.textContent).join(' | ')`;

/**
 * Takes what was pressed into what each terminal must have read.
 * @returns what is wrong; undefined if each key came once to what had the focus, or it and those behind it nowhere, which is said
 */
export async function wrongKey(
  page: Page,
  recorders: readonly Recorder[],
  keys: readonly KeyNote[],
  mostMs = MOST_MS,
): Promise<string | undefined> {
  const before = recorders.map(({ expected }) => expected);
  const optional = new Set<Recorder>();
  for (const { key, focus, terminal } of keys) {
    const to = recorders.find(({ id }) => id === terminal);
    const text = BYTES[key] ?? key;
    if (to === undefined || focus === 'other' || /^[A-Z][A-Za-z0-9]+$/.test(text)) continue;
    to.expected += text;
    if (focus === 'nothing' || !to.isAlive) optional.add(to);
  }
  for (const [i, recorder] of recorders.entries()) {
    const wrong = await untilRight(mostMs, async (ms) => {
      const { read, expected, id } = recorder;
      if (read === expected) return undefined;
      const isNowhere =
        ms > NOWHERE_MS &&
        ((read === before[i] && optional.has(recorder)) ||
          // The rest of what was typed may be lost, never its beginning alone.
          (read.startsWith(before[i] ?? '') && expected.startsWith(read) && (await page.evaluate(SAYS)) === true));
      if (isNowhere) recorder.expected = read;
      return isNowhere ? undefined : `${id} has read ${tail(read)}, not ${tail(expected)}`;
    });
    if (wrong !== undefined) return `${wrong}; the page says: ${await page.evaluate<string>(NOTICES)}`;
  }
  return undefined;
}

function tail(text: string): string {
  return JSON.stringify(text.slice(-60));
}

/** The page follows: it is wrong if it stays so. */
async function untilRight(
  mostMs: number,
  look: (ms: number) => Promise<string | undefined>,
): Promise<string | undefined> {
  const start = performance.now();
  for (;;) {
    const ms = performance.now() - start;
    const wrong = await look(ms);
    if (wrong === undefined || ms > mostMs) return wrong;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
