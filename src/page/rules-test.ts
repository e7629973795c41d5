/** What rules would find: on the screen of a terminal with the cells, or in all of its history, with the differences. */
import { h, type ComponentChild } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { safeText } from '../mirror/safe-text.js';
import type { Reply } from '../protocol/registry.js';
import { wordsOf } from './entry-feed.js';
import type { RegionFields } from './rules-draft.js';

export type Checked = Pick<Reply<'rules'>, 'entries' | 'differences' | 'snapshot'>;

/** Lines of a reply that are drawn. */
const MOST_SHOWN = 100;

export function Differences({ checked }: { readonly checked: Checked }): ComponentChild {
  const { entries = [], differences = [] } = checked;
  return h(
    'div',
    { class: 'found', role: 'status' },
    h('p', null, `${count(entries.length, 'entry', 'entries')} found, ${differenceWords(differences.length)}`),
    h(
      'ul',
      { 'aria-label': 'Differences' },
      differences
        .slice(0, MOST_SHOWN)
        .map(({ change, kind, rule, text }, i) =>
          h(
            'li',
            { key: i, class: `is-${change}` },
            h('span', { class: 'chip' }, change),
            h('span', { class: 'quiet' }, `${kind} (${rule})`),
            h('span', { class: 'mono' }, wordsOf({ data: { text } })),
          ),
        ),
    ),
    differences.length > MOST_SHOWN ? h('p', { class: 'quiet' }, `And ${differences.length - MOST_SHOWN} more.`) : null,
  );
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

function differenceWords(n: number): string {
  return n === 0 ? 'as the terminal has them.' : `${count(n, 'difference', 'differences')} from what the terminal has:`;
}

interface SnapshotProps {
  readonly snapshot: NonNullable<Checked['snapshot']>;
  readonly entries: NonNullable<Checked['entries']>;
  /** Undefined while no region is picked. */
  readonly pick: ((region: RegionFields) => void) | undefined;
}

/** @param size of all cells, in CSS pixels */
function cellOf(place: number, size: number, most: number): number {
  return Math.max(0, Math.min(most - 1, Math.floor((place / Math.max(1, size)) * most)));
}

function percent(n: number, of: number): string {
  return `${(100 * n) / Math.max(1, of)}%`;
}

interface Cell {
  readonly row: number;
  readonly col: number;
}

/** Cells of entries are marked. A region is picked by dragging over it; the four fields of the rule do the same by the keyboard. */
export function Snapshot({ snapshot, entries, pick }: SnapshotProps): ComponentChild {
  const { cols, rows, lines } = snapshot;
  const grid = useRef<HTMLDivElement>(null);
  const from = useRef<Cell>(undefined);
  const [region, setRegion] = useState<RegionFields>();
  const cellAt = ({ clientX, clientY }: PointerEvent): Cell => {
    const { left, top, width, height } = grid.current?.getBoundingClientRect() ?? new DOMRect();
    return { row: cellOf(clientY - top, height, rows), col: cellOf(clientX - left, width, cols) };
  };
  const regionTo = (event: PointerEvent): RegionFields | undefined => {
    const [one, other] = [from.current, cellAt(event)];
    return (
      one && {
        top: Math.min(one.row, other.row),
        left: Math.min(one.col, other.col),
        bottom: Math.max(one.row, other.row) + 1,
        right: Math.max(one.col, other.col) + 1,
      }
    );
  };
  const box = (className: string, key: string, { top, left, bottom, right }: RegionFields): ComponentChild =>
    h('div', {
      key,
      class: className,
      style: {
        top: percent(top, rows),
        left: percent(left, cols),
        height: percent(bottom - top, rows),
        width: percent(right - left, cols),
      },
    });
  return h(
    'div',
    {
      class: `snapshot${pick === undefined ? '' : ' is-picked'}`,
      role: 'region',
      'aria-label': 'Snapshot',
      tabIndex: 0,
    },
    h(
      'div',
      {
        ref: grid,
        class: 'snapshot-grid',
        style: { width: `${cols}ch` },
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
      },
      lines.map((line, row) => h('div', { key: row }, `${safeText(line)}\u200B`)),
      entries
        .slice(-MOST_SHOWN)
        .flatMap(({ cells }, i) =>
          cells.map(({ row, col, cols: width }, j) =>
            box('found-cells', `${i} ${j}`, { top: row, left: col, bottom: row + 1, right: col + width }),
          ),
        ),
      region === undefined || pick === undefined ? null : box('picked', 'picked', region),
    ),
  );
}
