/** The top row: a tab for each terminal. Pure. */
import { column, OUTER, style } from '../mirror/outer-sequences.js';
import { safeText } from '../mirror/safe-text.js';

export interface Tab {
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

/** As many as have room, the shown one among them; `‹` and `›` stand for the others. No wider than the columns. */
export function tabRow(tabs: readonly Tab[], cols: number): string {
  const placed = tabs.map((tab) => {
    const text = ` ${shortened(tab.name, Math.min(MAX_NAME_CELLS, Math.max(1, cols - 6)))}${MARKS[tab.mark]} `;
    return { tab, text, cells: cellsOf(text) };
  });
  const shown = Math.max(
    0,
    placed.findIndex(({ tab }) => tab.isShown),
  );
  let first = shown;
  let last = shown;
  const widthOf = (from: number, to: number): number =>
    placed.slice(from, to + 1).reduce((sum, { cells }) => sum + cells, 0) + (from > 0 ? 1 : 0) + 1;
  for (let grew = true; grew;) {
    grew = false;
    if (first > 0 && widthOf(first - 1, last) <= cols) [first, grew] = [first - 1, true];
    if (last < placed.length - 1 && widthOf(first, last + 1) <= cols) [last, grew] = [last + 1, true];
  }
  let at = first > 0 ? 1 : 0;
  let row = first > 0 ? '‹' : '';
  for (const { tab, text, cells } of placed.slice(first, last + 1)) {
    if (at + cells > cols) break;
    // Each at its own column: terminals differ about the width of some characters.
    row += `${column(at)}${style(tab.isShown ? SHOWN : LOOKS[tab.mark])}${text}${RESET}`;
    at += cells;
  }
  if (at < cols) row += `${column(at)}${last < placed.length - 1 ? '›' : ''}`;
  return row;
}

/** From here on characters may be two cells wide. */
const FIRST_WIDE = 0x1100;

function cellsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + cellsOfOne(character), 0);
}

function cellsOfOne(character: string): number {
  return character === '•' || character === '…' || (character.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2;
}

function shortened(name: string, cells: number): string {
  const safe = safeText(name);
  if (cellsOf(safe) <= cells) return safe;
  let kept = '';
  let width = 1;
  for (const character of safe) {
    width += cellsOfOne(character);
    if (width > cells) break;
    kept += character;
  }
  return `${kept}…`;
}
