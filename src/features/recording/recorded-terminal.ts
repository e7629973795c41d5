/**
 * A recording as a terminal that is not alive: everything that reads works on it, and nothing writes. It has no effects:
 * its events are published nowhere, its queries are not answered, and no process belongs to it.
 */
import { T4aError } from '../../protocol/errors.js';
import type { RecordingEvent, RecordingStart } from '../../history/recording/recording-event.js';
import { untilParsed } from '../../vt/parsing/until-parsed.js';
import type { TerminalObserver } from '../../terminal/feed.js';
import type { TerminalSetup } from '../../terminal/setup.js';
import type { SharedParts } from '../../terminal/shared-parts.js';
import type { FrozenTerminal } from '../../terminal/frozen-terminal.js';
import { Terminal } from '../../terminal/terminal.js';
import { logOf } from '../past/log-of.js';
import { RESTORED } from '../past/persisted.js';
import { RecordedSource } from './recorded-source.js';

export interface RecordedSetup {
  readonly setup: Omit<TerminalSetup, 'source' | 'recording'>;
  readonly parts: SharedParts;
  /** Wall time; 0 if the file has none. */
  readonly startedAtMs: number;
  /** Keeps its past. @param now wall time of the recording */
  readonly observe: (terminal: Terminal, now: () => number) => TerminalObserver;
  /** Of another process, where it was opened. */
  readonly frozen?: FrozenTerminal | undefined;
}

export class RecordedTerminal extends Terminal {
  readonly #source: RecordedSource;
  readonly #past: TerminalObserver;
  /** Wall time of the recording: that of the output that is being parsed, then of its end. */
  #nowMs: number;
  readonly #startedAtMs: number;

  constructor(path: string, { setup, parts, startedAtMs, observe, frozen }: RecordedSetup) {
    const source = new RecordedSource();
    super({ ...setup, source, recording: path }, parts.apart(), frozen && { frozen });
    this.#source = source;
    this.#startedAtMs = startedAtMs;
    this.#nowMs = frozen?.recorded?.nowMs ?? startedAtMs;
    this.part(RESTORED).value = frozen?.recorded?.restored;
    this.#past = observe(this, () => this.#nowMs);
    this.feed.add(this.#past);
  }

  override freeze(): FrozenTerminal {
    const restored = this.part(RESTORED).value;
    return { ...super.freeze(), recorded: { startedAtMs: this.#startedAtMs, nowMs: this.#nowMs, restored } };
  }

  /** Call {@link untilParsed} now and then: what is written waits in memory. */
  async apply(event: Exclude<RecordingEvent, RecordingStart>): Promise<void> {
    const nowMs = this.#startedAtMs + Math.round(event.atMs);
    // What was printed in one millisecond is one slice; a slice has one time.
    if (nowMs !== this.#nowMs || event.kind !== 'output') await untilParsed(this.screen);
    this.#nowMs = nowMs;
    if (event.kind === 'output') this.#source.onData.emit(event.bytes);
    if (event.kind === 'resize') await super.resize(event.cols, event.rows);
    if (event.kind === 'look') logOf(this)?.look(event.isLast);
    if (event.kind === 'marker') this.publish({ event: 'marker', terminal: this.id, label: event.label });
    // Its time alone: nothing is typed into a recording.
    if (event.kind === 'input') this.#past.onInput?.(Buffer.from(event.text), false);
  }

  /** Nothing follows. @param atMs time of the recording that is shown */
  async finish(status: number | undefined, atMs: number): Promise<void> {
    this.#nowMs = this.#startedAtMs + Math.round(atMs);
    this.#source.onExit.emit({ code: status ?? null, signal: null });
    await this.exited();
    // The wall time of opening is no time of the recording.
    this.exitedAtMs = undefined;
  }

  override async resize(): Promise<void> {
    throw this.exitedError();
  }

  override async end(): Promise<number[]> {
    return [];
  }

  override killAtOnce(): void {}

  override exitedError(): T4aError {
    return new T4aError('read_only', `Terminal "${this.id}" is a recording: it can only be read.`, {
      hint: `t4a text ${this.id}`,
    });
  }
}
