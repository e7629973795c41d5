/** What rules would find: on the screen of a terminal with the cells, or in all of its history, with the differences. */
import { h, type ComponentChild } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { safeText } from '../mirror/safe-text.js';
import type { Reply } from '../protocol/registry.js';
import { wordsOf } from './entry-feed.js';
import type { RegionFields } from './rules-form.js';

export type CheckedRules = Pick<Reply<'rules'>, 'entries' | 'differences' | 'snapshot'>;

/** Lines of a reply that are drawn. */
const MOST_SHOWN = 100;

export function Differences({ checked }: { readonly checked: CheckedRules }): ComponentChild {
  const { entries = [], differences = [] } = checked;
  const more = differences.length - MOST_SHOWN;
  const found = `${count(entries.length, 'entry', 'entries')} found`;
  const others = `${count(differences.length, 'difference', 'differences')} from what the terminal has:`;
  const lines = differences.slice(0, MOST_SHOWN).map(({ change, kind, rule, text }, i) => {
    const words = h('span', { class: 'mono' }, wordsOf({ data: { text } }));
    const by = h('span', { class: 'quiet' }, `${kind} (${rule})`);
    return h('li', { key: i, class: `is-${change}` }, h('span', { class: 'chip' }, change), by, words);
  });
  return h(
    'div',
    { class: 'found', role: 'status' },
    h('p', null, `${found}, ${differences.length === 0 ? 'as the terminal has them.' : others}`),
    h('ul', { 'aria-label': 'Differences' }, lines),
    more > 0 ? h('p', { class: 'quiet' }, `And ${more} more.`) : null,
  );
}

interface SnapshotProps {
  readonly snapshot: NonNullable<CheckedRules['snapshot']>;
  readonly entries: NonNullable<CheckedRules['entries']>;
  /** Undefined while no region is picked. */
  readonly pick: ((region: RegionFields) => void) | undefined;
}

/** Cells of entries are marked. A region is picked by dragging over it; the four fields of the rule do the same by the keyboard. */
export function SnapshotGrid({ snapshot, entries, pick }: SnapshotProps): ComponentChild {
  const { cols, rows, lines } = snapshot;
  const grid = useRef<HTMLDivElement>(null);
  const from = useRef<{ readonly row: number; readonly col: number }>(undefined);
  const [region, setRegion] = useState<RegionFields>();
  const cellAt = ({ clientX, clientY }: PointerEvent): NonNullable<typeof from.current> => {
    const { left, top, width, height } = grid.current?.getBoundingClientRect() ?? new DOMRect();
    return { row: cellOf(clientY - top, height, rows), col: cellOf(clientX - left, width, cols) };
  };
  const regionTo = (event: PointerEvent): RegionFields | undefined => {
    const [one, other] = [from.current, cellAt(event)];
    if (one === undefined) return undefined;
    const [top, left] = [Math.min(one.row, other.row), Math.min(one.col, other.col)];
    return { top, left, bottom: Math.max(one.row, other.row) + 1, right: Math.max(one.col, other.col) + 1 };
  };
  const box = (className: string, key: string, { top, left, bottom, right }: RegionFields): ComponentChild => {
    const [height, width] = [percent(bottom - top, rows), percent(right - left, cols)];
    return h('div', {
      key,
      class: className,
      style: { top: percent(top, rows), left: percent(left, cols), height, width },
    });
  };
  const dragging = {
    onPointerDown: (event: PointerEvent) => {
      if (pick === undefined) return;
      event.preventDefault();
      grid.current?.setPointerCapture(event.pointerId);
      from.current = cellAt(event);
      setRegion(regionTo(event));
    },
    onPointerMove: (event: PointerEvent) => from.current !== undefined && setRegion(regionTo(event)),
    onPointerUp: (event: PointerEvent) => {
      const picked = regionTo(event);
      from.current = undefined;
      if (picked !== undefined) pick?.(picked);
    },
    onPointerCancel: () => {
      from.current = undefined;
      setRegion(undefined);
    },
  };
  const found = entries
    .slice(-MOST_SHOWN)
    .flatMap(({ cells }, i) =>
      cells.map(({ row, col, cols: width }, j) =>
        box('found-cells', `${i} ${j}`, { top: row, left: col, bottom: row + 1, right: col + width }),
      ),
    );
  const look = `snapshot${pick === undefined ? '' : ' is-picked'}`;
  return h(
    'div',
    { class: look, role: 'region', 'aria-label': 'Snapshot', tabIndex: 0 },
    h(
      'div',
      { ref: grid, class: 'snapshot-grid', style: { width: `${cols}ch` }, ...dragging },
      lines.map((line, row) => h('div', { key: row }, `${safeText(line)}\u200B`)),
      found,
      region === undefined || pick === undefined ? null : box('picked', 'picked', region),
    ),
  );
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** @param size of all cells, in CSS pixels */
function cellOf(place: number, size: number, most: number): number {
  return Math.max(0, Math.min(most - 1, Math.floor((place / Math.max(1, size)) * most)));
}

function percent(n: number, of: number): string {
  return `${(100 * n) / Math.max(1, of)}%`;
}
