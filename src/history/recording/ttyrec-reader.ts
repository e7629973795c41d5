/**
 * Reads ttyrec: frames of output, each with seconds, microseconds and length (32 bits, little endian) before it. The
 * format has no size of the screen.
 */
import {
  assertEventCount,
  type RecordedGrid,
  invalid,
  MAX_RECORDED_EVENT_BYTES,
  type RecordingEvent,
  type RecordingReader,
  Timeline,
} from './recording-event.js';

const HEAD_BYTES = 12;
const MICROSECONDS = 1_000_000;

/** Whether these may be the first bytes of a ttyrec; letters never are. */
export function isTtyrec(head: Uint8Array): boolean {
  if (head.length < HEAD_BYTES) return false;
  const view = new DataView(head.buffer, head.byteOffset);
  return view.getUint32(4, true) < MICROSECONDS && view.getUint32(8, true) <= MAX_RECORDED_EVENT_BYTES;
}

export class TtyrecReader implements RecordingReader {
  readonly format = 'ttyrec';
  complete = true;
  readonly #grid: RecordedGrid;
  readonly #times = new Timeline();
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #wanted = HEAD_BYTES;
  #frame: { readonly seconds: number; readonly length: number } | undefined;
  #firstSeconds: number | undefined;
  #frames = 0;

  constructor(grid: RecordedGrid) {
    this.#grid = grid;
  }

  get repaired(): number {
    return this.#times.repaired;
  }

  push(bytes: Uint8Array): readonly RecordingEvent[] {
    const events: RecordingEvent[] = [];
    this.#pending.push(bytes.slice());
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes < this.#wanted) return events;
    let rest: Uint8Array = Buffer.concat(this.#pending);
    while (rest.length >= this.#wanted) {
      const part = rest.subarray(0, this.#wanted);
      rest = rest.subarray(this.#wanted);
      this.#take(part, events);
    }
    this.#pending = [rest];
    this.#pendingBytes = rest.length;
    return events;
  }

  end(): readonly RecordingEvent[] {
    this.complete = this.#pendingBytes === 0 && this.#frame === undefined;
    return this.#frames === 0 ? [this.#start()] : [];
  }

  #take(part: Uint8Array, events: RecordingEvent[]): void {
    if (this.#frame === undefined) {
      this.#readHead(part, events);
      return;
    }
    const { seconds, length } = this.#frame;
    this.#frame = undefined;
    this.#wanted = HEAD_BYTES;
    const atMs = this.#times.at(seconds, `frame ${this.#frames}`);
    if (length > 0) events.push({ kind: 'output', atMs, bytes: part });
  }

  #readHead(head: Uint8Array, events: RecordingEvent[]): void {
    assertEventCount(++this.#frames);
    const view = new DataView(head.buffer, head.byteOffset);
    const since1970 = view.getUint32(0, true) + view.getUint32(4, true) / MICROSECONDS;
    const length = view.getUint32(8, true);
    if (length > MAX_RECORDED_EVENT_BYTES)
      throw invalid(`frame ${this.#frames}`, `is longer than ${MAX_RECORDED_EVENT_BYTES} bytes`);
    if (this.#firstSeconds === undefined) {
      this.#firstSeconds = since1970;
      events.push({ ...this.#start(), startedAtMs: Math.round(since1970 * 1000) });
    }
    this.#frame = { seconds: since1970 - this.#firstSeconds, length };
    this.#wanted = length;
  }

  #start(): Extract<RecordingEvent, { kind: 'start' }> {
    return { kind: 'start', ...this.#grid };
  }
}
