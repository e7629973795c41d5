/** Messages between the daemon and a thread that reads one recording. */
import type { RecordedGrid, RecordingEvent, TimedEvent } from '../../history/recording/recording-event.js';
import type { ReadingEnd } from '../../history/recording/read-recording.js';
import type { ErrorCode, ErrorDetails } from '../../protocol/errors.js';

/** What the thread is started with. */
export interface ReadingTask {
  readonly path: string;
  readonly timing: string | undefined;
  readonly grid: Partial<RecordedGrid>;
  /** Only the time of the last event is wanted. */
  readonly durationOnly: boolean;
}

/** Output of a part lies in one piece of memory, which is transferred. */
export type PackedEvent =
  | Exclude<RecordingEvent, { readonly kind: 'output' }>
  | { readonly kind: 'output'; atMs: number; readonly start: number; end: number };

export type ReadingReport =
  | { readonly kind: 'part'; readonly events: readonly PackedEvent[]; readonly output: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'end'; readonly end: ReadingEnd; readonly durationMs: number }
  /** A T4aError; any other error ends the thread. */
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails };

/** A part was taken: another may be sent. */
export type ReadingRequest = 'next';

/** Parts that are sent and not taken: one is read while the one before is shown. */
export const PARTS_AHEAD = 2;

/** A part costs the daemon's main thread about a millisecond. */
const PART_EVENTS = 512;
const PART_BYTES = 128 * 1024;

/** Output of one instant is joined up to here. */
const JOINED_BYTES = 64 * 1024;

/** Events of a part to come. What was printed at one time is one event; of output without a byte only the time counts. */
export class PartPacker {
  #events: PackedEvent[] = [];
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  get isFull(): boolean {
    return this.#events.length >= PART_EVENTS || this.#bytes >= PART_BYTES;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  add(event: RecordingEvent): void {
    if (event.kind !== 'output') {
      this.#events.push(event);
      return;
    }
    const { atMs, bytes } = event;
    const start = this.#bytes;
    this.#bytes += bytes.length;
    if (bytes.length > 0) this.#pieces.push(bytes);
    const last = this.#events.at(-1);
    if (last?.kind === 'output' && last.atMs === atMs && last.end - last.start < JOINED_BYTES) last.end = this.#bytes;
    else if (last?.kind === 'output' && last.start === last.end && bytes.length === 0) last.atMs = atMs;
    else this.#events.push({ kind: 'output', atMs, start, end: this.#bytes });
  }

  take(): Extract<ReadingReport, { readonly kind: 'part' }> {
    const output = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      output.set(piece, at);
      at += piece.length;
    }
    const events = this.#events;
    this.#events = [];
    this.#pieces = [];
    this.#bytes = 0;
    return { kind: 'part', events, output };
  }
}

export function unpackedEvent(event: PackedEvent, output: Uint8Array): RecordingEvent {
  if (event.kind !== 'output') return event;
  const { atMs, start, end } = event;
  return { kind: 'output', atMs, bytes: output.subarray(start, end) } satisfies TimedEvent;
}
