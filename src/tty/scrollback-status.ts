/** The status line of the scrollback: where the person is, what is found, what is selected. Pure. */
import type { Size } from '../mirror/fit.js';
import type { ScrollbackSearch, SteppedMatch } from './scrollback-search.js';
import { ordered, type Selection } from './selection.js';
import type { StatusLine } from './status-line.js';

export interface ScrollbackFacts {
  /** The words of a search that is being typed, after their key. */
  readonly typed: string | undefined;
  readonly question: string | undefined;
  /** Until the next key. */
  readonly notice: string;
  /** Rows from the first that is seen to the screen; negative within the screen. */
  readonly above: number;
  readonly left: number;
  readonly window: Size;
  readonly screen: Size;
  readonly search: ScrollbackSearch | undefined;
  readonly found: SteppedMatch | undefined;
  readonly selection: Selection | undefined;
}

export function scrollbackStatus(facts: ScrollbackFacts): StatusLine {
  const { typed, question, notice, selection } = facts;
  if (typed !== undefined) return { left: ` ${typed}`, right: 'Enter: search │ Esc: cancel ', look: 'message' };
  if (question !== undefined) return { left: ` ${question}`, right: 'Esc: cancel ', look: 'message' };
  if (notice !== '') return { left: ` ${notice}`, right: 'q: leave ', look: 'message' };
  if (selection !== undefined) return selectionStatus(selection);
  const { cols } = facts.screen;
  const isWide = cols > facts.window.cols;
  const moves = isWide ? '← → ↑ ↓' : '↑ ↓ PgUp PgDn g G';
  const keys = facts.found === undefined ? `${moves} │ / ?` : '/ ? n N';
  const seen = `columns ${facts.left + 1}-${Math.min(cols, facts.left + facts.window.cols)} of ${cols}`;
  return {
    left: ` Scrollback: ${placeOf(facts)}${isWide ? `, ${seen}` : ''}${foundPart(facts)}`,
    right: `${keys} │ v │ q: leave `,
    shortRight: 'q: leave ',
    look: 'message',
  };
}

function placeOf({ above, screen }: ScrollbackFacts): string {
  if (above > 0) return `${above} ${above === 1 ? 'row' : 'rows'} above the screen`;
  return above === 0 ? 'at the screen' : `row ${1 - above} of ${screen.rows}`;
}

function foundPart({ search, found }: ScrollbackFacts): string {
  if (search === undefined || found === undefined) return '';
  const { count, isCut, words } = search;
  const wraps = found.wraps ? ', wrapped' : '';
  // The words come last: they may be long.
  return ` │ ${found.number} of ${isCut ? 'the last ' : ''}${count}${wraps}: ${words}`;
}

function selectionStatus(selection: Selection): StatusLine {
  const { from, to } = ordered(selection);
  const rows = to.line - from.line + 1;
  const size = rows > 1 ? `${rows} rows` : `${to.col - from.col + 1} ${to.col === from.col ? 'column' : 'columns'}`;
  return {
    left: ` Selected: ${size}`,
    right: 'y: copy │ v: begin here │ Esc ',
    shortRight: 'y: copy ',
    look: 'message',
  };
}
