/** Where the output of a command is, by what the rows of the screen have gone through since it began. Pure. */
import { FIRST_ALTERNATE, type RowChange, type RowShift } from '../../vt/snapshot.js';

/**
 * Lines from `first` up to, not including, `end`, which is not known while the command runs. Of the last one the columns from
 * `endCol` on are not of the output, if it did not end its last line.
 */
export interface OutputPlace {
  /** Undefined while nothing is written since all was erased. */
  readonly first: number | undefined;
  readonly end: number | undefined;
  readonly endCol?: number;
  /** What stands in the line `first` before the output, unless that has overwritten it. */
  readonly lead?: string;
  /** On the alternate screen; gone once that screen is left. */
  readonly alternate?: true;
  /** The command has switched to that screen itself. */
  readonly opened?: true;
  /** Lines that were written, and are not between `first` and `end` any more. */
  readonly lost?: number;
}

interface Span {
  readonly first: number;
  readonly last: number;
}

/** Spans that touch nothing of the output, and may do so later. */
const MOST_SPANS = 64;

export interface FrozenRunningPlace {
  readonly place: OutputPlace | undefined;
  readonly elsewhere: OutputPlace | undefined;
  readonly spans: readonly Span[];
}

/** Of a command that runs: its place on each screen, and what it has written above. */
export class RunningPlace {
  place: OutputPlace | undefined;
  /** On the screen that is not shown. */
  #elsewhere: OutputPlace | undefined;
  #spans: Span[] = [];

  constructor(place: OutputPlace | undefined) {
    this.place = place;
  }

  freeze(): FrozenRunningPlace {
    return { place: this.place, elsewhere: this.#elsewhere, spans: this.#spans };
  }

  static thaw({ place, elsewhere, spans }: FrozenRunningPlace): RunningPlace {
    const running = new RunningPlace(place);
    running.#elsewhere = elsewhere;
    running.#spans = [...spans];
    return running;
  }

  apply(change: RowChange): void {
    const { place } = this;
    if (change.change === 'screen') return this.#turnTo(change);
    if (change.change === 'reset') {
      this.#elsewhere = undefined;
      this.#spans = [];
      const { first } = place ?? {};
      const lost = first === undefined ? 0 : Math.max(0, change.left - first);
      this.place = place && withLost({ first: undefined, end: undefined }, (place.lost ?? 0) + lost);
    } else if (place === undefined) return;
    else if (change.change === 'written') this.#add(place, change);
    else if (change.change === 'erased') {
      this.#spans = this.#spans.filter(({ first }) => first < change.from);
      const { first, lost = 0 } = place;
      if (first === undefined) return;
      const all = lost + Math.max(0, (change.left ?? 0) - Math.max(first, change.from));
      this.place = withLost(first >= change.from ? { ...withoutLead(place), first: undefined } : place, all);
    } else {
      this.place = shifted(place, change);
      this.#spans = this.#spans.map(({ first, last }) => ({
        first: shiftedLine(first, change),
        last: shiftedLine(last, change),
      }));
    }
  }

  /** Undefined: it is not known where the output begins. */
  ended(line: number, col: number): OutputPlace | undefined {
    const { place } = this;
    if (place === undefined || line >= FIRST_ALTERNATE !== (place.alternate === true)) return undefined;
    const end = col > 0 ? line + 1 : line;
    const { first = end } = place;
    const last = first > end ? this.#spans.findLast((span) => span.first <= line && span.last >= line - 1) : undefined;
    if (first > end && last === undefined) return undefined;
    const begun = last === undefined ? place : withoutLead(place);
    return { ...begun, first: last?.first ?? first, end, ...(col > 0 ? { endCol: col } : {}) };
  }

  get elsewhere(): OutputPlace | undefined {
    return this.#elsewhere;
  }

  /** Lines have other numbers. */
  renumbered(place: OutputPlace | undefined, elsewhere: OutputPlace | undefined): void {
    this.place = place;
    this.#elsewhere = elsewhere;
    this.#spans = [];
  }

  #add(place: OutputPlace, { first, last }: Span): void {
    if (place.first === undefined || (last >= place.first - 1 && first < place.first)) {
      let top = first;
      for (const span of this.#spans) if (span.last >= top - 1 && span.first < top) top = span.first;
      this.place = { ...withoutLead(place), first: top };
    } else if (first < place.first) {
      const touching = this.#spans.filter((span) => span.first <= last + 1 && span.last >= first - 1);
      const whole = {
        first: Math.min(first, ...touching.map((span) => span.first)),
        last: Math.max(last, ...touching.map((span) => span.last)),
      };
      this.#spans = [...this.#spans.filter((span) => !touching.includes(span)), whole].slice(-MOST_SPANS);
    }
  }

  #turnTo({ alternate, left }: Extract<RowChange, { change: 'screen' }>): void {
    const { place } = this;
    this.#spans = [];
    if (alternate === (place?.alternate === true)) return;
    const before = this.#elsewhere;
    this.#elsewhere = place;
    const written = place?.first === undefined ? 0 : Math.max(0, left - place.first);
    if (!alternate) {
      // On a screen that a program has left behind; one of the command's own is not its output.
      const lost = place?.opened === true ? 0 : written + (place?.lost ?? 0);
      const rest = before ?? { first: undefined, end: undefined };
      this.place = lost === 0 ? rest : { ...rest, lost: (rest.lost ?? 0) + lost };
    } else {
      const lost = written + (place?.lost ?? 0);
      this.place = { first: undefined, end: undefined, alternate: true, opened: true, ...(lost > 0 ? { lost } : {}) };
    }
  }
}

/** @param line where the output began, if known @param changes of the rows since then @param lead what stood there before it */
export function placeAfter(line: number | undefined, changes: readonly RowChange[], lead = ''): RunningPlace {
  // What has begun before another screen was shown is unknown, and that of that screen is not.
  const shown =
    line === undefined ? changes.findLastIndex(({ change }) => change === 'reset' || change === 'screen') : -1;
  const change = changes[shown];
  const isAlternate = change?.change === 'screen' ? change.alternate : (line ?? 0) >= FIRST_ALTERNATE;
  const begun = {
    first: line,
    end: undefined,
    ...(isAlternate ? ({ alternate: true } as const) : {}),
    ...(lead === '' || line === undefined ? {} : { lead }),
  };
  const running = new RunningPlace(line === undefined && change === undefined ? undefined : begun);
  for (const each of changes.slice(shown + 1)) running.apply(each);
  return running;
}

/** Of a command that has ended: what is erased or shifted away now is no longer its output. */
export function afterEnd(place: OutputPlace, change: RowChange): OutputPlace {
  const { first, end } = place;
  if (first === undefined || end === undefined) return place;
  if (change.change === 'shifted') return shifted(place, change);
  if (change.change !== 'erased' || end <= change.from) return place;
  const { endCol: _, ...rest } = change.from <= first ? withoutLead(place) : place;
  const from = Math.max(first, change.from);
  return { ...rest, first: Math.min(first, from), end: from, lost: (place.lost ?? 0) + end - from };
}

function shifted(place: OutputPlace, shift: RowShift): OutputPlace {
  const { first, end } = place;
  const { top, bottom, count, blank } = shift;
  if (first === undefined) return place;
  const begun = Math.max(first, top);
  const gone = first <= bottom && end !== first ? Math.min(top + count, end ?? Number.POSITIVE_INFINITY) : begun;
  // Nothing is lost with rows that had no text.
  const above = Math.max(0, gone - Math.max(begun, top + blank));
  const last = Math.min(bottom + 1 - blank, end ?? Number.POSITIVE_INFINITY);
  const lost = count > 0 ? above : Math.max(0, last - Math.max(first, bottom + 1 + count));
  const next = {
    ...(gone > begun && begun === first ? withoutLead(place) : place),
    first: shiftedLine(first, shift),
    end: end === undefined ? undefined : Math.max(shiftedLine(first, shift), shiftedLine(end - 1, shift, top - 1) + 1),
  };
  return withLost(next, (place.lost ?? 0) + lost);
}

function withLost(place: OutputPlace, lost: number): OutputPlace {
  return lost > 0 ? { ...place, lost } : place;
}

function withoutLead(place: OutputPlace): OutputPlace {
  const { lead: _, ...rest } = place;
  return rest;
}

/** @param least where a line that has left the rows upwards goes */
function shiftedLine(line: number, { top, bottom, count }: RowShift, least = top): number {
  return line < top || line > bottom ? line : Math.min(Math.max(line - count, least), bottom);
}
