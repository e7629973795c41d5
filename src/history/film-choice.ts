/**
 * Which screens of a stretch of time show most of what happened. A text that stood for long weighs more than one that flew by;
 * each next frame is the one with most weight that no other shows. The last screen is always one.
 */
import { rowText } from '../vt/rows/row-text.js';
import type { Snapshot, SnapshotRow } from '../vt/snapshot.js';

export const FILM_REASONS = ['rest', 'input', 'event', 'cleared', 'last'] as const;

export type FilmReason = (typeof FILM_REASONS)[number];

export interface Candidate<Place = unknown> {
  readonly place: Place;
  readonly snapshot: Snapshot;
  readonly reason: FilmReason;
}

/** A text that was seen for less counts as much. */
const MIN_MS = 1;

/** The time for which each text stood. */
export class StandingTimes {
  readonly #ms = new Map<string, number>();
  readonly #texts = new WeakMap<SnapshotRow, string>();

  add({ lines }: Snapshot, ms: number): void {
    for (const text of new Set(lines.map((row) => this.#textOf(row)))) {
      if (text !== '') this.#ms.set(text, (this.#ms.get(text) ?? 0) + Math.max(MIN_MS, ms));
    }
  }

  weightOf(text: string): number {
    return this.#ms.get(text) ?? 0;
  }

  textsOf({ lines }: Snapshot): readonly string[] {
    return lines.map((row) => this.#textOf(row));
  }

  #textOf(row: SnapshotRow): string {
    let text = this.#texts.get(row);
    if (text === undefined) this.#texts.set(row, (text = rowText(row).trimEnd()));
    return text;
  }
}

export interface FilmChoice<Place> {
  /** Candidates in the order of time. */
  readonly frames: readonly Candidate<Place>[];
  /** Candidates that show something that no frame shows. */
  readonly leftOut: number;
}

/** @param candidates in the order of time; the last is the last screen */
export function chooseFrames<Place>(
  candidates: readonly Candidate<Place>[],
  times: StandingTimes,
  maxFrames: number,
): FilmChoice<Place> {
  const last = candidates.at(-1);
  if (last === undefined) return { frames: [], leftOut: 0 };
  const seen = new Set(times.textsOf(last.snapshot));
  const chosen = new Set([last]);
  const unseen = ({ snapshot }: Candidate): number => {
    let weight = 0;
    for (const text of new Set(times.textsOf(snapshot))) if (!seen.has(text)) weight += times.weightOf(text);
    return weight;
  };
  while (chosen.size < maxFrames) {
    let best: Candidate<Place> | undefined;
    let bestWeight = 0;
    for (const candidate of candidates) {
      const weight = chosen.has(candidate) ? 0 : unseen(candidate);
      if (weight > bestWeight) [best, bestWeight] = [candidate, weight];
    }
    if (best === undefined) break;
    chosen.add(best);
    for (const text of times.textsOf(best.snapshot)) seen.add(text);
  }
  const leftOut = candidates.filter((candidate) => !chosen.has(candidate) && unseen(candidate) > 0).length;
  return { frames: candidates.filter((candidate) => chosen.has(candidate)), leftOut };
}

/** Rows that the one shows and the other does not, by their text. */
export function newTexts(times: StandingTimes, { snapshot }: Candidate, before: Candidate | undefined): string[] {
  const old = new Set(before === undefined ? [] : times.textsOf(before.snapshot));
  return times.textsOf(snapshot).filter((text) => text !== '' && !old.has(text));
}
