/** The bottom row of an attached terminal. Pure. */
import type { Mirror } from '../mirror/mirror.js';
import { column, OUTER, style } from '../mirror/outer-sequences.js';
import { doingWord } from '../mirror/doing-word.js';
import { safeText } from '../mirror/safe-text.js';
import { oneLine, type OpenAsk } from './ask-card.js';

export interface StatusLine {
  readonly left: string;
  /** Shown if there is room. */
  readonly right: string;
  /** Shorter right side, where the other would leave the left side less than a third. */
  readonly shortRight?: string;
  readonly look: keyof typeof LOOKS;
}

const LOOKS = { plain: '7', held: '0;30;46', message: '0;30;43', ended: '0;30;42', failed: '0;97;41' } as const;

/** Autowrap is off: what the left side has too many cells of is cut by the terminal, or covered by the right side. */
export function statusLine({ left, right: long, shortRight = long, look }: StatusLine, cols: number): string {
  const right = long.length * 3 <= cols * 2 ? long : shortRight;
  const shownRight = right.length + 2 <= cols ? safeText(right) : '';
  const space = cols - (shownRight === '' ? 0 : shownRight.length + 1);
  const characters = Array.from(safeText(left));
  const shownLeft = characters.length <= space ? characters.join('') : `${characters.slice(0, space - 1).join('')}…`;
  const place = shownRight === '' ? '' : `${column(cols - shownRight.length)}${shownRight}`;
  return `${style(LOOKS[look])}${' '.repeat(cols)}\r${shownLeft}${place}${OUTER.resetStyle.on}`;
}

export interface StatusFacts {
  /** The address, if there are other hosts. */
  readonly id: string;
  /** Bar in the place of the address and the title. */
  readonly bar?: string | undefined;
  readonly mirror: Mirror;
  /** Milliseconds for which the person has had control; undefined if they do not. */
  readonly heldMs: number | undefined;
  /** Open questions about the terminal. */
  readonly asks: readonly OpenAsk[];
  /** Number of those about other terminals, and about none. */
  readonly elsewhere: number;
  readonly isFitted: boolean;
  readonly isReadOnly: boolean;
  /** Part of the screen that is seen; less than all of it where the person's terminal is smaller. */
  readonly seen: SeenPart;
}

/** 0-based. */
export interface SeenPart {
  readonly left: number;
  readonly top: number;
  readonly cols: number;
  readonly rows: number;
}

export interface StatusParts extends StatusFacts {
  readonly panel: StatusLine | undefined;
  readonly message: string | undefined;
  readonly isLeaderPending: boolean;
  readonly end: ShownEnd | undefined;
}

export function statusOf({ panel, message, isLeaderPending, end, ...facts }: StatusParts): StatusLine {
  if (panel !== undefined) return panel;
  if (message !== undefined) return { left: ` ${message}`, right: '', look: 'message' };
  if (isLeaderPending) return { left: ' Ctrl+B', right: '? help ', look: 'message' };
  return end === undefined ? factsLine(facts) : endedLine(facts.id, end);
}

function factsLine(facts: StatusFacts): StatusLine {
  const { id, mirror, heldMs, asks, isFitted, isReadOnly } = facts;
  const isMine = heldMs !== undefined;
  const { state } = mirror;
  const [ask] = asks;
  if (ask !== undefined) return askLine(ask, facts);
  const time = new Date().toTimeString().slice(0, 5);
  const holder = holderPart(facts);
  const size = `${state.cols}x${mirror.rows.length}${isFitted ? ' fitted' : ''}`;
  const rightOf = (shownSize: string): string => {
    const parts = [
      elsewherePart(facts),
      doingWord(state.doing),
      holder,
      isMine && state.control?.requests.length ? `${state.control.requests[0]} waits` : '',
      state.watchers > 1 ? `${state.watchers} watch` : '',
      shownSize,
      isReadOnly ? 'read only' : '',
      time,
      '^B ?',
    ].filter((part) => part !== '');
    return `${parts.join(' │ ')} `;
  };
  // Without the part, if it leaves no room for the name.
  const long = rightOf(`${partOf(facts)}${size}`);
  return {
    left: facts.bar ?? ` ${id}  ${state.title}`,
    right: long.length * 3 <= facts.seen.cols * 2 ? long : rightOf(size),
    shortRight: [elsewherePart(facts), holder, '^B ? '].filter((part) => part !== '').join(' │ '),
    look: isMine ? 'held' : 'plain',
  };
}

/** Count of questions elsewhere, without their words: those are on the card. */
function elsewherePart({ elsewhere, isReadOnly }: StatusFacts): string {
  if (elsewhere === 0) return '';
  return `${elsewhere} ${elsewhere === 1 ? 'question' : 'questions'} elsewhere${isReadOnly ? '' : ', ^B a'}`;
}

/** The part that is seen, as ranges of columns and rows; empty if that is all. */
function partOf({ mirror, seen }: StatusFacts): string {
  const { cols } = mirror.state;
  const rows = mirror.rows.length;
  const isWide = cols > seen.cols;
  const isHigh = rows > seen.rows;
  const across = isWide ? `columns ${seen.left + 1}-${Math.min(cols, seen.left + seen.cols)}` : '';
  const down = isHigh ? `rows ${seen.top + 1}-${Math.min(rows, seen.top + seen.rows)}` : '';
  const parts = [across, down].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join(', ')} of `;
}

function askLine(
  { ask, as, kind, question }: OpenAsk,
  { id, asks, elsewhere, heldMs, isReadOnly }: StatusFacts,
): StatusLine {
  const more = asks.length > 1 ? ` (and ${asks.length - 1} more)` : '';
  const isAccepted = kind === 'hand' && heldMs !== undefined;
  const keys = isAccepted ? '^B g give back' : `^B a ${kind === 'hand' ? 'take' : 'answer'} │ ^B x decline`;
  return {
    left: ` ${id}  ${as} asks #${ask}${more}: ${oneLine(question)}`,
    right: `${elsewhere === 0 ? '' : `${elsewhere} elsewhere │ `}${isReadOnly ? '' : `${keys} │ `}^B ? `,
    shortRight: isReadOnly ? '' : `^B ${isAccepted ? 'g' : 'a'} `,
    look: isAccepted ? 'held' : 'message',
  };
}

/** Holder of the keyboard. */
export function holderPart({ mirror, heldMs }: Pick<StatusFacts, 'mirror' | 'heldMs'>): string {
  const { control } = mirror.state;
  if (control === undefined || control === null) return '';
  if (heldMs === undefined) return `${control.as} typing`;
  const seconds = Math.floor(heldMs / 1000);
  return `● you hold ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

export interface ShownEnd {
  readonly exit_code: number | null;
  readonly signal: string | null;
}

function endedLine(id: string, { exit_code: code, signal }: ShownEnd): StatusLine {
  return {
    left: ` ${id} has ended: ${signal ?? `exit code ${code}`}`,
    right: 'q: close │ ^B ? ',
    look: code === 0 ? 'ended' : 'failed',
  };
}
