/** The screens of a stretch of a terminal's past, one after another. */
import { TurnTaker } from '../../base/loop-turns.js';
import type { Place } from '../../history/find-place.js';
import type { LogChunk } from '../../history/log-chunk.js';
import { Replay } from '../../history/replay.js';
import { T4aError } from '../../protocol/errors.js';
import type { Snapshot } from '../../vt/snapshot.js';
import type { Terminal } from '../../terminal/terminal.js';
import { loggedOf, placeOf } from './log-of.js';
import { unpack } from './packer.js';
import { pastTurns } from './past-turns.js';
import type { MomentFacts } from './past-reads.js';

export interface PastState {
  readonly place: Place;
  /** The same object as before, if nothing changed. */
  readonly snapshot: Snapshot;
  /** Within a synchronized update. */
  readonly isHeld: boolean;
  /** What came after the screen and before the next output. */
  readonly hasInput: boolean;
  readonly hasEvent: boolean;
  /** Until the next output; undefined for the last. */
  readonly ms: number | undefined;
}

/** @returns the place of the moment; without one that of the last input, else the oldest that is kept */
export function startOf(terminal: Terminal, from: string | number | undefined): Place {
  if (from !== undefined) return placeOf(terminal, from, 'from');
  const { log } = loggedOf(terminal, 'from');
  const { chunks } = log;
  const last = chunks.findLastIndex(({ inputs }) => inputs > 0);
  if (last === -1) return oldestOf(terminal);
  if (chunks[last]?.isForgotten !== true) return placeOf(terminal, 'input', 'from');
  const kept = chunks.slice(last).find(({ isForgotten }) => !isForgotten);
  return kept === undefined ? oldestOf(terminal) : placeOf(terminal, kept.start.rev, 'from');
}

export function oldestOf(terminal: Terminal): Place {
  const { log } = loggedOf(terminal, 'from');
  return placeOf(terminal, log.chunks[0]?.start.rev ?? 0, 'from');
}

/** For replies. */
export function momentOf(terminal: Terminal, { rev, ms, seq }: Place): MomentFacts {
  return { rev, ts: ms, seq, ago_ms: Math.max(0, Math.round(loggedOf(terminal, 'at').now() - ms)) };
}

/** Within `from` and `to`, both included; the states of a change of size are those after it. @throws T4aError invalid_field; the signal's reason */
export async function* pastStates(
  terminal: Terminal,
  { from, to }: { readonly from: Place; readonly to: Place },
  signal: AbortSignal,
): AsyncGenerator<PastState, void, void> {
  const range = rangeOf(terminal, { from, to });
  const turn = new TurnTaker(pastTurns, signal);
  for (const chunk of range) {
    if (chunk.isForgotten) continue;
    await turn.next();
    const replay = new Replay(chunk, 0, unpack);
    try {
      for (const state of statesOf(chunk, replay, { from, to })) {
        yield state;
        if (turn.isOver) await turn.next();
      }
    } finally {
      replay.dispose();
    }
  }
}

/** From that of the one place to that of the other. @throws T4aError invalid_field */
export function rangeOf(
  terminal: Terminal,
  { from, to }: { readonly from: Place; readonly to: Place },
): readonly LogChunk[] {
  if (to.rev < from.rev) {
    throw new T4aError('invalid_field', `"to" is revision ${to.rev}: before "from", which is ${from.rev}.`, {
      field: 'to',
    });
  }
  const { chunks } = loggedOf(terminal, 'from').log;
  return chunks.slice(chunks.indexOf(from.chunk), chunks.indexOf(to.chunk) + 1);
}

interface Following {
  hasInput: boolean;
  hasEvent: boolean;
}

function* statesOf(
  chunk: LogChunk,
  replay: Replay,
  { from, to }: { readonly from: Place; readonly to: Place },
): Generator<PastState, void, void> {
  const { screen } = replay;
  const end = chunk === to.chunk ? to.end : Infinity;
  const begin = chunk === from.chunk ? from.end : 0;
  let place: Place = { chunk, end: 0, ...chunk.start };
  let { isHeld } = chunk.start;
  let following: Following = { hasInput: false, hasEvent: false };
  const state = (ms: number | undefined): PastState => ({
    place,
    snapshot: screen.snapshot(),
    isHeld,
    ...following,
    ms,
  });
  for (const entry of chunk.entries(unpack)) {
    if (entry.kind === 'event') place = { ...place, seq: entry.seq };
    if (entry.kind === 'input') following.hasInput = true;
    if (entry.kind === 'event' || entry.kind === 'marker') following.hasEvent = true;
    if (entry.kind !== 'output') continue;
    if (entry.end > end) break;
    if (place.end >= begin) yield state(entry.ms - place.ms);
    replay.step(entry);
    place = { chunk, end: entry.end, rev: screen.rev, ms: entry.ms, seq: place.seq };
    isHeld = entry.synchronized;
    following = { hasInput: false, hasEvent: false };
  }
  if (place.end >= begin) yield state(chunk === to.chunk ? undefined : Math.max(0, chunk.lastMs - place.ms));
}
