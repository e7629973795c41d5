/**
 * Replies of large reads, made in slices. What is read was captured in one step before; the rest of the work is done at once if it takes
 * a few milliseconds, as that of nearly all reads, and else in short slices, those of a connection one after the other. Reads that ask
 * for the same while it is being made get the same. Bytes that a long read keeps count to the connections that wait for it.
 */
import { WorkSchedule } from '../../search/work-schedule.js';
import type { Work } from '../../search/work.js';
import { MadeBytes } from '../../rpc/made-bytes.js';
import type { ClientCall } from '../../rpc/service.js';
import { ScreenMoved } from './captured-lines.js';
import { OneAtATime } from '../../rpc/one-at-a-time.js';
import { SharedRead } from './shared-read.js';

/** A screen of 200x50 takes one or two. */
const AT_ONCE_MS = 4;

/** In each turn of the event loop: a small read of another client waits about as long as it takes itself. */
const SLICE_MS = 1;

/** What is read: the same key in the same state of the screen is the same. */
export interface ReadKey {
  readonly of: object;
  readonly key: string;
}

/** Generator of a reply, which reports the bytes that it keeps. */
export type Making<T> = (made: MadeBytes) => Work<T>;

export interface LongRead<T> {
  /** Undefined if another read is making the same. */
  readonly work: Work<T> | undefined;
  /** Undefined if it is like no other. Called for a long read alone. */
  readonly key: () => ReadKey | undefined;
  /** Bytes that the work keeps. */
  readonly made: MadeBytes;
}

/** A read that is like no other. */
export function alone<T>(making: Making<T>): LongRead<T> {
  const made = new MadeBytes();
  return { work: making(made), key: () => undefined, made };
}

export class LongReads<T> {
  readonly #schedule = new WorkSchedule(SLICE_MS);
  readonly #ofConnections = new OneAtATime();
  readonly #shared = new Map<object, Map<string, SharedRead<T>>>();

  /** Captures nothing if the same is being made. */
  read(key: () => ReadKey | undefined, capture: Making<T>): LongRead<T> {
    const given = this.#shared.size === 0 ? undefined : key();
    const isMade = given !== undefined && this.#find(given) !== undefined;
    const made = new MadeBytes();
    return { work: isMade ? undefined : capture(made), key: given === undefined ? key : () => given, made };
  }

  /** @throws the error of the work; the signal's reason; {@link ScreenMoved} if the same is not being made any more */
  async finish(read: LongRead<T>, call: ClientCall): Promise<T> {
    try {
      return await this.#finish(read, call);
    } catch (error) {
      // Order: before the call reads it again.
      read.made.givenUpBy(call);
      throw error;
    }
  }

  async #finish({ work, key, made }: LongRead<T>, call: ClientCall): Promise<T> {
    const endMs = performance.now() + AT_ONCE_MS;
    while (work !== undefined) {
      const next = work.next();
      if (next.done === true) return next.value;
      if (performance.now() >= endMs) break;
    }
    const given = key();
    const found = given && this.#find(given);
    const shared = found ?? this.#begin(work, made);
    if (given !== undefined && found === undefined) this.#keep(given, shared);
    shared.readers++;
    // Reads that wait for their turn have made parts, too, in their first milliseconds.
    shared.made.readBy(call);
    try {
      const result = await this.#ofConnections.run(call, () => shared.result(call.signal));
      shared.made.readTo(call);
      return result;
    } finally {
      shared.made.givenUpBy(call);
      shared.readers--;
      if (shared.readers === 0) {
        shared.dispose();
        if (given !== undefined) this.#drop(given);
      }
    }
  }

  #begin(work: Work<T> | undefined, made: MadeBytes): SharedRead<T> {
    if (work === undefined) throw new ScreenMoved();
    return new SharedRead((signal) => this.#schedule.finish(work, signal), made);
  }

  #find({ of, key }: ReadKey): SharedRead<T> | undefined {
    return this.#shared.get(of)?.get(key);
  }

  #keep({ of, key }: ReadKey, shared: SharedRead<T>): void {
    const all = this.#shared.get(of) ?? new Map<string, SharedRead<T>>();
    this.#shared.set(of, all.set(key, shared));
  }

  #drop({ of, key }: ReadKey): void {
    const all = this.#shared.get(of);
    all?.delete(key);
    if (all?.size === 0) this.#shared.delete(of);
  }
}
