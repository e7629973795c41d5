/** The events of a recording with their secrets masked: output and input each as one stream, markers alone, all in their order. */
import type { Redactor } from './redactor.js';
import { StreamMask, type StreamMaskOptions } from './stream-mask.js';
import { TypedMask } from './typed-mask.js';

/** @param text in the place of the event's own; a part of it, if there are several calls for one event */
type Emit<Event> = (event: Event, text?: string) => void;

interface Queued<Event> {
  readonly event: Event;
  /** Absent for output, and for what has no text. */
  readonly text?: string;
}

export class EventMask<Event> {
  readonly #redactor: Redactor;
  readonly #output: StreamMask<Queued<Event>>;
  readonly #input: TypedMask<Event>;
  #markers = 0;

  constructor(redactor: Redactor, cols: number, emit: Emit<Event>, options?: StreamMaskOptions) {
    this.#redactor = redactor;
    this.#output = new StreamMask(redactor, cols, (piece, { event, text }) => emit(event, text ?? piece), options);
    this.#input = new TypedMask(redactor, (text, event) => this.#output.write('', { event, text }));
  }

  /** Secrets that were masked. */
  get count(): number {
    return this.#output.count + this.#input.count + this.#markers;
  }

  output(text: string, event: Event): void {
    this.#output.write(text, { event });
  }

  input(text: string, event: Event): void {
    this.#input.write(text, event);
  }

  marker(label: string, event: Event): void {
    const { text, count } = this.#redactor.mask(label);
    this.#markers += count;
    this.#output.write('', { event, text });
  }

  resize({ cols, rows }: { readonly cols: number; readonly rows: number }, event: Event): void {
    this.#output.resize(cols, rows);
    this.other(event);
  }

  /** An event without a text to mask. @param text of its own */
  other(event: Event, text = ''): void {
    this.#output.write('', { event, text });
  }

  /** Nothing is held back for now; see {@link StreamMask.flush}. */
  flush(): void {
    this.#input.flush();
    this.#output.flush();
  }

  /** Nothing is held back any more. @param isCut see {@link StreamMask.end} */
  end(isCut = false): void {
    this.#input.end(isCut);
    this.#output.end(isCut);
  }
}
