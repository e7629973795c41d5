/**
 * Reads asciicasts of all versions: v3 has intervals, v2 times since the start, v1 is one JSON object. Events of unknown
 * codes are left out, as the specifications ask.
 * https://docs.asciinema.org/manual/asciicast/v3/
 */
import { LineSplitter } from './line-splitter.js';
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

type Fields = Readonly<Record<string, unknown>>;

const encoder = new TextEncoder();

export class AsciicastReader implements RecordingReader {
  format: RecordingFormat = 'asciicast-v3';
  complete = true;
  readonly #times = new Timeline();
  readonly #lines = new LineSplitter();
  /** The lines of a v1 file, or of a header that spans lines; undefined once the header is read. */
  #document: string[] | undefined = [];
  #documentLength = 0;

  get repaired(): number {
    return this.#times.repaired;
  }

  push(bytes: Uint8Array): readonly RecordingEvent[] {
    const events: RecordingEvent[] = [];
    this.#lines.push(bytes, (line) => this.#onLine(line, events));
    return events;
  }

  end(): readonly RecordingEvent[] {
    const events: RecordingEvent[] = [];
    const rest = this.#lines.rest();
    if (this.#document === undefined) this.#onLastLine(rest, events);
    else {
      if (rest !== '') this.#onLine(rest, events);
      if (this.#document !== undefined) this.#readDocument(this.#document.join('\n'), events);
    }
    return events;
  }

  #onLine(line: string, events: RecordingEvent[]): void {
    if (this.#document !== undefined) return this.#onHeaderLine(line, this.#document, events);
    // v3 has comments.
    if (line.trim() === '' || line.startsWith('#')) return;
    const parsed = parse(line);
    const event = parsed === undefined ? undefined : this.#event(parsed, this.#where);
    if (event === undefined) throw invalid(this.#where, 'is no event of an asciicast');
    if (event !== 'unknown') events.push(event);
  }

  /** Without a line feed at its end it may be the half that was written before a crash. */
  #onLastLine(line: string, events: RecordingEvent[]): void {
    if (line === '' || line.startsWith('#')) return;
    const parsed = parse(line);
    if (parsed === undefined) this.complete = false;
    else this.#onLine(line, events);
  }

  #onHeaderLine(line: string, document: string[], events: RecordingEvent[]): void {
    const header = document.length === 0 ? parse(line) : undefined;
    const version = isFields(header) ? header['version'] : undefined;
    if (isFields(header) && (version === 2 || version === 3)) {
      this.#document = undefined;
      events.push(version === 3 ? this.#headerOfV3(header) : this.#headerOfV2(header));
      return;
    }
    this.#documentLength += line.length;
    if (this.#documentLength > MAX_DOCUMENT_LENGTH) throw invalid(this.#where, `is ${NO_HEADER}`);
    document.push(line);
  }

  #headerOfV3(header: Fields): RecordingStart {
    const term = isFields(header['term']) ? header['term'] : {};
    return { ...start(header), ...checkedGrid(term['cols'], term['rows'], 'The header') };
  }

  #headerOfV2(header: Fields): RecordingStart {
    this.format = 'asciicast-v2';
    return { ...start(header), ...checkedGrid(header['width'], header['height'], 'The header') };
  }

  /** https://docs.asciinema.org/manual/asciicast/v1/ */
  #readDocument(text: string, events: RecordingEvent[]): void {
    const document = parse(text);
    if (!isFields(document)) throw invalid('The file', `begins with ${NO_HEADER}`);
    const { version, width, height, stdout } = document;
    if (version !== 1) throw invalid('The header', `is of version ${JSON.stringify(version)}: expected 1, 2 or 3`);
    if (!Array.isArray(stdout)) throw invalid('The asciicast', 'has no "stdout"');
    this.format = 'asciicast-v1';
    events.push({ ...start(document), ...checkedGrid(width, height, 'The header') });
    for (const [index, frame] of stdout.entries()) {
      const [seconds, output] = Array.isArray(frame) ? (frame as unknown[]) : [];
      if (typeof output !== 'string') throw invalid(`frame ${index + 1}`, 'has no output');
      const atMs = this.#times.after(seconds, `frame ${index + 1}`);
      events.push({ kind: 'output', atMs, bytes: encoder.encode(output) });
    }
  }

  get #where(): string {
    return `line ${this.#lines.number}`;
  }

  #event(parsed: unknown, where: string): TimedEvent | 'unknown' | undefined {
    if (!Array.isArray(parsed)) return undefined;
    const [seconds, code, data] = parsed as unknown[];
    if (typeof code !== 'string' || typeof data !== 'string') return undefined;
    const atMs = this.format === 'asciicast-v3' ? this.#times.after(seconds, where) : this.#times.at(seconds, where);
    switch (code) {
      case 'o':
        return { kind: 'output', atMs, bytes: encoder.encode(data) };
      case 'i':
        return { kind: 'input', atMs, text: data };
      case 'm':
        return { kind: 'marker', atMs, label: data };
      case 'r': {
        const [, cols, rows] = /^(\d+)x(\d+)$/.exec(data) ?? [];
        return { kind: 'resize', atMs, ...checkedGrid(Number(cols), Number(rows), where) };
      }
      case 'x':
        return { kind: 'exit', atMs, status: Number.parseInt(data, 10) || 0 };
      default:
        return 'unknown';
    }
  }
}

const NO_HEADER = 'no header of an asciicast';

/** v1 is from before 2017 and rare; its text is in memory several times. */
const MAX_DOCUMENT_LENGTH = 64 * 1024 * 1024;

function start(header: Fields): Omit<RecordingStart, 'cols' | 'rows'> {
  const { title, command, timestamp, idle_time_limit: idle } = header;
  return {
    kind: 'start',
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof command === 'string' ? { command } : {}),
    ...(typeof timestamp === 'number' ? { startedAtMs: timestamp * 1000 } : {}),
    ...(typeof idle === 'number' && idle > 0 ? { idleLimitMs: idle * 1000 } : {}),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
