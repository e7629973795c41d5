/** Events as recordings of all formats have them, with their secrets masked. */
import type { RecordingStart, TimedEvent } from '../history/recording/recording-event.js';
import { EventMask } from './event-mask.js';
import type { Redactor } from './redactor.js';

/** Here nobody waits for what is held back. */
const DRAWN_LENGTH = 128 * 1024;

export class TimedEventMask {
  readonly #mask: EventMask<TimedEvent>;
  readonly #decoder = new TextDecoder();
  #out: TimedEvent[] = [];
  #lastMs = 0;

  /** @param rows of the screen that the events begin with */
  constructor(redactor: Redactor, cols: number, rows?: number) {
    const options = { rows, drawnLength: DRAWN_LENGTH };
    this.#mask = new EventMask(redactor, cols, (event, text) => this.#emit(event, text), options);
  }

  get count(): number {
    return this.#mask.count;
  }

  /** @returns what may go out now, in the order of the times */
  push(event: TimedEvent): readonly TimedEvent[] {
    if (event.kind === 'output') this.#mask.output(this.#decoder.decode(event.bytes, { stream: true }), event);
    else if (event.kind === 'input') this.#mask.input(event.text, event);
    else if (event.kind === 'marker') this.#mask.marker(event.label, event);
    else if (event.kind === 'resize') this.#mask.resize(event, event);
    else this.#mask.other(event);
    return this.#take();
  }

  end(): readonly TimedEvent[] {
    this.#mask.end();
    return this.#take();
  }

  #take(): readonly TimedEvent[] {
    const out = this.#out;
    if (out.length > 0) this.#out = [];
    return out;
  }

  /** Input that was held back comes later than it was typed. */
  #emit(event: TimedEvent, text = ''): void {
    this.#lastMs = Math.max(this.#lastMs, event.atMs);
    const atMs = this.#lastMs;
    if (event.kind === 'output') {
      if (text !== '') this.#out.push({ ...event, atMs, bytes: Buffer.from(text) });
    } else if (event.kind === 'input') this.#out.push({ ...event, atMs, text });
    else if (event.kind === 'marker') this.#out.push({ ...event, atMs, label: text });
    else this.#out.push({ ...event, atMs });
  }
}

/** The header of a recording. */
export function maskedStart(redactor: Redactor, start: RecordingStart): RecordingStart {
  const { title, command, commandLine } = start;
  const masked = (text: string): string => redactor.mask(text).text;
  return {
    ...start,
    title: title && masked(title),
    command: command && masked(command),
    commandLine: commandLine?.map(masked),
  };
}
