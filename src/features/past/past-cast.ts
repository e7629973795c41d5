/** A stretch of a terminal's past as an asciicast that plays alone. */
import { TurnTaker } from '../../base/loop-turns.js';
import type { Place } from '../../history/find-place.js';
import type { LogChunk } from '../../history/log-chunk.js';
import type { LogEntry } from '../../history/log-entries.js';
import { Replay } from '../../history/replay.js';
import { T4aError } from '../../protocol/errors.js';
import { parseLogMoment } from '../../protocol/moment.js';
import { CastLines, type CastVersion } from '../../history/recording/cast-lines.js';
import type { TimedEvent } from '../../history/recording/recording-event.js';
import { PastScreen } from '../../vt/past-screen.js';
import type { ReadableScreen } from '../../vt/readable-screen.js';
import { repaintParts } from '../../vt/repaint.js';
import type { MadeBytes } from '../../rpc/made-bytes.js';
import type { Redactor } from '../../redaction/redactor.js';
import { maskedStart, TimedEventMask } from '../../redaction/timed-event-mask.js';
import type { Terminal } from '../../terminal/terminal.js';
import { loggedOf, placeOf } from './log-of.js';
import { unpack } from './packer.js';
import { pastTurns } from './past-turns.js';
import type { MomentFacts } from './past-reads.js';
import { momentOf, oldestOf, rangeOf } from './past-states.js';

export interface PastCastRequest {
  readonly from: string | number | undefined;
  readonly to: string | number;
  readonly version: CastVersion;
  readonly title: string | undefined;
  readonly maxBytes?: number;
  readonly redactor?: Redactor | undefined;
  readonly made?: MadeBytes | undefined;
}

export interface PastCast {
  readonly chunks: readonly Uint8Array[];
  readonly cols: number;
  readonly rows: number;
  readonly durationMs: number;
  readonly first: MomentFacts;
  readonly last: MomentFacts;
  /** Secrets. */
  readonly masked: number;
}

/** Of a screen that is painted, in one event: a row of a thousand cells, each in another style, has 30,000. */
const PAINT_LENGTH = 16 * 1024;
/** The connection takes it as a whole. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Text in one buffer; others' work goes on after it. */
const PART_LENGTH = 64 * 1024;

/** @throws T4aError moment_lost, moment_unknown, revision_unknown, invalid_field, export_too_large; the signal's reason */
export async function pastCast(terminal: Terminal, request: PastCastRequest, signal: AbortSignal): Promise<PastCast> {
  await terminal.settle();
  const { from: given, to: givenEnd, version, title, redactor, maxBytes = MAX_BYTES, made } = request;
  const from = given === undefined ? oldestOf(terminal) : placeOf(terminal, given, 'from');
  const to = placeOf(terminal, givenEnd, 'to');
  const chunks = rangeOf(terminal, { from, to });
  const startMs = timeOf(terminal, given, from);
  const durationMs = Math.max(0, timeOf(terminal, givenEnd, to) - startMs);
  const lines = new CastLines(version);
  const { cols, rows } = from.chunk.start;
  const parts = new Parts(maxBytes, made);
  const command = terminal.command.join(' ');
  const turn = new TurnTaker(pastTurns, signal);
  await turn.next();
  const start = { kind: 'start', cols, rows, title, command, startedAtMs: startMs } as const;
  const mask = redactor && new TimedEventMask(redactor, cols, rows);
  parts.add(lines.header(redactor === undefined ? start : maskedStart(redactor, start)));
  for (const event of eventsOf(terminal, { from, to, chunks })) {
    // A screen stands from before the stretch begins; nothing in it comes after its end.
    if (event !== undefined) {
      const timed = { ...event, atMs: Math.min(Math.max(0, event.atMs - startMs), durationMs) };
      for (const each of mask?.push(timed) ?? [timed]) parts.add(lines.line(each));
    }
    if (!turn.isOver && !parts.isDue) continue;
    parts.cut();
    await turn.next();
  }
  for (const each of mask?.end() ?? []) parts.add(lines.line(each));
  parts.cut();
  return {
    chunks: parts.chunks,
    cols,
    rows,
    durationMs,
    first: momentOf(terminal, from),
    last: momentOf(terminal, to),
    masked: mask?.count ?? 0,
  };
}

/** That the moment names, if it names one; the screen of then may be older. */
function timeOf(terminal: Terminal, given: string | number | undefined, { ms }: Place): number {
  const { log, now } = loggedOf(terminal, 'from');
  const moment = given === undefined ? undefined : parseLogMoment(given);
  if (moment === undefined || moment.before) return ms;
  if (moment.kind === 'end') return terminal.exitedAtMs === undefined ? now() : ms;
  if (moment.kind === 'before_end') return Math.max(log.startedAtMs, now() - moment.ms);
  if (moment.kind === 'since_start') return log.startedAtMs + moment.ms;
  return moment.kind === 'ts' ? moment.number : ms;
}

interface Stretch {
  readonly from: Place;
  readonly to: Place;
  /** From that of the one to that of the other. */
  readonly chunks: readonly LogChunk[];
}

/** With wall times. Undefined is a step without an event: others' work may go on in between. */
function* eventsOf(terminal: Terminal, { from, to, chunks }: Stretch): Generator<TimedEvent | undefined, void, void> {
  // Its own output has made all of its screen: also a change of size lays out what is above the viewport.
  const isWhole = from.chunk === chunks[0] && from.end === 0 && from.chunk.isFirst;
  if (!isWhole) yield* paint(yield* screenAt(from), from.ms);
  let { cols, rows } = from.chunk.start;
  let isBehindGap = false;
  for (const chunk of chunks) {
    if (chunk.isForgotten) {
      isBehindGap = true;
      continue;
    }
    const { start } = chunk;
    const isResized = start.cols !== cols || start.rows !== rows;
    ({ cols, rows } = start);
    if (isResized) yield { kind: 'resize', atMs: start.ms, cols, rows };
    const isOther = chunk !== from.chunk && !start.continues && !(isWhole && isResized);
    if (isOther || isBehindGap) yield* paint(new PastScreen(chunk.screenStart(unpack), 0), start.ms);
    isBehindGap = false;
    for (const entry of chunk.entries(unpack)) {
      if (chunk === from.chunk && entry.end <= from.end) continue;
      if (chunk === to.chunk && entry.kind === 'output' && entry.end > to.end) break;
      const event = eventOf(terminal, entry);
      if (event !== undefined) yield event;
    }
  }
}

function eventOf(terminal: Terminal, entry: LogEntry): TimedEvent | undefined {
  const atMs = entry.ms;
  if (entry.kind === 'output') return { kind: 'output', atMs, bytes: entry.bytes };
  if (entry.kind === 'marker') return { kind: 'marker', atMs, label: entry.label };
  const started = entry.kind === 'event' ? entry.started : undefined;
  const command = started === undefined ? undefined : terminal.detectors.shell.commands.find(started)?.command;
  return command === undefined || command === null ? undefined : { kind: 'marker', atMs, label: command };
}

function* screenAt(place: Place): Generator<undefined, ReadableScreen, void> {
  const start = place.chunk.screenStart(unpack);
  yield undefined;
  const replay = new Replay(place.chunk, 0, unpack, start);
  yield undefined;
  for (const _step of replay.to(place)) yield undefined;
  return replay.screen;
}

/** In some events, each of a few rows. */
function* paint(screen: ReadableScreen, atMs: number): Generator<TimedEvent | undefined, void, void> {
  let text = '';
  try {
    for (const part of repaintParts(screen)) {
      text += part;
      if (text.length < PAINT_LENGTH) {
        yield undefined;
        continue;
      }
      yield { kind: 'output', atMs, bytes: Buffer.from(text) };
      text = '';
    }
  } finally {
    // Also when the cast is given up.
    screen.dispose();
  }
  yield { kind: 'output', atMs, bytes: Buffer.from(text) };
}

class Parts {
  readonly chunks: Uint8Array[] = [];
  readonly #maxBytes: number;
  readonly #made: MadeBytes | undefined;
  #texts: string[] = [];
  #length = 0;
  #bytes = 0;

  constructor(maxBytes: number, made: MadeBytes | undefined) {
    this.#maxBytes = maxBytes;
    this.#made = made;
  }

  get isDue(): boolean {
    return this.#length >= PART_LENGTH;
  }

  add(text: string): void {
    this.#texts.push(text);
    this.#length += text.length;
  }

  /** @throws T4aError export_too_large */
  cut(): void {
    const chunk = Buffer.from(this.#texts.join(''));
    this.#texts = [];
    this.#length = 0;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      throw new T4aError('export_too_large', `The cast would have more than ${this.#maxBytes} bytes.`, {
        field: 'from',
        hint: 'Ask for a shorter time with "from" and "to".',
      });
    }
    this.chunks.push(chunk);
    this.#made?.add(chunk.length);
  }
}
