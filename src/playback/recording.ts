/** A recording as a value, whole in memory, for what goes back and forth in it. */
import { T4aError, quote } from '../protocol/errors.js';
import { MAX_MARKER_LENGTH } from '../protocol/limits.js';
import { EXPECTED_MOMENT, type Moment, parseMoment } from '../protocol/moment.js';
import { IdleLimit } from '../history/recording/idle-limit.js';
import type { Redactor } from '../redaction/redactor.js';
import { maskedStart, TimedEventMask } from '../redaction/timed-event-mask.js';
import type { RecordingStart, TimedEvent } from '../history/recording/recording-event.js';
import { readRecording, type ReadingEnd, type ReadOptions } from '../history/recording/read-recording.js';

export interface Recording extends ReadingEnd {
  readonly start: RecordingStart;
  /** Events in the order of their times. */
  readonly events: readonly TimedEvent[];
  readonly durationMs: number;
}

export interface LoadOptions extends ReadOptions {
  /** Longest pause that is kept; by default the one that the file names, if any. */
  readonly idleMs?: number | undefined;
  readonly maxBytes?: number | undefined;
}

/** Most bytes of output; a busy terminal prints some 100 MB in a day. */
const MAX_BYTES = 512 * 1024 * 1024;
/** An event takes as much as an object, however little it printed. */
const EVENT_BYTES = 128;

/** @throws T4aError recording_not_found, recording_invalid */
export async function loadRecording(path: string, options: LoadOptions = {}): Promise<Recording> {
  const events: TimedEvent[] = [];
  let start: RecordingStart | undefined;
  let idle: IdleLimit | undefined;
  const { maxBytes = MAX_BYTES } = options;
  let bytes = 0;
  const parts = readRecording(path, options);
  try {
    for (;;) {
      const part = await parts.next();
      if (part.done === true) {
        if (start === undefined) throw new T4aError('recording_invalid', `${quote(path)} has no header.`);
        return { ...part.value, start, events, durationMs: events.at(-1)?.atMs ?? 0 };
      }
      for (const event of part.value) {
        if (event.kind === 'start') {
          start = event;
          const limitMs = options.idleMs ?? event.idleLimitMs;
          if (limitMs !== undefined) idle = new IdleLimit(limitMs);
          continue;
        }
        if (event.kind === 'look') continue;
        const kept: TimedEvent =
          event.kind === 'marker' ? { ...event, label: event.label.slice(0, MAX_MARKER_LENGTH) } : event;
        bytes += EVENT_BYTES + bytesOf(kept);
        if (bytes > maxBytes) throw tooLarge(path, maxBytes);
        events.push(idle === undefined ? kept : idle.apply(kept));
      }
    }
  } finally {
    // Closes the file, if it goes on.
    await parts.return?.(undefined as never);
  }
}

function bytesOf(event: TimedEvent): number {
  if (event.kind === 'output') return event.bytes.length;
  if (event.kind === 'input') return 2 * event.text.length;
  return event.kind === 'marker' ? 2 * event.label.length : 0;
}

function tooLarge(path: string, maxBytes: number): T4aError {
  return new T4aError('recording_invalid', `${quote(path)} has more than ${maxBytes} bytes of output.`, {
    hint: 't4a open reads larger ones.',
  });
}

/** Recording with its secrets masked. */
export function maskedRecording(
  recording: Recording,
  redactor: Redactor,
): { readonly recording: Recording; readonly masked: number } {
  const mask = new TimedEventMask(redactor, recording.start.cols, recording.start.rows);
  const events = recording.events.flatMap((event) => mask.push(event));
  const last = mask.end();
  const start = maskedStart(redactor, recording.start);
  return { recording: { ...recording, start, events: [...events, ...last] }, masked: mask.count };
}

/** Number of events until `ms`, those at that very time included. */
export function eventsUntil({ events }: Pick<Recording, 'events'>, ms: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.atMs ?? Infinity) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Milliseconds since the start. @throws T4aError invalid_field */
export function timeOf(text: string, recording: Pick<Recording, 'events' | 'durationMs'>, field: string): number {
  const moment = parseMoment(text);
  if (moment === undefined) {
    throw new T4aError('invalid_field', `"${field}" is ${quote(text)}: expected ${EXPECTED_MOMENT}.`, { field });
  }
  const ms = msOf(moment, recording);
  if (ms === undefined) throw new T4aError('invalid_field', `The recording has no ${text}.`, { field });
  return Math.min(Math.max(0, ms), recording.durationMs);
}

function msOf(moment: Moment, { events, durationMs }: Pick<Recording, 'events' | 'durationMs'>): number | undefined {
  switch (moment.kind) {
    case 'start':
      return 0;
    case 'end':
      return durationMs;
    case 'since_start':
      return moment.ms;
    case 'before_end':
      return durationMs - moment.ms;
    default:
      return events.find((event) => event.kind === 'marker' && event.label === moment.name)?.atMs;
  }
}
