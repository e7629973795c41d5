/** The rail at the right: who waits for the person, the tree of the session, the scratchpads with a preview of one. Pure. */
import type { Member } from '../crew/members.js';
import { treeOf } from '../crew/tree.js';
import { column, OUTER, style } from '../mirror/outer-sequences.js';
import { fitted } from './cells.js';
import { ageOf, type Need, stateWord } from './needs.js';

export type RailTarget =
  | { readonly kind: 'go'; readonly id: string }
  | { readonly kind: 'scratchpad'; readonly name: string };

export interface RailRow {
  readonly text: string;
  readonly look: keyof typeof LOOKS;
  /** What a click goes to. */
  readonly target?: RailTarget;
}

export interface RailParts {
  readonly needs: readonly Need[];
  /** Those that live, and the one that is shown. */
  readonly members: readonly Member[];
  readonly shown: string | undefined;
  readonly hasFinished: (id: string) => boolean;
  readonly scratchpads: readonly string[];
  readonly preview: { readonly name: string; readonly lines: readonly string[] } | undefined;
  readonly rows: number;
  readonly nowMs: number;
}

const LOOKS = { head: '1', plain: '', needs: '1;33', shown: '7', done: '32', dim: '2' } as const;
const RESET = OUTER.resetStyle.on;

/** Of so many rows at least the tree has half. */
const MAX_SCRATCHPADS = 5;

/** One for each row at most. */
export function railRows(parts: RailParts): readonly RailRow[] {
  const { needs, members, scratchpads, rows } = parts;
  const waiting = needs.length === 0 ? [] : waitingRows(parts, Math.max(2, Math.floor(rows / 3)));
  const notes = scratchpads.length === 0 ? [] : scratchpadRows(parts, Math.floor((rows - waiting.length) / 2));
  const tree = members.length === 0 ? [] : treeRows(parts, rows - waiting.length - notes.length);
  return [...waiting, ...tree, ...notes].slice(0, rows);
}

/** @param at first column of the rail; it begins with its border */
export function railLine(row: RailRow | undefined, at: number, cols: number): string {
  const border = `${column(at)}${style('2')}│${RESET}`;
  if (row === undefined) return border;
  return `${border}${column(at + 1)}${style(LOOKS[row.look])} ${fitted(row.text, cols - 2)}${RESET}`;
}

function waitingRows({ needs, nowMs }: RailParts, room: number): RailRow[] {
  const head: RailRow = { text: needs.length === 1 ? 'Waits for you' : `Wait for you: ${needs.length}`, look: 'head' };
  const rows = needs.flatMap(({ member, since, text }): RailRow[] => {
    const target: RailTarget = { kind: 'go', id: member.id };
    const name = [`! ${member.name}`, ageOf(since, nowMs)].filter(Boolean).join('  ');
    return [
      { text: name, look: 'needs', target },
      ...(text === '' ? [] : [{ text: `  ${text}`, look: 'plain', target } as const]),
    ];
  });
  return [head, ...cut(rows, room - 1, 0)];
}

/** Of the session that is shown; without one, of all. */
function treeRows({ needs: waiting, members, shown, hasFinished }: RailParts, room: number): RailRow[] {
  const session = members.find(({ id }) => id === shown)?.session;
  const branches = treeOf(members.filter((one) => session === undefined || one.session === session));
  const rows = branches.map(({ member, stem }): RailRow => {
    const needs = waiting.some((one) => one.member.id === member.id);
    const isShown = member.id === shown;
    const isDone = hasFinished(member.id);
    const glyph = isShown ? '▶' : needs ? '!' : isDone ? '•' : member.terminal.alive ? '◉' : '○';
    return {
      text: [`${stem}${glyph} ${member.name}`, stateWord(member, needs)].filter(Boolean).join('  '),
      look: isShown ? 'shown' : needs ? 'needs' : isDone ? 'done' : member.terminal.alive ? 'plain' : 'dim',
      target: { kind: 'go', id: member.id },
    };
  });
  const at = branches.findIndex(({ member }) => member.id === shown);
  return [{ text: 'Session', look: 'head' }, ...cut(rows, room - 1, Math.max(0, at))];
}

function scratchpadRows({ scratchpads, preview }: RailParts, room: number): RailRow[] {
  const named = scratchpads.map((name): RailRow => ({
    text: `${name === preview?.name ? '▸' : ' '} ${name}`,
    look: 'plain',
    target: { kind: 'scratchpad', name },
  }));
  const at = scratchpads.findIndex((name) => name === preview?.name);
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

/** Rows around the place, and the number of those without room. */
function cut(rows: readonly RailRow[], room: number, at: number): readonly RailRow[] {
  if (rows.length <= room) return rows;
  const kept = Math.max(0, room - 1);
  const first = Math.max(0, Math.min(at - Math.floor(kept / 2), rows.length - kept));
  return [...rows.slice(first, first + kept), { text: `… ${rows.length - kept} more`, look: 'dim' }];
}
