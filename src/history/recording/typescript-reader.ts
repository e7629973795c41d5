/**
 * Reads what script(1) wrote: a typescript (a line of its own, then output) and a timing file, in the classic form
 * ("0.25 12": seconds, then bytes) or the advanced one ("O 0.25 12", also I, S and H).
 */
import {
  assertEventCount,
  checkedGrid,
  type RecordedGrid,
  invalid,
  type RecordingEvent,
  type RecordingReader,
  Timeline,
  type TimedEvent,
} from './recording-event.js';

const LINE_FEED = 0x0a;

/** Beginning of every typescript, in each locale that was found. */
const TYPESCRIPT = /^Script started|^Skript gestartet|^Script démarré/;

export function isTypescript(head: Uint8Array): boolean {
  return TYPESCRIPT.test(Buffer.from(head).toString('utf8'));
}

type Step =
  | { readonly kind: 'output' | 'skipped'; readonly atMs: number; readonly length: number }
  | (TimedEvent & { readonly kind: 'resize' });

export class TypescriptReader implements RecordingReader {
  readonly format = 'script';
  complete = true;
  readonly #grid: RecordedGrid;
  readonly #times = new Timeline();
  readonly #steps: TimingFile;
  #step: Step | undefined;
  #firstLine: Buffer | undefined = Buffer.alloc(0);
  /** Bytes of the present step that were read. */
  #taken = 0;

  /** @param timing content of the timing file, or its text @throws T4aError recording_invalid */
  constructor(timing: Buffer | string, grid: RecordedGrid) {
    const bytes = typeof timing === 'string' ? Buffer.from(timing) : timing;
    // A first pass: what is wrong is refused before anything is shown.
    const whole = new TimingFile(bytes, new Timeline());
    while (whole.next() !== undefined);
    this.#grid = whole.grid ?? grid;
    this.#steps = new TimingFile(bytes, this.#times);
    this.#step = this.#steps.next();
  }

  get repaired(): number {
    return this.#times.repaired;
  }

  push(bytes: Uint8Array): readonly RecordingEvent[] {
    if (this.#firstLine === undefined) return this.#output(bytes);
    const first: Buffer = Buffer.concat([this.#firstLine, bytes]);
    const end = first.indexOf(LINE_FEED);
    this.#firstLine = end === -1 ? first : undefined;
    if (end === -1) {
      if (first.length > MAX_FIRST_LINE_BYTES) throw invalid('The typescript', 'has no first line');
      return [];
    }
    const start = this.#start(first.subarray(0, end).toString('utf8'));
    return [start, ...this.#output(first.subarray(end + 1))];
  }

  end(): readonly RecordingEvent[] {
    this.complete = this.#firstLine === undefined && this.#step === undefined;
    return this.#firstLine === undefined ? [] : [this.#start('')];
  }

  /** Newer versions of script(1) write the size into the first line. */
  #start(line: string): RecordingEvent {
    const [, cols] = /COLUMNS="(\d+)"/.exec(line) ?? [];
    const [, rows] = /LINES="(\d+)"/.exec(line) ?? [];
    const known = cols === undefined || rows === undefined || cols === '0' ? this.#grid : undefined;
    return { kind: 'start', ...(known ?? checkedGrid(Number(cols), Number(rows), 'line 1')) };
  }

  #output(given: Uint8Array): RecordingEvent[] {
    const events: RecordingEvent[] = [];
    let bytes = given.slice();
    for (let step = this.#step; step !== undefined; step = this.#step) {
      if (step.kind === 'resize') events.push(step);
      else {
        const part = bytes.subarray(0, step.length - this.#taken);
        bytes = bytes.subarray(part.length);
        if (step.kind === 'output' && part.length > 0) events.push({ kind: 'output', atMs: step.atMs, bytes: part });
        this.#taken += part.length;
        if (this.#taken < step.length) return events;
      }
      this.#taken = 0;
      this.#step = this.#steps.next();
    }
    return events;
  }
}

const MAX_FIRST_LINE_BYTES = 64 * 1024;

const CLASSIC = /^(\d+(?:[.,]\d+)?) (\d+)$/;
const ADVANCED = /^([IOSH]) (-?\d+(?:[.,]\d+)?) (.*)$/;

/** Steps of a timing file, read line by line as they are asked for: a list of them would be many times as long as the file. */
class TimingFile {
  readonly #bytes: Buffer;
  readonly #times: Timeline;
  readonly #facts = new Map<string, string>();
  #at = 0;
  #line = 0;

  constructor(bytes: Buffer, times: Timeline) {
    this.#bytes = bytes;
    this.#times = times;
  }

  /** Size of the screen, by the facts so far. @throws T4aError recording_invalid */
  get grid(): RecordedGrid | undefined {
    const [cols, rows] = [this.#facts.get('COLUMNS'), this.#facts.get('LINES')].map(Number);
    if (cols === undefined || rows === undefined || !(cols > 0 && rows > 0)) return undefined;
    return checkedGrid(cols, rows, 'The timing file');
  }

  /** Undefined at the end. @throws T4aError recording_invalid */
  next(): Step | undefined {
    while (this.#at < this.#bytes.length) {
      const found = this.#bytes.indexOf(LINE_FEED, this.#at);
      const end = found === -1 ? this.#bytes.length : found;
      assertEventCount(++this.#line);
      const where = `line ${this.#line} of the timing file`;
      if (end - this.#at > MAX_TIMING_LINE_BYTES) {
        throw invalid(where, `is longer than ${MAX_TIMING_LINE_BYTES} bytes`);
      }
      const line = this.#bytes.toString('utf8', this.#at, end).trimEnd();
      this.#at = end + 1;
      const step = line === '' ? undefined : this.#read(line, where);
      if (step !== undefined) return step;
    }
    return undefined;
  }

  #read(line: string, where: string): Step | undefined {
    const [, seconds = '', length] = CLASSIC.exec(line) ?? [];
    if (length !== undefined) {
      return { kind: 'output', atMs: this.#times.after(numberOf(seconds), where), length: Number(length) };
    }
    const [, type, after = '', rest = ''] = ADVANCED.exec(line) ?? [];
    if (type === undefined) throw invalid(where, 'has no time');
    const [name = '', ...words] = rest.split(' ');
    if (type === 'H') {
      if (FACTS.includes(name)) this.#facts.set(name, words.join(' '));
      return undefined;
    }
    const atMs = this.#times.after(numberOf(after), where);
    if (type === 'S' && name === 'SIGWINCH') return resizeOf(words.join(' '), atMs, where);
    if (type === 'O') return { kind: 'output', atMs, length: Number(name) || 0 };
    // Input is in the typescript only if both went to one file.
    const isShared = this.#facts.get('INPUT_LOG') === this.#facts.get('OUTPUT_LOG');
    return type === 'I' && isShared ? { kind: 'skipped', atMs, length: Number(name) || 0 } : undefined;
  }
}

const FACTS = ['COLUMNS', 'LINES', 'INPUT_LOG', 'OUTPUT_LOG'];

const MAX_TIMING_LINE_BYTES = 64 * 1024;

function resizeOf(text: string, atMs: number, where: string): Step | undefined {
  const [, rows] = /ROWS=(\d+)/.exec(text) ?? [];
  const [, cols] = /COLS=(\d+)/.exec(text) ?? [];
  if (rows === undefined || cols === undefined) return undefined;
  return { kind: 'resize', atMs, ...checkedGrid(Number(cols), Number(rows), where) };
}

/** Number of seconds, which have a comma in some locales. */
function numberOf(text: string): number {
  return Number(text.replace(',', '.'));
}
