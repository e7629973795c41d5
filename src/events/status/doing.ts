/**
 * What a program is doing, decided from signals with times. Pure: the order of the signals does not matter, and the same signals at
 * the same time give the same answer. Signals come in ranks, and the first rank that has one decides:
 *
 *  rank | signal
 *  -----|---------------------------------------------------------------------------------------------
 *  0    | the process has ended
 *  1    | the kernel: it has read a password or a line for a second, and is no shell
 *  2    | the program says so (OSC 7501)
 *  3    | its hooks say so (`report`)
 *  4    | rules read it off the screen
 *  5    | progress (OSC 9;4)
 *  6    | marks of the shell
 *  7    | output of the last two seconds, or a program that would take a key: a guess
 *
 * Between 2 and 4 a question that is newer by half a second wins: a program that says "working" may have asked since. A question that
 * hooks report (3) counts no more once rules have seen one leave the screen after it. A question on the screen counts once it has stood
 * for two looks, one in the place of another at once: in between the program waited for no next task.
 */
import type { DOING_KINDS, DOING_SOURCES, DoingState, Need } from '../../protocol/doing.js';

export type { DoingState };
export type DoingKind = (typeof DOING_KINDS)[number];
export type DoingSource = (typeof DOING_SOURCES)[number];

/** Times are wall times in milliseconds. */
export interface Signal {
  readonly source: DoingSource;
  readonly is: Exclude<DoingState, 'unknown'>;
  readonly kind: DoingKind | null;
  /** The first sign; null if unknown. */
  readonly since: number | null;
  /** The last sign. */
  readonly at: number;
  /** Time of its end. */
  readonly ended?: number;
  readonly by: { readonly pid: number; readonly process: string | null } | null;
  readonly says: string;
  /** False: anything could have printed it. */
  readonly isProven: boolean;
  /** Why it counts for nothing. */
  readonly stale?: string;
}

export interface JudgedSignal {
  readonly signal: Signal;
  readonly counts: boolean;
  readonly why: string;
}

export interface Doing {
  readonly is: DoingState;
  readonly kind: DoingKind | null;
  readonly since: number | null;
  readonly source: DoingSource | null;
  readonly sure: boolean;
  readonly needs_you: Need | null;
  readonly evidence: string | null;
  readonly differs: { source: DoingSource; is: DoingState; kind: DoingKind | null }[];
}

export interface Decision {
  readonly doing: Doing;
  /** The one that decides first, then by rank. */
  readonly signals: readonly JudgedSignal[];
  /** When the same signals may give another answer; undefined: never. */
  readonly changesAt: number | undefined;
}

const READ_MS = 1000;
const LOOKS_MS = 150;
const LEAVING_MS = 400;
const OUTPUT_MS = 2000;
const NEWER_MS = 500;
const MAX_DIFFERS = 8;

/** Order of urgency: of several records of a program the first of these speaks. */
const URGENCY: readonly DoingState[] = ['exited', 'waiting', 'error', 'done', 'working', 'idle', 'unknown'];

/** @param asks open questions about the terminal */
export function decide(given: readonly Signal[], nowMs: number, asks = 0): Decision {
  const ordered = given.toSorted(compare);
  const answeredAt = Math.max(...ordered.map(answeredBy));
  const countsFrom = questionsCountFrom(ordered);
  const weighed = ordered.map((signal) => ({
    signal,
    ...weigh(signal, nowMs, { answeredAt, countsFromMs: countsFrom.get(signal) }),
  }));
  const counting = weighed.filter(({ lacks }) => lacks === undefined).map(({ signal }) => signal);
  const winner = winnerOf(counting);
  const changes = weighed.flatMap(({ changesAt = 0 }) => (changesAt > nowMs ? [changesAt] : []));
  const judged = weighed.map(({ signal, lacks }) => ({
    signal,
    counts: lacks === undefined && (!isGuess(signal) || signal === winner),
    why: lacks ?? relation(signal, winner),
  }));
  return {
    doing: doingOf(winner, counting, asks),
    signals: [...judged.filter(({ signal }) => signal === winner), ...judged.filter(({ signal }) => signal !== winner)],
    changesAt: changes.length === 0 ? undefined : Math.min(...changes),
  };
}

function winnerOf(counting: readonly Signal[]): Signal | undefined {
  const [first] = counting;
  if (first === undefined || first.is === 'waiting' || !isReading(first)) return first;
  const asked = counting.find(
    (signal) => isReading(signal) && signal.is === 'waiting' && (signal.since ?? 0) > (first.since ?? 0) + NEWER_MS,
  );
  return asked ?? first;
}

function doingOf(winner: Signal | undefined, counting: readonly Signal[], asks: number): Doing {
  const needs = needOf(winner, asks);
  if (winner === undefined) {
    const nothing = { is: 'unknown', kind: null, since: null, source: null, sure: false, evidence: null } as const;
    return { ...nothing, needs_you: needs, differs: [] };
  }
  const { is, kind, since, source, by, says } = winner;
  // A command that would take a key, such as an editor, may do nothing although the shell waits for its end.
  const isDoubtful =
    source === 'shell' && is === 'working' && counting.some((one) => isGuess(one) && one.is === 'idle');
  const who = by === null ? '' : `, by ${by.process ?? 'process'} ${by.pid}`;
  return {
    is,
    kind,
    since,
    source,
    sure: winner.isProven && !isGuess(winner) && !isDoubtful,
    needs_you: needs,
    evidence: `${says}${who}`,
    differs: counting
      .filter((signal) => !isGuess(signal) && !agrees(signal, winner))
      .slice(0, MAX_DIFFERS)
      .map((signal) => ({ source: signal.source, is: signal.is, kind: signal.kind })),
  };
}

function needOf(winner: Signal | undefined, asks: number): Need | null {
  if (winner?.is === 'waiting') return winner.kind ?? 'unknown';
  if (asks > 0) return 'ask';
  return winner?.is === 'error' ? 'error' : null;
}

interface Weight {
  /** Why it does not count. */
  readonly lacks?: string;
  readonly changesAt?: number;
}

/** A question that rules have read is not on the screen any more since then. */
function answeredBy({ source, is, ended }: Signal): number {
  return source === 'rules' && is === 'waiting' ? (ended ?? Number.NEGATIVE_INFINITY) : Number.NEGATIVE_INFINITY;
}

/** Times from which questions that rules have read count, in the order in which they came. */
function questionsCountFrom(signals: readonly Signal[]): ReadonlyMap<Signal, number> {
  const questions = signals.filter(({ source, is }) => source === 'rules' && is === 'waiting');
  const countsFrom = new Map<Signal, number>();
  let waited = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };
  for (const signal of questions.toSorted((a, b) => beganAt(a) - beganAt(b))) {
    const began = beganAt(signal);
    const follows = began <= waited.until + LOOKS_MS;
    const from = Math.min(began + LOOKS_MS, follows ? Math.max(began, waited.from) : Number.POSITIVE_INFINITY);
    countsFrom.set(signal, from);
    const until = signal.ended ?? Number.POSITIVE_INFINITY;
    if (until < from) continue;
    waited = follows ? { ...waited, until: Math.max(waited.until, until) } : { from, until };
  }
  return countsFrom;
}

function beganAt({ since, at }: Signal): number {
  return since ?? at;
}

interface Weighing {
  readonly answeredAt: number;
  /** Time from which a question that rules have read counts. */
  readonly countsFromMs: number | undefined;
}

function weigh(signal: Signal, nowMs: number, { answeredAt, countsFromMs }: Weighing): Weight {
  const { source, is, since, at, ended, stale } = signal;
  if (stale !== undefined) return { lacks: stale };
  // No hook is called at the answer, nor at a refusal.
  if (source === 'report' && is === 'waiting' && at < answeredAt) return { lacks: 'its question has left the screen' };
  if (ended !== undefined) {
    const changesAt = ended + LEAVING_MS;
    return is === 'working' && nowMs < changesAt ? { changesAt } : { lacks: 'has ended' };
  }
  if (source === 'kernel' && is === 'waiting')
    return once((since ?? at) + READ_MS, nowMs, 'reads for less than a second');
  if (source === 'kernel' && is === 'idle') return once(at + OUTPUT_MS, nowMs, 'has printed within two seconds');
  if (source === 'kernel' && is === 'working') {
    return nowMs < at + OUTPUT_MS ? { changesAt: at + OUTPUT_MS } : { lacks: 'has printed nothing for two seconds' };
  }
  if (countsFromMs !== undefined) return once(countsFromMs, nowMs, 'is on the screen for too short');
  return {};
}

function once(fromMs: number, nowMs: number, lacks: string): Weight {
  return nowMs >= fromMs ? {} : { lacks, changesAt: fromMs };
}

function relation(signal: Signal, winner: Signal | undefined): string {
  if (signal === winner) return 'decides';
  if (isGuess(signal)) return 'guesses';
  return winner !== undefined && agrees(signal, winner) ? 'agrees' : 'differs';
}

function agrees(a: Signal, b: Signal): boolean {
  return a.is === b.is && (a.kind === b.kind || a.kind === null || b.kind === null);
}

function isReading({ source }: Signal): boolean {
  return source === '7501' || source === 'report' || source === 'rules';
}

export function isGuess(signal: Signal): boolean {
  return rankOf(signal) === GUESS;
}

const GUESS = 7;
const RANKS = { '7501': 2, report: 3, rules: 4, progress: 5, shell: 6 } as const;

function rankOf({ source, is }: Signal): number {
  if (source !== 'kernel') return RANKS[source];
  if (is === 'exited') return 0;
  return is === 'waiting' ? 1 : GUESS;
}

/** A total order, so that the answer does not depend on the order in which the signals were collected. */
function compare(a: Signal, b: Signal): number {
  return (
    rankOf(a) - rankOf(b) ||
    (rankOf(a) === GUESS ? guessOrder(a) - guessOrder(b) : URGENCY.indexOf(a.is) - URGENCY.indexOf(b.is)) ||
    b.at - a.at ||
    compareText(a, b)
  );
}

/** A program that prints works, whatever it would read. */
function guessOrder({ is }: Signal): number {
  return is === 'working' ? 0 : 1;
}

function compareText(a: Signal, b: Signal): number {
  const [textA, textB] = [JSON.stringify(a), JSON.stringify(b)];
  return textA < textB ? -1 : Number(textA > textB);
}
