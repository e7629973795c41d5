/**
 * A recording as a terminal that is not alive: everything that reads works on it, and nothing writes. It has no effects:
 * its events are published nowhere, its queries are not answered, and no process belongs to it.
 */
import { T4aError, quote } from '../../protocol/errors.js';
import type { Moment } from '../../protocol/moment.js';
import type { RecordingEvent, RecordingFormat, RecordingStart, TimedEvent } from '../../recording/recording-event.js';
import { readRecording, type ReadOptions } from '../../recording/read-recording.js';
import { untilParsed } from '../../vt/parsing/until-parsed.js';
import type { TerminalObserver } from '../terminal/feed.js';
import type { TerminalSetup } from '../terminal/setup.js';
import type { SharedParts } from '../terminal/shared-parts.js';
import { Terminal } from '../terminal/terminal.js';
import { RecordedSource } from './recorded-source.js';

export interface OpenedRecording {
  readonly terminal: RecordedTerminal;
  readonly format: RecordingFormat;
  readonly durationMs: number;
  /** Time of the recording that is shown. */
  readonly atMs: number;
  readonly complete: boolean;
  readonly repaired: number;
}

export interface OpenOptions extends ReadOptions {
  readonly path: string;
  readonly at: Moment;
  /** All fields of a terminal that do not come from the file. */
  readonly setup: (start: RecordingStart) => Omit<TerminalSetup, 'source' | 'recording'>;
  readonly parts: SharedParts;
  /** Keeps its past. @param now wall time of the recording */
  readonly observe: (terminal: Terminal, now: () => number) => TerminalObserver;
}

/** @throws T4aError recording_not_found, recording_invalid, invalid_field; the signal's reason */
export async function openRecording(options: OpenOptions): Promise<OpenedRecording> {
  const { path, at, parts: shared, setup, observe } = options;
  const untilMs = at.kind === 'before_end' ? (await durationOf(options)) - at.ms : at.kind === 'start' ? 0 : Infinity;
  const show = new Shown(at.kind === 'since_start' ? { ...at, kind: 'since_start' } : at, untilMs);
  let terminal: RecordedTerminal | undefined;
  try {
    const parts = readRecording(path, options);
    for (;;) {
      const part = await parts.next();
      if (part.done === true) {
        if (terminal === undefined) throw new T4aError('recording_invalid', `${quote(path)} has no header.`);
        if (at.kind === 'marker' && !show.isOver) throw noMarker(path, at.name);
        await terminal.finish(show.exitStatus, show.atMs);
        return { ...part.value, terminal, durationMs: show.durationMs, atMs: show.atMs };
      }
      for (const event of part.value) {
        if (event.kind === 'start') {
          const { startedAtMs = 0 } = event;
          terminal = new RecordedTerminal(path, { setup: setup(event), parts: shared, startedAtMs, observe });
        } else if (show.takes(event)) await terminal?.apply(event);
      }
      if (terminal !== undefined) await untilParsed(terminal.screen);
    }
  } catch (error) {
    terminal?.remove();
    throw error;
  }
}

function noMarker(path: string, name: string): T4aError {
  return new T4aError('invalid_field', `${quote(path)} has no marker ${quote(name)}.`, { field: 'at' });
}

async function durationOf({ path, ...options }: OpenOptions): Promise<number> {
  let lastMs = 0;
  for await (const part of readRecording(path, options)) {
    for (const event of part) if (event.kind !== 'start') lastMs = event.atMs;
  }
  return lastMs;
}

/** Which events are shown for a moment; the others only count for the duration. */
class Shown {
  readonly #marker: string | undefined;
  readonly #untilMs: number;
  /** The moment is reached. */
  isOver = false;
  durationMs = 0;
  atMs = 0;
  exitStatus: number | undefined;

  constructor(at: Moment, untilMs: number) {
    this.#marker = at.kind === 'marker' ? at.name : undefined;
    this.#untilMs = at.kind === 'since_start' ? at.ms : Math.max(0, untilMs);
  }

  takes(event: TimedEvent): boolean {
    this.durationMs = event.atMs;
    this.isOver ||= event.atMs > this.#untilMs;
    if (this.isOver) {
      if (this.#marker === undefined) this.atMs = this.#untilMs;
      return false;
    }
    this.atMs = event.atMs;
    if (event.kind === 'exit') this.exitStatus = event.status;
    if (event.kind === 'marker' && event.label === this.#marker) this.isOver = true;
    return true;
  }
}

export interface RecordedSetup {
  readonly setup: Omit<TerminalSetup, 'source' | 'recording'>;
  readonly parts: SharedParts;
  /** Wall time; 0 if the file has none. */
  readonly startedAtMs: number;
  readonly observe: OpenOptions['observe'];
}

export class RecordedTerminal extends Terminal {
  readonly #source: RecordedSource;
  readonly #past: TerminalObserver;
  /** Wall time of the recording: that of the output that is being parsed, then of its end. */
  #nowMs: number;
  readonly #startedAtMs: number;

  constructor(path: string, { setup, parts, startedAtMs, observe }: RecordedSetup) {
    const source = new RecordedSource();
    super({ ...setup, source, recording: path }, parts.apart());
    this.#source = source;
    this.#startedAtMs = startedAtMs;
    this.#nowMs = startedAtMs;
    this.#past = observe(this, () => this.#nowMs);
    this.feed.add(this.#past);
  }

  /** Call {@link untilParsed} now and then: what is written waits in memory. */
  async apply(event: Exclude<RecordingEvent, RecordingStart>): Promise<void> {
    const nowMs = this.#startedAtMs + Math.round(event.atMs);
    // What was printed in one millisecond is one slice; a slice has one time.
    if (nowMs !== this.#nowMs || event.kind !== 'output') await untilParsed(this.screen);
    this.#nowMs = nowMs;
    if (event.kind === 'output') this.#source.onData.emit(event.bytes);
    if (event.kind === 'resize') await super.resize(event.cols, event.rows);
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
