/**
 * What happens in one terminal, for every part of the daemon that observes it: output as it arrives, each parsed slice,
 * input, events, resizes, the end of the process. Synchronous and in order; nothing is queued for an observer, which must
 * bound what it keeps. Costs nothing for the kinds that nobody observes.
 *
 * Observers are called in the order in which they were added, the detectors first. So the events of a slice come before its
 * `onParsed`, and `activity` before the `onBytes` that ended the silence. An event that is published from within a callback
 * comes after the event that is being reported. An error of an observer is logged; the terminal and the other observers go on.
 */
import type { Disposable } from '../base/lifetime.js';
import { type Log, silentLog } from '../base/log.js';
import type { TerminalEvent } from '../protocol/events.js';
import type { ParsedEvent, ScreenSlice } from '../vt/screen-events.js';

export interface TerminalObserver {
  /** Output, before it is parsed. @param offset bytes of output before it */
  onBytes?(bytes: Uint8Array, offset: number): void;
  /** What the screen has just applied, before its events: output or a change of size. Bytes are valid during the call only. */
  onSlice?(slice: ScreenSlice): void;
  /** A slice of output is on the screen, and so are its events. */
  onParsed?(slice: ParsedEvent): void;
  /** Input is about to be written. */
  onInput?(bytes: Uint8Array, isSecret: boolean): void;
  /** An event of this terminal was published. */
  onEvent?(event: TerminalEvent): void;
  /** The screen has this size; the program learns it next. */
  onResize?(size: { readonly cols: number; readonly rows: number }): void;
  /** The process is gone and all of its output is on the screen; the event `exit` follows. */
  onExit?(exit: { readonly code: number | null; readonly signal: string | null }): void;
}

type Kind = keyof TerminalObserver;

const KINDS: readonly Kind[] = ['onBytes', 'onSlice', 'onParsed', 'onInput', 'onEvent', 'onResize', 'onExit'];

type Observers = Record<Kind, readonly TerminalObserver[]>;

export class Feed implements Disposable {
  readonly #log: Log;
  /** By kind, so that a kind without observers costs an empty loop. Copied on change: a running loop keeps its list. */
  readonly #observers: Observers = {
    onBytes: [],
    onSlice: [],
    onParsed: [],
    onInput: [],
    onEvent: [],
    onResize: [],
    onExit: [],
  };
  readonly #events: TerminalEvent[] = [];
  #reporting = false;
  #bytes = 0;
  #disposed = false;

  constructor(log: Log = silentLog) {
    this.#log = log;
  }

  /** @param isFirst before those that were added earlier */
  add(observer: TerminalObserver, isFirst = false): Disposable {
    if (this.#disposed) return { dispose: () => {} };
    const kinds = KINDS.filter((kind) => observer[kind] !== undefined);
    for (const kind of kinds) {
      const others = this.#observers[kind];
      this.#observers[kind] = isFirst ? [observer, ...others] : [...others, observer];
    }
    return {
      dispose: () => {
        for (const kind of kinds) {
          this.#observers[kind] = this.#observers[kind].filter((other) => other !== observer);
        }
      },
    };
  }

  bytes(bytes: Uint8Array): void {
    const offset = this.#bytes;
    this.#bytes += bytes.length;
    for (const observer of this.#observers.onBytes) this.#guard(() => observer.onBytes?.(bytes, offset));
  }

  slice(slice: ScreenSlice): void {
    for (const observer of this.#observers.onSlice) this.#guard(() => observer.onSlice?.(slice));
  }

  parsed(slice: ParsedEvent): void {
    for (const observer of this.#observers.onParsed) this.#guard(() => observer.onParsed?.(slice));
  }

  input(bytes: Uint8Array, isSecret = false): void {
    for (const observer of this.#observers.onInput) this.#guard(() => observer.onInput?.(bytes, isSecret));
  }

  /** Reported at once, or after the event that is being reported. */
  event(event: TerminalEvent): void {
    this.#events.push(event);
    if (this.#reporting) return;
    this.#reporting = true;
    for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) {
      const published = next;
      for (const observer of this.#observers.onEvent) this.#guard(() => observer.onEvent?.(published));
    }
    this.#reporting = false;
  }

  resize(size: { readonly cols: number; readonly rows: number }): void {
    for (const observer of this.#observers.onResize) this.#guard(() => observer.onResize?.(size));
  }

  exit(exit: { readonly code: number | null; readonly signal: string | null }): void {
    for (const observer of this.#observers.onExit) this.#guard(() => observer.onExit?.(exit));
  }

  /** Drops all observers; later ones are not called. */
  dispose(): void {
    this.#disposed = true;
    for (const kind of KINDS) this.#observers[kind] = [];
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#log.error('an observer of a terminal failed', error);
    }
  }
}
