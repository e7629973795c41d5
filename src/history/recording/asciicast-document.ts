/**
 * Reads an asciicast v1: one JSON object with all output in `stdout`. Frames become events as they come, once the size of the screen is
 * known; what comes before it is bounded.
 * https://docs.asciinema.org/manual/asciicast/v1/
 */
import { boundedJson } from './bounded-json.js';
import { type HeaderFields, isFields, headerStart } from './asciicast-header.js';
import { DocumentSplitter } from './document-splitter.js';
import { assertEventCount, checkedGrid, invalid, type RecordingEvent, type Timeline } from './recording-event.js';

const NO_HEADER = 'begins with no header of an asciicast';

/** Bound of frames before `width` and `height`, with {@link FRAME_OVERHEAD} for each. Writers put the facts first. */
const MAX_EARLY_BYTES = 16 * 1024 * 1024;
const FRAME_OVERHEAD = 128;

const encoder = new TextEncoder();

export class AsciicastDocument {
  readonly #times: Timeline;
  readonly #maxFrames: number | undefined;
  readonly #splitter: DocumentSplitter;
  readonly #facts: Record<string, unknown> = {};
  #events: RecordingEvent[] = [];
  #hasStarted = false;
  #hasFrames = false;
  #frames = 0;
  #earlyBytes = 0;

  /** @param maxFrames without it, as many as any recording may have events */
  constructor(times: Timeline, maxFrames?: number) {
    this.#times = times;
    this.#maxFrames = maxFrames;
    this.#splitter = new DocumentSplitter({
      field: (text) => this.#field(text),
      frames: () => this.#beginFrames(),
      frame: (text) => this.#frame(text),
    });
  }

  /** @throws T4aError recording_invalid */
  push(bytes: Uint8Array): readonly RecordingEvent[] {
    this.#splitter.push(bytes);
    return this.#taken();
  }

  /** @throws T4aError recording_invalid */
  end(): readonly RecordingEvent[] {
    this.#splitter.end();
    if (!this.#hasStarted) this.#start();
    if (!this.#hasFrames) throw invalid('The asciicast', 'has no "stdout"');
    return this.#taken();
  }

  /** Nothing is shown before the start. */
  #taken(): readonly RecordingEvent[] {
    if (!this.#hasStarted) return [];
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #field(text: string): void {
    const fields = boundedJson(`{${text}}`);
    if (!isFields(fields)) throw invalid('The file', NO_HEADER);
    Object.assign(this.#facts, pick(fields));
    if ('stdout' in fields) throw invalid('The asciicast', 'has no "stdout"');
  }

  #beginFrames(): void {
    this.#hasFrames = true;
    const { version, width, height } = this.#facts;
    if (version !== undefined && width !== undefined && height !== undefined) this.#start();
  }

  #frame(text: string): void {
    const where = `frame ${++this.#frames}`;
    assertEventCount(this.#frames, this.#maxFrames);
    const frame = boundedJson(text);
    const [seconds, output] = Array.isArray(frame) ? (frame as unknown[]) : [];
    if (typeof output !== 'string') throw invalid(where, 'has no output');
    const bytes = encoder.encode(output);
    if (!this.#hasStarted) this.#earlyBytes += FRAME_OVERHEAD + bytes.length;
    if (this.#earlyBytes > MAX_EARLY_BYTES) {
      throw invalid('The asciicast', 'has too much output before its "width" and "height"');
    }
    this.#events.push({ kind: 'output', atMs: this.#times.after(seconds, where), bytes });
  }

  #start(): void {
    const { version, width, height } = this.#facts;
    if (version !== 1) throw invalid('The header', `is of version ${shown(version)}: expected 1, 2 or 3`);
    const grid = checkedGrid(width, height, 'The header');
    this.#hasStarted = true;
    this.#earlyBytes = 0;
    this.#events.unshift({ ...headerStart(this.#facts), ...grid });
  }
}

/** All else is dropped as soon as it is read. */
function pick(fields: HeaderFields): HeaderFields {
  const known = ['version', 'width', 'height', 'title', 'command', 'timestamp', 'idle_time_limit'];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => known.includes(name)));
}

function shown(version: unknown): string | undefined {
  return JSON.stringify(version)?.slice(0, 80);
}
