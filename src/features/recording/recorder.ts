/**
 * Records one terminal: what its screen parses, in the same slices and with changes of size between them, becomes lines of
 * an asciicast on another thread, and so does input that is shown, if asked for. The terminal never waits: while the disk is too slow,
 * output is left out, and a marker and a repaint of the screen follow.
 */
import { constants } from 'node:os';
import type { Clock } from '../../base/clock.js';
import type { HasParts } from '../../base/parts.js';
import { type Disposable, DisposableScope } from '../../base/lifetime.js';
import type { TerminalEvent } from '../../protocol/events.js';
import { repaint } from '../../vt/repaint.js';
import type { Screen } from '../../vt/screen.js';
import type { ScreenSlice } from '../../vt/screen-events.js';
import { FileWriter } from './file-writer.js';
import { EventMask } from '../../redaction/event-mask.js';
import type { Redactor } from '../../redaction/redactor.js';
import { maskedOutput } from '../../redaction/stream-mask.js';
import type { CastEvent } from './writer-messages.js';
import type { Writers } from './writers.js';

/** The part of a terminal that is recorded. */
export interface RecordedTerminal extends HasParts {
  readonly id: string;
  readonly command: readonly string[];
  readonly alive: boolean;
  readonly screen: Screen;
  readonly feed: {
    add(observer: { onSlice(slice: ScreenSlice): void; onEvent(event: TerminalEvent): void }): Disposable;
  };
}

export interface RecordingLimits {
  /** Recorded and not written yet. */
  readonly maxPendingBytes: number;
  readonly maxBytes: number;
  readonly minFreeBytes: number;
}

export interface RecorderOptions {
  readonly path: string;
  readonly title: string | undefined;
  readonly version: string;
  readonly clock: Clock;
  readonly writers: Writers;
  readonly limits: RecordingLimits;
  /** Masks the secrets of what is recorded. */
  readonly redactor?: Redactor | undefined;
  /** The folder is ready. */
  readonly prepared?: Promise<void>;
  /** For the operator. */
  readonly warn: (message: string) => void;
  /** Called once, when the file is nearly as long as it may be; what comes until {@link Recorder.finish} is recorded. */
  readonly onLong?: () => void;
  /** Of another process, whose file it goes on with. */
  readonly frozen?: FrozenRecorder | undefined;
}

export interface FrozenRecorder {
  readonly startedAtMs: number;
  /** Time of day of these ages. */
  readonly wallMs: number;
  readonly startAgoMs: number;
  readonly lastAgoMs: number;
  readonly inode: number;
  /** Bytes of the file. */
  readonly size: number;
  readonly masked: number;
  readonly gaps: number;
}

export class Recorder {
  readonly path: string;
  readonly terminal: string;
  readonly title: string | undefined;
  readonly startedAtMs: number;
  /** Resolves once the file exists; rejects with the system's error. */
  readonly opened: Promise<void>;
  /** Resolves once the file is closed, whatever ended it. */
  readonly closed: Promise<void>;
  readonly #clock: Clock;
  readonly #file: FileWriter;
  readonly #scope = new DisposableScope();
  readonly #startMs: number;
  readonly #warn: (message: string) => void;
  readonly #isAlive: () => boolean;
  #mask: EventMask<MaskedEvent> | undefined;
  #maskedBefore = 0;
  #lastMs = 0;
  #endMs: number | undefined;
  #onLong: (() => void) | undefined;
  #gaps = 0;

  /** Takes what the terminal prints from now on. */
  constructor(terminal: RecordedTerminal, options: RecorderOptions) {
    const { id, screen } = terminal;
    const { path, version, clock, writers, limits, warn, redactor, prepared = Promise.resolve(), frozen } = options;
    const clean = (text: string): string => redactor?.mask(text).text ?? text;
    const title = options.title && clean(options.title);
    this.path = path;
    this.terminal = id;
    this.title = title;
    this.startedAtMs = frozen?.startedAtMs ?? clock.wallNow();
    this.#clock = clock;
    this.#warn = warn;
    this.#isAlive = () => terminal.alive;
    this.#onLong = options.onLong;
    // Both processes have clocks of their own; the time of day is the same.
    const sinceMs = frozen === undefined ? 0 : Math.max(0, clock.wallNow() - frozen.wallMs);
    this.#startMs = clock.now() - sinceMs - (frozen?.startAgoMs ?? 0);
    this.#maskedBefore = frozen?.masked ?? 0;
    this.#gaps = frozen?.gaps ?? 0;
    const resumed = frozen && {
      inode: frozen.inode,
      lastMs: clock.now() - sinceMs - frozen.lastAgoMs,
      size: frozen.size,
    };
    const { cols, rows, rev } = screen;
    const size = { cols, rows, startedAtMs: this.startedAtMs, title, command: clean(terminal.command.join(' ')) };
    const header = { ...size, t4a: { terminal: id, rev, version } };
    const { maxBytes, minFreeBytes, maxPendingBytes } = limits;
    const facts = { path, maxBytes, minFreeBytes, header, startMs: this.#startMs, resumed };
    const onGap = (): void => this.#onGap();
    const afterGap = (): Omit<CastEvent, 'ms'>[] => {
      // Of what is held back nothing is in the file, and all is on the screen.
      this.#mask = redactor && this.#newMask(redactor, screen);
      return [
        { code: 'm', text: 'gap' },
        { code: 'r', text: `${screen.cols}x${screen.rows}` },
        {
          code: 'o',
          text:
            redactor === undefined
              ? repaint(screen)
              : maskedOutput(redactor, screen.cols, repaint(screen), screen).text,
        },
      ];
    };
    this.#mask = redactor && this.#newMask(redactor, screen);
    this.#file = new FileWriter({ writers, facts, maxPendingBytes, prepared, clock, onGap, afterGap });
    this.opened = this.#file.opened;
    this.closed = this.#file.closed.then((error) => this.#fileClosed(error));
    // What it shows already: the recording plays alone.
    if (screen.parsedBytes > 0 && frozen === undefined) this.#put('o', repaint(screen));
    const observer = {
      onSlice: (slice: ScreenSlice): void => this.#onSlice(slice),
      onEvent: (event: TerminalEvent): void => this.#onEvent(event),
    };
    this.#scope.add(terminal.feed.add(observer));
    if (!terminal.alive) void this.finish();
  }

  /** Whether another process can go on with it now. */
  get isPortable(): boolean {
    return this.#endMs === undefined && this.#file.isPortable;
  }

  /**
   * A gap ends, and what was held back to look for secrets is written, as with {@link flush}: the other process looks anew, and need
   * not know that its disk was too slow.
   */
  settle(): void {
    if (this.#endMs !== undefined) return;
    this.#file.heal();
    this.#mask?.flush();
  }

  /** Undefined if it is not portable. */
  freeze(): FrozenRecorder | undefined {
    const file = this.isPortable ? this.#file.freeze() : undefined;
    if (file === undefined) return undefined;
    const nowMs = this.#clock.now();
    return {
      startedAtMs: this.startedAtMs,
      wallMs: this.#clock.wallNow(),
      startAgoMs: nowMs - this.#startMs,
      lastAgoMs: nowMs - file.lastMs,
      inode: file.inode,
      size: file.size,
      masked: this.masked,
      gaps: this.#gaps,
    };
  }

  /** Resolves once all of it is in the file, where another process can go on. */
  settled(): Promise<void> {
    return this.#file.settled();
  }

  /** Bytes of the file so far. */
  get size(): number {
    return this.#file.size;
  }

  /** Times that output was left out. */
  get gaps(): number {
    return this.#gaps;
  }

  /** Secrets that were masked. */
  get masked(): number {
    return this.#maskedBefore + (this.#mask?.count ?? 0);
  }

  get durationMs(): number {
    return Math.round((this.#endMs ?? this.#clock.now()) - this.#startMs);
  }

  /** For as long as the recording goes on. @param observe begins to report input */
  recordInput(observe: (onShown: (text: string) => void) => Disposable): void {
    if (this.#endMs === undefined) this.#scope.add(observe((text) => this.#put('i', text)));
  }

  mark(label: string): void {
    this.#put('m', label);
  }

  /** Resolves once what was recorded so far is in the file, also what was held back to look for secrets. */
  async flush(): Promise<void> {
    if (this.#endMs === undefined) this.#mask?.flush();
    await this.#file.flush();
  }

  /** Resolves once everything so far is in the file. Further calls wait for the first. */
  async finish(): Promise<void> {
    this.#stop();
    await this.#file.finish();
    await this.closed;
  }

  #onSlice(slice: ScreenSlice): void {
    if (slice.kind === 'resize') this.#put('r', `${slice.cols}x${slice.rows}`);
    else this.#put('o', slice.text);
  }

  #onEvent(event: TerminalEvent): void {
    if (event.event === 'command_started' && event.command !== null) this.#put('m', event.command);
    if (event.event === 'marker') this.#put('m', event.label);
    if (event.event === 'exit') {
      this.#file.heal();
      this.#put('x', String(exitStatus(event)));
    }
    if (event.event === 'exit' || event.event === 'removed') void this.finish();
  }

  /** @param text bytes are plain ASCII, valid during the call only */
  #put(code: CastEvent['code'], text: string | Uint8Array): void {
    // Output of zero characters ends within a character; the next slice has it.
    if (code === 'o' && text.length === 0) return;
    const mask = this.#mask;
    if (mask === undefined) {
      this.#write(code, text);
      return;
    }
    const event = { code, ms: this.#clock.now() };
    const words =
      typeof text === 'string' ? text : Buffer.from(text.buffer, text.byteOffset, text.length).toString('latin1');
    if (code === 'o') mask.output(words, event);
    else if (code === 'i') mask.input(words, event);
    else if (code === 'm') mask.marker(words, event);
    else if (code === 'r') {
      const [resizedCols = 0, resizedRows = 0] = words.split('x').map(Number);
      mask.resize({ cols: resizedCols, rows: resizedRows }, { ...event, text: words });
    } else mask.other(event, words);
  }

  /** Input that was held back comes later than it was typed. */
  #newMask(redactor: Redactor, { cols, rows }: Pick<Screen, 'cols' | 'rows'>): EventMask<MaskedEvent> {
    this.#maskedBefore = this.masked;
    const emit = ({ code, ms, text: own }: MaskedEvent, piece?: string): void => {
      this.#lastMs = Math.max(ms, this.#lastMs);
      const text = own ?? piece ?? '';
      if (code !== 'o' || text !== '') this.#write(code, text, this.#lastMs);
    };
    return new EventMask(redactor, cols, emit, { rows });
  }

  #write(code: CastEvent['code'], text: string | Uint8Array, ms?: number): void {
    if (!this.#file.put(code, text, ms) || !this.#file.isNearlyLong) return;
    this.#onLong?.();
    this.#onLong = undefined;
  }

  #onGap(): void {
    this.#gaps++;
    this.#warn(`The recording ${this.path} of terminal "${this.terminal}" has a gap: its disk is too slow.`);
  }

  #stop(): void {
    if (this.#endMs !== undefined) return;
    this.#endMs = this.#clock.now();
    this.#scope.dispose();
    this.#mask?.end(this.#isAlive());
  }

  #fileClosed(error: Error | undefined): void {
    if (error === undefined) return;
    this.#stop();
    this.#warn(`The recording ${this.path} of terminal "${this.terminal}" has ended early: ${error.message}.`);
  }
}

interface MaskedEvent {
  readonly code: CastEvent['code'];
  readonly ms: number;
  /** Of its own. */
  readonly text?: string;
}

/** As a shell has it: 128 and the number of the signal. */
export function exitStatus({ code, signal }: Extract<TerminalEvent, { event: 'exit' }>): number {
  if (code !== null) return code;
  return 128 + (constants.signals[(signal ?? 'SIGKILL') as NodeJS.Signals] ?? 0);
}
