/**
 * Reads what script(1) wrote: a typescript (a line of its own, then output) and a timing file, in the classic form
 * ("0.25 12": seconds, then bytes) or the advanced one ("O 0.25 12", also I, S and H).
 */
import {
  checkedGrid,
  type Grid,
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
  readonly #grid: Grid;
  readonly #times = new Timeline();
  readonly #steps: readonly Step[];
  #firstLine: Buffer | undefined = Buffer.alloc(0);
  #next = 0;
  /** Bytes of the present step that were read. */
  #taken = 0;

  /** @param timing text of the timing file @throws T4aError recording_invalid */
  constructor(timing: string, grid: Grid) {
    const timings = new TimingFile(timing, this.#times);
    this.#grid = timings.grid ?? grid;
    this.#steps = timings.steps;
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
    this.complete = this.#firstLine === undefined && this.#next >= this.#steps.length;
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
    for (let step = this.#steps[this.#next]; step !== undefined; step = this.#steps[this.#next]) {
      if (step.kind === 'resize') events.push(step);
      else {
        const part = bytes.subarray(0, step.length - this.#taken);
        bytes = bytes.subarray(part.length);
        if (step.kind === 'output' && part.length > 0) events.push({ kind: 'output', atMs: step.atMs, bytes: part });
        this.#taken += part.length;
        if (this.#taken < step.length) return events;
      }
      this.#taken = 0;
      this.#next++;
    }
    return events;
  }
}

const MAX_FIRST_LINE_BYTES = 64 * 1024;

const CLASSIC = /^(\d+(?:[.,]\d+)?) (\d+)$/;
const ADVANCED = /^([IOSH]) (-?\d+(?:[.,]\d+)?) (.*)$/;

class TimingFile {
  grid: Grid | undefined;
  readonly steps: Step[] = [];
  readonly #facts = new Map<string, string>();

  constructor(text: string, times: Timeline) {
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() !== '') this.#read(line.trimEnd(), `line ${index + 1} of the timing file`, times);
    }
    const [cols, rows] = [this.#facts.get('COLUMNS'), this.#facts.get('LINES')].map(Number);
    if (cols !== undefined && rows !== undefined && cols > 0 && rows > 0) {
      this.grid = checkedGrid(cols, rows, 'The timing file');
    }
  }

  #read(line: string, where: string, times: Timeline): void {
    const [, seconds = '', length] = CLASSIC.exec(line) ?? [];
    if (length !== undefined) {
      this.steps.push({ kind: 'output', atMs: times.after(numberOf(seconds), where), length: Number(length) });
      return;
    }
    const [, type, after = '', rest = ''] = ADVANCED.exec(line) ?? [];
    if (type === undefined) throw invalid(where, 'has no time');
    const [name = '', ...words] = rest.split(' ');
    if (type === 'H') {
      this.#facts.set(name, words.join(' '));
      return;
    }
    const atMs = times.after(numberOf(after), where);
    if (type === 'S' && name === 'SIGWINCH') this.#readResize(words.join(' '), atMs, where);
    if (type === 'O') this.steps.push({ kind: 'output', atMs, length: Number(name) || 0 });
    // Input is in the typescript only if both went to one file.
    const isShared = this.#facts.get('INPUT_LOG') === this.#facts.get('OUTPUT_LOG');
    if (type === 'I' && isShared) this.steps.push({ kind: 'skipped', atMs, length: Number(name) || 0 });
  }

  #readResize(text: string, atMs: number, where: string): void {
    const [, rows] = /ROWS=(\d+)/.exec(text) ?? [];
    const [, cols] = /COLS=(\d+)/.exec(text) ?? [];
    if (rows === undefined || cols === undefined) return;
    this.steps.push({ kind: 'resize', atMs, ...checkedGrid(Number(cols), Number(rows), where) });
  }
}

/** In some locales the seconds have a comma. */
function numberOf(text: string): number {
  return Number(text.replace(',', '.'));
}
