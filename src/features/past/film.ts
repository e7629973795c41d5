/** What happened in a terminal in some time, in a few screens. */
import type { Place } from '../../history/find-place.js';
import { type Candidate, chooseFrames, type FilmReason, newTexts, StandingTimes } from '../../history/film-choice.js';
import type { Snapshot } from '../../vt/snapshot.js';
import type { Terminal } from '../../terminal/terminal.js';
import { placeOf } from './log-of.js';
import type { MomentFacts } from './past-reads.js';
import { momentOf, type PastState, pastStates, startOf } from './past-states.js';

export interface FilmRequest {
  readonly from: string | number | undefined;
  readonly to: string | number;
  readonly maxFrames: number;
}

export interface FilmFrame {
  readonly at: MomentFacts;
  readonly reason: FilmReason;
  readonly snapshot: Snapshot;
  /** Rows that the frame before does not have. */
  readonly texts: readonly string[];
}

export interface Film {
  readonly frames: readonly FilmFrame[];
  readonly leftOut: number;
}

/** A screen that stands this long was meant to be read. */
const REST_MS = 150;

/** Half of them are dropped beyond. */
const MAX_CANDIDATES = 400;

/** @throws T4aError moment_lost, moment_unknown, revision_unknown; the signal's reason */
export async function film(
  terminal: Terminal,
  { from, to, maxFrames }: FilmRequest,
  signal: AbortSignal,
): Promise<Film> {
  await terminal.settle();
  const range = { from: startOf(terminal, from), to: placeOf(terminal, to, 'to') };
  const times = new StandingTimes();
  let candidates: Candidate<Place>[] = [];
  let before: PastState | undefined;
  for await (const state of pastStates(terminal, range, signal)) {
    const reason = reasonOf(state);
    if (before !== undefined && reason !== undefined && clears(before, state)) {
      candidates.push({ ...before, reason: 'cleared' });
    }
    if (!state.isHeld) times.add(state.snapshot, state.ms ?? 0);
    if (reason !== undefined && candidates.at(-1)?.snapshot !== state.snapshot) candidates.push({ ...state, reason });
    if (candidates.length > MAX_CANDIDATES) candidates = candidates.filter((_, index) => index % 2 === 0);
    if (!state.isHeld) before = state;
  }
  if (before !== undefined) candidates.push({ ...before, reason: 'last' });
  const { frames, leftOut } = chooseFrames(candidates, times, maxFrames);
  return {
    frames: frames.map((frame, index) => ({
      at: momentOf(terminal, frame.place),
      reason: frame.reason,
      snapshot: frame.snapshot,
      texts: newTexts(times, frame, frames[index - 1]),
    })),
    leftOut,
  };
}

function reasonOf({ isHeld, hasInput, hasEvent, ms }: PastState): FilmReason | undefined {
  if (isHeld) return undefined;
  if (hasInput) return 'input';
  if (ms === undefined || ms >= REST_MS) return 'rest';
  return hasEvent ? 'event' : undefined;
}

/** Whether most of what was shown is gone, and not by scrolling. */
function clears(before: PastState, { snapshot }: PastState): boolean {
  if (before.snapshot === snapshot || before.snapshot.cols !== snapshot.cols) return before.snapshot !== snapshot;
  const rows = new Set(snapshot.lines);
  const kept = before.snapshot.lines.filter((row) => rows.has(row)).length;
  return kept * 2 < before.snapshot.lines.length;
}
