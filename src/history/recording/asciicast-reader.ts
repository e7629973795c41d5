/**
 * Reads asciicasts of all versions: v3 has intervals, v2 times since the start; v1 is one JSON object, see asciicast-document.ts. Events of unknown
 * codes are left out, as the specifications ask.
 * https://docs.asciinema.org/manual/asciicast/v3/
 */
import { AsciicastDocument } from './asciicast-document.js';
import { type HeaderFields, isFields, headerStart } from './asciicast-header.js';
import { boundedJson } from './bounded-json.js';
import { TextLineSplitter } from './line-splitter.js';
import {
  checkedGrid,
  invalid,
  type RecordingEvent,
  type RecordingFormat,
  type RecordingReader,
  type RecordingStart,
  Timeline,
  type TimedEvent,
} from './recording-event.js';

const encoder = new TextEncoder();

export class AsciicastReader implements RecordingReader {
  complete = true;
  readonly #times = new Timeline();
  readonly #lines = new TextLineSplitter();
  /** The beginning of the file, as long as its version is not known. */
  #head: Buffer | undefined = Buffer.alloc(0);
  /** Document of v1. */
  #document: AsciicastDocument | undefined;
  #format: RecordingFormat = 'asciicast-v3';

  get format(): RecordingFormat {
    return this.#format;
  }

  get repaired(): number {
    return this.#times.repaired;
  }

  push(bytes: Uint8Array): readonly RecordingEvent[] {
    if (this.#head !== undefined) return this.#pushHead(this.#head, bytes);
    if (this.#document !== undefined) return this.#document.push(bytes);
    const events: RecordingEvent[] = [];
    this.#lines.push(bytes, (line) => this.#onLine(line, events));
    return events;
  }

  end(): readonly RecordingEvent[] {
    const events = this.#head === undefined ? [] : [...this.#begin(this.#head, this.#head.length)];
    if (this.#document !== undefined) return [...events, ...this.#document.end()];
    this.#onLastLine(this.#lines.rest(), events);
    return events;
  }

  /** The first line tells the version: a header, or the beginning of a document, which may be all of it. */
  #pushHead(before: Buffer, bytes: Uint8Array): readonly RecordingEvent[] {
    const head = Buffer.concat([before, bytes]);
    const end = head.indexOf(LINE_FEED, before.length);
    if (end === -1 && head.length <= MAX_HEADER_BYTES) {
      this.#head = head;
      return [];
    }
    return this.#begin(head, end === -1 ? head.length : end);
  }

  /** @param end of the first line */
  #begin(head: Buffer, end: number): readonly RecordingEvent[] {
    this.#head = undefined;
    const header = end <= MAX_HEADER_BYTES ? boundedJson(head.toString('utf8', 0, end)) : undefined;
    const version = isFields(header) ? header['version'] : undefined;
    if (!isFields(header) || (version !== 2 && version !== 3)) {
      this.#document = new AsciicastDocument(this.#times);
      this.#format = 'asciicast-v1';
      return this.#document.push(head);
    }
    const start = version === 3 ? this.#headerOfV3(header) : this.#headerOfV2(header);
    this.#lines.skipLine();
    return [start, ...this.push(head.subarray(end + 1))];
  }

  #onLine(line: string, events: RecordingEvent[]): void {
    // v3 has comments.
    if (line.trim() === '' || line.startsWith('#')) return;
    const parsed = boundedJson(line);
    const event = parsed === undefined ? undefined : this.#event(parsed, this.#where);
    if (event === undefined) throw invalid(this.#where, 'is no event of an asciicast');
    if (event !== 'unknown') events.push(event);
  }

  /** Last line. Without a line feed at its end it may be the half that was written before a crash. */
  #onLastLine(line: string, events: RecordingEvent[]): void {
    if (line === '' || line.startsWith('#')) return;
    const parsed = boundedJson(line);
    if (parsed === undefined) this.complete = false;
    else this.#onLine(line, events);
  }

  #headerOfV3(header: HeaderFields): RecordingStart {
    const term = isFields(header['term']) ? header['term'] : {};
    return { ...headerStart(header), ...checkedGrid(term['cols'], term['rows'], 'The header') };
  }

  #headerOfV2(header: HeaderFields): RecordingStart {
    this.#format = 'asciicast-v2';
    return { ...headerStart(header), ...checkedGrid(header['width'], header['height'], 'The header') };
  }

  get #where(): string {
    return `line ${this.#lines.number}`;
  }

  #event(parsed: unknown, where: string): TimedEvent | 'unknown' | undefined {
    if (!Array.isArray(parsed)) return undefined;
    const [seconds, code, data] = parsed as unknown[];
    if (typeof code !== 'string' || typeof data !== 'string') return undefined;
    const atMs = this.#format === 'asciicast-v3' ? this.#times.after(seconds, where) : this.#times.at(seconds, where);
    switch (code) {
      case 'o':
        return { kind: 'output', atMs, bytes: encoder.encode(data) };
      case 'i':
        return { kind: 'input', atMs, text: data };
      case 'm':
        return { kind: 'marker', atMs, label: data };
      case 'r': {
        const [, cols, rows] = /^(\d{1,9})x(\d{1,9})$/.exec(data) ?? [];
        return { kind: 'resize', atMs, ...checkedGrid(Number(cols), Number(rows), where) };
      }
      case 'x':
        return { kind: 'exit', atMs, status: Number.parseInt(data, 10) || 0 };
      default:
        return 'unknown';
    }
  }
}

const LINE_FEED = 0x0a;

/** A header with an environment and a theme has some kilobytes. */
const MAX_HEADER_BYTES = 1024 * 1024;
