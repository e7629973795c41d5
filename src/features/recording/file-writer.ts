/**
 * The file of a recording, in whichever format, as the main thread has it: events go to the thread that writes, and callers neither wait
 * nor fail. What is not written yet has a bound: beyond it events are left out, and once the disk has caught up the file goes on with what
 * its format writes after a gap.
 */
import type { Clock } from '../../base/clock.js';
import { type CastEvent, MAX_LINE_SHARE, type NewFile, weightOf } from './writer-messages.js';
import type { Writers } from './writers.js';

export interface FileWriterOptions {
  readonly writers: Writers;
  readonly facts: NewFile;
  readonly maxPendingBytes: number;
  readonly clock: Clock;
  /** A gap has begun. */
  readonly onGap: () => void;
  /** The first events after a gap: the screen as it is then. */
  readonly afterGap: () => readonly Omit<CastEvent, 'ms'>[];
  /** The folder is ready. */
  readonly prepared: Promise<void>;
}

/** Of the bound on the length: the rest is for what comes before the next part begins. */
const PART_SHARE = 15 / 16;

export interface FrozenFile {
  readonly inode: number;
  /** Of the last event, in the time of the process that had it. */
  readonly lastMs: number;
  readonly size: number;
}

export class FileWriter {
  /** Resolves once the file exists. Rejects with the system's error. */
  readonly opened: Promise<void>;
  /** Resolves with the error that ended it, if any, once the file is closed. */
  readonly closed: Promise<Error | undefined>;
  readonly #options: FileWriterOptions;
  /** Until the folder is ready. */
  readonly #early: CastEvent[] = [];
  #file: number | undefined;
  #pending = 0;
  #written = 0;
  /** Callers that wait until so much is written. */
  readonly #flushes: { readonly weight: number; readonly resolve: () => void }[] = [];
  #size = 0;
  #inode: number | undefined;
  /** Of the last event. */
  #lastMs: number;
  #settling: (() => void)[] = [];
  #inGap = false;
  #isFinishing = false;
  #isClosed = false;
  #onOpened = (): void => {};
  #onRefused: (error: Error) => void = () => {};
  #onClosed: (error: Error | undefined) => void = () => {};

  constructor(options: FileWriterOptions) {
    this.#options = options;
    this.#lastMs = options.facts.startMs;
    this.#size = options.facts.resumed?.size ?? 0;
    this.opened = new Promise((resolve, reject) => {
      this.#onOpened = resolve;
      this.#onRefused = reject;
    });
    this.closed = new Promise((resolve) => (this.#onClosed = resolve));
    this.opened.catch(() => {});
    void options.prepared
      .then(() => this.#open())
      .catch((error: unknown) => this.#close(error instanceof Error ? error : new Error(String(error))));
  }

  /** It can be left to another process, once a gap is healed: it is open, and not being ended. */
  get isPortable(): boolean {
    return this.#inode !== undefined && !this.isOver;
  }

  /** For a writer of another process, once it is {@link settled}. Undefined before it is open. */
  freeze(): FrozenFile | undefined {
    if (this.#inode === undefined) return undefined;
    return { inode: this.#inode, lastMs: this.#lastMs, size: this.#size };
  }

  /** Resolves once what was appended so far is in the file, so that another process can go on with it, or the file is closed. */
  async settled(): Promise<void> {
    if (this.#file === undefined) return;
    const settled = new Promise<void>((resolve) => this.#settling.push(resolve));
    this.#options.writers.settle(this.#file);
    await Promise.race([settled, this.closed]);
  }

  /** Of the file so far. */
  get size(): number {
    return this.#size;
  }

  /** Near the bound on its length, and so near that what is not written yet may not fit; compressed it takes less. */
  get isNearlyLong(): boolean {
    return this.#size + this.#pending * MAX_LINE_SHARE > this.#options.facts.maxBytes * PART_SHARE;
  }

  /** Nothing more is written. */
  get isOver(): boolean {
    return this.#isClosed || this.#isFinishing;
  }

  /** @param text bytes are valid during the call only @param ms default: now @returns false: it is left out */
  put(code: CastEvent['code'], text: string | Uint8Array, ms?: number): boolean {
    if (this.isOver) return false;
    if (!this.#inGap && this.#pending > this.#options.maxPendingBytes) {
      this.#inGap = true;
      this.#options.onGap();
    }
    if (this.#inGap) return false;
    this.append(code, typeof text === 'string' ? text : new Uint8Array(text), ms);
    return true;
  }

  /** In a gap and beyond the bound, too. */
  append(code: CastEvent['code'], text: string | Uint8Array<ArrayBuffer>, ms = this.#options.clock.now()): void {
    if (this.isOver) return;
    const event = { code, text, ms } as CastEvent;
    this.#lastMs = Math.max(this.#lastMs, ms);
    this.#pending += weightOf(event);
    if (this.#file === undefined) this.#early.push(event);
    else this.#options.writers.append(this.#file, event);
  }

  /** Ends a gap, if there is one. */
  heal(): void {
    if (!this.#inGap || this.isOver) return;
    this.#inGap = false;
    for (const { code, text } of this.#options.afterGap()) this.append(code, text);
  }

  /** Resolves once what was appended so far is in the file, or the file is closed. */
  async flush(): Promise<void> {
    if (this.#pending === 0) return;
    const weight = this.#written + this.#pending;
    const written = new Promise<void>((resolve) => this.#flushes.push({ weight, resolve }));
    await Promise.race([written, this.closed]);
  }

  /** Resolves once everything is on the disk, or the error of {@link closed} has come. */
  async finish(): Promise<void> {
    this.heal();
    if (!this.#isFinishing && this.#file !== undefined) this.#options.writers.finish(this.#file);
    this.#isFinishing = true;
    await this.closed;
  }

  #open(): void {
    const { writers, facts } = this.#options;
    const file = writers.open(facts, {
      opened: (inode) => {
        this.#inode = inode;
        this.#onOpened();
      },
      settled: () => {
        for (const resolve of this.#settling.splice(0)) resolve();
      },
      written: (weight, size) => {
        this.#pending -= weight;
        this.#written += weight;
        this.#size = size;
        while ((this.#flushes[0]?.weight ?? Infinity) <= this.#written) this.#flushes.shift()?.resolve();
        if (this.#pending === 0) this.heal();
      },
      closed: (error) => this.#close(error),
    });
    this.#file = file;
    for (const event of this.#early.splice(0)) writers.append(file, event);
    if (this.#isFinishing) writers.finish(file);
  }

  #close(error: Error | undefined): void {
    this.#isClosed = true;
    this.#early.length = 0;
    this.#flushes.length = 0;
    // Without effect once it is open.
    if (error !== undefined) this.#onRefused(error);
    this.#onClosed(error);
  }
}
