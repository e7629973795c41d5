/** The rail at the right: who waits for the person, the tree of the session, the scratchpads with a preview of one. Pure. */
import type { Member } from '../../crew/members.js';
import { treeOf } from '../../crew/tree.js';
import { column, OUTER, style } from '../../mirror/outer-sequences.js';
import { fitted } from './cells.js';
import { ageOf, type Need, stateWord } from './needs.js';

export type RailTarget =
  | { readonly kind: 'go'; readonly id: string }
  | { readonly kind: 'scratchpad'; readonly name: string };

/** A row that arrows stop at. */
export interface RailPlace {
  readonly key: string;
  /** Name for the status line. */
  readonly name: string;
  readonly target: RailTarget;
}

export interface RailRow {
  readonly text: string;
  readonly look: keyof typeof LOOKS;
  /** Target of a click. */
  readonly target?: RailTarget;
  /** Key of its place. */
  readonly place?: string;
}

export interface RailParts {
  readonly needs: readonly Need[];
  /** Members that live, and the one that is shown. */
  readonly members: readonly Member[];
  readonly shown: string | undefined;
  readonly hasFinished: (id: string) => boolean;
  readonly scratchpads: readonly string[];
  readonly preview: { readonly name: string; readonly lines: readonly string[] } | undefined;
  readonly rows: number;
  readonly nowMs: number;
  /** Key of the place where the keyboard is. */
  readonly walk?: string | undefined;
}

const LOOKS = { head: '1', plain: '', needs: '1;33', shown: '7', done: '32', dim: '2', walk: '30;46' } as const;
const RESET = OUTER.resetStyle.on;

/** Most scratchpads. The tree has at least half of so many rows. */
const MAX_SCRATCHPADS = 5;

/** One for each row at most. */
export function railRows(parts: RailParts): readonly RailRow[] {
  const { needs, members, scratchpads, rows } = parts;
  const waiting = needs.length === 0 ? [] : waitingRows(parts, Math.max(2, Math.floor(rows / 3)));
  const notes = scratchpads.length === 0 ? [] : scratchpadRows(parts, Math.floor((rows - waiting.length) / 2));
  const tree = members.length === 0 ? [] : treeRows(parts, rows - waiting.length - notes.length);
  const all = [...waiting, ...tree, ...notes].slice(0, rows);
  return parts.walk === undefined ? all : all.map((row) => (row.place === parts.walk ? { ...row, look: 'walk' } : row));
}

/** Places of all rows, also of those without room, from the top. */
export function railPlaces(
  parts: Pick<RailParts, 'needs' | 'members' | 'shown' | 'scratchpads'>,
): readonly RailPlace[] {
  const { needs, scratchpads } = parts;
  return [
    ...needs.map(({ member: { id, name } }) => ({
      key: placeKey('waiting', id),
      name,
      target: { kind: 'go', id } as const,
    })),
    ...treeOf(ofSession(parts)).map(({ member: { id, name } }) => ({
      key: placeKey('tree', id),
      name,
      target: { kind: 'go', id } as const,
    })),
    ...scratchpads.map((name) => ({
      key: placeKey('scratchpad', name),
      name,
      target: { kind: 'scratchpad', name } as const,
    })),
  ];
}

export function placeKey(part: 'waiting' | 'tree' | 'scratchpad', name: string): string {
  return `${part} ${name}`;
}

/** Members of the session that is shown; without one, all. */
function ofSession({ members, shown }: Pick<RailParts, 'members' | 'shown'>): readonly Member[] {
  const session = members.find(({ id }) => id === shown)?.session;
  return members.filter((one) => session === undefined || one.session === session);
}

/** @param at first column of the rail; it begins with its border */
export function railLine(row: RailRow | undefined, at: number, cols: number): string {
  const border = `${column(at)}${style('2')}│${RESET}`;
  if (row === undefined) return border;
  return `${border}${column(at + 1)}${style(LOOKS[row.look])} ${fitted(row.text, cols - 2)}${RESET}`;
}

function waitingRows({ needs, nowMs, walk }: RailParts, room: number): RailRow[] {
  const head: RailRow = { text: needs.length === 1 ? 'Waits for you' : `Wait for you: ${needs.length}`, look: 'head' };
  const rows = needs.flatMap(({ member, since, text }): RailRow[] => {
    const target: RailTarget = { kind: 'go', id: member.id };
    const name = [`! ${member.name}`, ageOf(since, nowMs)].filter(Boolean).join('  ');
    return [
      { text: name, look: 'needs', target, place: placeKey('waiting', member.id) },
      ...(text === '' ? [] : [{ text: `  ${text}`, look: 'plain', target } as const]),
    ];
  });
  return [head, ...cut(rows, room - 1, placeIn(rows, walk, 0))];
}

function treeRows(parts: RailParts, room: number): RailRow[] {
  const { needs: waiting, shown, hasFinished, walk } = parts;
  const branches = treeOf(ofSession(parts));
  const rows = branches.map(({ member, stem }): RailRow => {
    const needs = waiting.some((one) => one.member.id === member.id);
    const isShown = member.id === shown;
    const isDone = hasFinished(member.id);
    // The rail has no room for a longer word, and says above what is asked.
    const word = needs && member.need !== 'error' ? 'asks' : stateWord(member, needs);
    const glyph = isShown ? '▶' : needs ? '!' : isDone ? '•' : member.terminal.alive ? '◉' : '○';
    return {
      text: [`${stem}${glyph} ${member.name}`, word].filter(Boolean).join('  '),
      look: isShown ? 'shown' : needs ? 'needs' : isDone ? 'done' : member.terminal.alive ? 'plain' : 'dim',
      target: { kind: 'go', id: member.id },
      place: placeKey('tree', member.id),
    };
  });
  const at = branches.findIndex(({ member }) => member.id === shown);
  return [{ text: 'Session', look: 'head' }, ...cut(rows, room - 1, placeIn(rows, walk, Math.max(0, at)))];
}

function scratchpadRows({ scratchpads, preview, walk }: RailParts, room: number): RailRow[] {
  const named = scratchpads.map((name): RailRow => ({
    text: `${name === preview?.name ? '▸' : ' '} ${name}`,
    look: 'plain',
    target: { kind: 'scratchpad', name },
    place: placeKey('scratchpad', name),
  }));
  const previewed = scratchpads.findIndex((name) => name === preview?.name);
  const at = placeIn(named, walk, previewed);
  const list = [{ text: 'Scratchpads', look: 'head' } as const, ...cut(named, Math.min(MAX_SCRATCHPADS, room - 1), at)];
  const lines = preview?.lines.slice(0, Math.max(0, room - list.length - 1)) ?? [];
  if (preview === undefined || lines.length === 0) return list;
  const target: RailTarget = { kind: 'scratchpad', name: preview.name };
  return [
    ...list,
    { text: `─ ${preview.name} ─`, look: 'dim', target },
    ...lines.map((text) => ({ text, look: 'dim', target }) as const),
  ];
}

/** Index of the row that has the keyboard, if it is in these rows. */
function placeIn(rows: readonly RailRow[], walk: string | undefined, otherwise: number): number {
  const at = walk === undefined ? -1 : rows.findIndex(({ place }) => place === walk);
  return at < 0 ? otherwise : at;
}

/** Rows around the place, and the number of those without room. */
function cut(rows: readonly RailRow[], room: number, at: number): readonly RailRow[] {
  if (rows.length <= room) return rows;
  const kept = Math.max(0, room - 1);
  const first = Math.max(0, Math.min(at - Math.floor(kept / 2), rows.length - kept));
  return [...rows.slice(first, first + kept), { text: `… ${rows.length - kept} more`, look: 'dim' }];
}
