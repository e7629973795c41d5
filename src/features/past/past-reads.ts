/** Reads of a terminal as it was. */
import { PartKey, Parts } from '../../base/parts.js';
import { SizeQueue } from '../../base/size-queue.js';
import { TurnTaker } from '../../base/loop-turns.js';
import type { LogChunk } from '../../history/log-chunk.js';
import type { Place } from '../../history/find-place.js';
import { Replay } from '../../history/replay.js';
import { OneAtATime } from '../../rpc/one-at-a-time.js';
import type { ClientCall } from '../../rpc/service.js';
import { T4aError } from '../../protocol/errors.js';
import type { ReadableTerminal } from '../../terminal/readable-terminal.js';
import type { Terminal } from '../../terminal/terminal.js';
import { loggedOf, placeOf, revisionAt, setLog } from './log-of.js';
import { unpack } from './packer.js';
import { pastTurns } from './past-turns.js';
import type { Rebuilt } from './past-screens.js';

export interface PastRequest {
  readonly at: string | number;
  /** Lines above the viewport that are wanted. */
  readonly above: number;
  /** The reader compares with the screen of this moment. */
  readonly since?: string | number | undefined;
  /** The reader goes on reading after its call. */
  readonly lasting?: boolean;
}

/** Of a moment, for replies. */
export interface MomentFacts {
  readonly rev: number;
  readonly ts: number;
  readonly seq: number;
  readonly ago_ms: number;
}

export interface PastReading<T> {
  readonly value: T;
  readonly at: MomentFacts;
  /** Lines that were above the viewport and were not rebuilt; 0 if none were wanted. */
  readonly lostLines: number;
}

/** Lines above the viewport, at most. */
const MAX_ABOVE = 1000;

/** That are replayed for lines above the viewport, or for a comparison. */
const MAX_CHUNKS = 8;

/** Of so many cells, a screen of the past is begun, and then read, in steps of their own: at the largest size some 35 ms each. */
const LARGE_CELLS = 100_000;

/** What pictures of the past share their parts under. */
const PICTURES = new PartKey(() => new Parts());

/** Screens of the past, each with a scrollback of megabytes, that are made at once for all clients. */
const MOST_AT_ONCE = 4;

const places = new SizeQueue(() => MOST_AT_ONCE);
const ofConnections = new OneAtATime();

/**
 * Reads of a connection take turns, and begin once its client has read the replies before.
 * @throws T4aError moment_lost, moment_unknown, revision_unknown, invalid_field; the signal's reason; what `read` throws
 */
export function readPast<T>(
  terminal: Terminal,
  request: PastRequest,
  read: (past: ReadableTerminal) => T,
  call: ClientCall,
): Promise<PastReading<T>> {
  const { signal } = call;
  return ofConnections.run(call, async () => {
    // Order: a reader that has a place waits for no client.
    const place = await places.enter(1, signal);
    try {
      return await readInPlace(terminal, request, read, signal);
    } finally {
      place.dispose();
    }
  });
}

async function readInPlace<T>(
  terminal: Terminal,
  { at, above, since, lasting = false }: PastRequest,
  read: (past: ReadableTerminal) => T,
  signal: AbortSignal,
): Promise<PastReading<T>> {
  await terminal.settle();
  const logged = loggedOf(terminal, 'at');
  const { log, screens, now } = logged;
  const place = placeOf(terminal, at, 'at');
  const sinceRev = since === undefined ? undefined : revisionAt(terminal, since, 'since');
  const nowMs = now();
  const chunks = chunksBefore(log.chunks, place, (chunk) => {
    if (sinceRev !== undefined && chunk.start.rev > sinceRev && sinceRev <= place.rev) return true;
    return place.chunk.start.top - chunk.start.top < Math.min(above, MAX_ABOVE);
  });
  const one = await rebuilt(terminal, chunks, { place, scrollback: above === 0 ? 0 : MAX_ABOVE }, signal);
  const { screen } = one.replay;
  const own = new Parts();
  const past: ReadableTerminal = {
    screen,
    snapshot: () => screen.snapshot(),
    pictures: terminal.part(PICTURES).value,
    part: (key) => own.part(key),
  };
  setLog(past, logged);
  if (screen.rev !== place.rev) throw new Error(`a replay of revision ${place.rev} came to revision ${screen.rev}`);
  const lostLines = screen.altScreen ? 0 : linesAbove(terminal, place, one) - screen.scrollbackLines;
  const value = read(past);
  // Else it is the reader's alone.
  if (!lasting) screens.keep(one);
  return {
    value,
    at: { rev: place.rev, ts: place.ms, seq: place.seq, ago_ms: Math.max(0, Math.round(nowMs - place.ms)) },
    lostLines,
  };
}

/** From the chunk that the replay begins with, to that of the place. */
function chunksBefore(
  chunks: readonly LogChunk[],
  place: Place,
  needsMore: (first: LogChunk) => boolean,
): readonly LogChunk[] {
  const last = chunks.indexOf(place.chunk);
  let first = last;
  for (let chunk = chunks[first]; chunk !== undefined && needsMore(chunk); chunk = chunks[first]) {
    const isFirst = chunks[first - 1]?.isForgotten !== false || !chunk.start.continues;
    if (isFirst || last - first + 1 >= MAX_CHUNKS) break;
    first--;
  }
  return chunks.slice(first, last + 1);
}

interface Wanted {
  readonly place: Place;
  /** Lines kept above the viewport; without them a long replay makes no lines. */
  readonly scrollback: number;
}

async function rebuilt(
  terminal: Terminal,
  chunks: readonly LogChunk[],
  { place, scrollback }: Wanted,
  signal: AbortSignal,
): Promise<Rebuilt> {
  const { log, screens } = loggedOf(terminal, 'at');
  const [first = place.chunk] = chunks;
  const found = screens.take(first, place, scrollback);
  const one = found ?? { log, first, scrollback, replay: await begun(first, scrollback, signal) };
  const turn = new TurnTaker(pastTurns, signal);
  for (const _step of one.replay.to(place, found === undefined ? chunks : [place.chunk])) {
    if (turn.isOver) await turn.next();
  }
  await turnIfLarge(one.replay.screen, signal);
  return one;
}

async function begun(first: LogChunk, scrollback: number, signal: AbortSignal): Promise<Replay> {
  const start = first.screenStart(unpack);
  await turnIfLarge(start, signal);
  const replay = new Replay(first, scrollback, unpack, start);
  await turnIfLarge(start, signal);
  return replay;
}

async function turnIfLarge({ cols, rows }: { readonly cols: number; readonly rows: number }, signal: AbortSignal) {
  if (cols * rows >= LARGE_CELLS) await pastTurns.next(signal);
}

/** That the live screen had then. */
function linesAbove(terminal: Terminal, { chunk }: Place, { replay: { screen } }: Rebuilt): number {
  const top = screen.firstLineNumber + screen.normalScrollbackLines;
  const grown = chunk.start.above + Math.max(0, top - chunk.start.top);
  return Math.max(screen.scrollbackLines, Math.min(terminal.screen.scrollbackLimit, grown));
}

/** Refuses what is of the present alone. @throws T4aError invalid_field */
export function assertPresent(fields: Readonly<Record<string, unknown>>): void {
  const field = Object.keys(fields).find((name) => fields[name] !== undefined);
  if (field === undefined) return;
  throw new T4aError('invalid_field', `"${field}" does not go with "at": the past does not change.`, {
    field,
    hint: 'Leave one of them out.',
  });
}
