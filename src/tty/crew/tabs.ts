/** The top row: a tab for each terminal. Pure. */
import type { Member } from '../../crew/members.js';
import { column, OUTER, style } from '../../mirror/outer-sequences.js';
import { textCells, fitted } from './cells.js';

export interface Tab {
  /** Id of the terminal that it goes to. */
  readonly id: string;
  readonly name: string;
  readonly isShown: boolean;
  /** `asks`: a person should look; `done`: it has finished since it was last shown. */
  readonly mark: 'asks' | 'done' | 'none';
}

const MARKS = { asks: ' !', done: ' •', none: '' } as const;
const LOOKS = { asks: '1;33', done: '32', none: '2' } as const;
const SHOWN = '7';
const RESET = OUTER.resetStyle.on;

const MAX_NAME_CELLS = 24;

/** After the last tab, where there is room: it starts something. */
const NEW = ' + ';
const MIN_COLS_WITH_NEW = 20;

export interface TabParts {
  /** Members that live, and the one that is shown. */
  readonly members: readonly Member[];
  readonly shown: string | undefined;
  readonly needs: (id: string) => boolean;
  readonly hasFinished: (id: string) => boolean;
  /** One for each session, whose tree is elsewhere, in place of one for each terminal. */
  readonly bySession: boolean;
}

export function tabsOf({ members, shown, needs, hasFinished, bySession }: TabParts): readonly Tab[] {
  const groups = new Map<string, Member[]>();
  for (const member of members) {
    const key = bySession ? member.session : member.id;
    groups.set(key, [...(groups.get(key) ?? []), member]);
  }
  return [...groups].flatMap(([key, all]): Tab[] => {
    const first = all.find(({ id }) => id === key) ?? all[0];
    if (first === undefined) return [];
    const mark = all.some(({ id }) => needs(id)) ? 'asks' : all.some(({ id }) => hasFinished(id)) ? 'done' : 'none';
    return [{ id: first.id, name: first.name, isShown: all.some(({ id }) => id === shown), mark }];
  });
}

interface Placed {
  readonly tab: Tab;
  readonly text: string;
  readonly at: number;
  readonly cells: number;
}

/** Row of as many tabs as have room, the shown one among them; `‹` and `›` stand for the others. No wider than the columns. */
export function tabRow(tabs: readonly Tab[], cols: number): string {
  const { placed, hasBefore, hasAfter, end, newAt } = placedTabs(tabs, cols);
  // Each at its own column: terminals differ about the width of some characters.
  const shown = placed.map(
    ({ tab, text, at }) => `${column(at)}${style(tab.isShown ? SHOWN : LOOKS[tab.mark])}${text}${RESET}`,
  );
  const after = newAt === undefined ? '' : `${column(newAt)}${style(LOOKS.none)}${NEW}${RESET}`;
  return `${hasBefore ? '‹' : ''}${shown.join('')}${end < cols ? `${column(end)}${hasAfter ? '›' : ''}` : ''}${after}`;
}

/** @param col of the terminal of the person @returns `new`: the place that starts something */
export function tabAt(tabs: readonly Tab[], cols: number, col: number): Tab | 'new' | undefined {
  const { placed, newAt } = placedTabs(tabs, cols);
  if (newAt !== undefined && newAt <= col && col < newAt + NEW.length) return 'new';
  return placed.find(({ at, cells }) => at <= col && col < at + cells)?.tab;
}

interface TabRow {
  readonly placed: readonly Placed[];
  readonly hasBefore: boolean;
  readonly hasAfter: boolean;
  readonly end: number;
  /** Column of the place that starts something; undefined if it has no room. */
  readonly newAt: number | undefined;
}

function placedTabs(tabs: readonly Tab[], allCols: number): TabRow {
  const hasNew = allCols >= MIN_COLS_WITH_NEW;
  const cols = hasNew ? allCols - NEW.length : allCols;
  const all = tabs.map((tab) => {
    const text = ` ${fitted(tab.name, Math.min(MAX_NAME_CELLS, Math.max(1, cols - 6)))}${MARKS[tab.mark]} `;
    return { tab, text, cells: textCells(text) };
  });
  const shown = Math.max(
    0,
    all.findIndex(({ tab }) => tab.isShown),
  );
  let first = shown;
  let last = shown;
  const widthOf = (from: number, to: number): number =>
    all.slice(from, to + 1).reduce((sum, { cells }) => sum + cells, 0) + (from > 0 ? 1 : 0) + 1;
  for (let grew = true; grew;) {
    grew = false;
    if (first > 0 && widthOf(first - 1, last) <= cols) [first, grew] = [first - 1, true];
    if (last < all.length - 1 && widthOf(first, last + 1) <= cols) [last, grew] = [last + 1, true];
  }
  let at = first > 0 ? 1 : 0;
  const placed: Placed[] = [];
  for (const one of all.slice(first, last + 1)) {
    if (at + one.cells > cols) break;
    placed.push({ ...one, at });
    at += one.cells;
  }
  const hasAfter = last < all.length - 1;
  return { placed, hasBefore: first > 0, hasAfter, end: at, newAt: hasNew ? at + (hasAfter ? 1 : 0) : undefined };
}
