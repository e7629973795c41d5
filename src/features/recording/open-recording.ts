/** Shows a recording in a terminal of its own, up to a moment, beside all other work of the daemon. */
import { T4aError, quote } from '../../protocol/errors.js';
import { MAX_MARKER_LENGTH, MAX_MARKERS } from '../../protocol/limits.js';
import type { Moment } from '../../protocol/moment.js';
import type { RecordingFormat, RecordingStart, TimedEvent } from '../../history/recording/recording-event.js';
import { untilParsed } from '../../vt/parsing/until-parsed.js';
import type { TerminalSetup } from '../../terminal/setup.js';
import type { SharedParts } from '../../terminal/shared-parts.js';
import { readFileBeside } from './file-reader.js';
import type { LoopTurns } from '../../base/loop-turns.js';
import { TurnTaker } from '../../base/loop-turns.js';
import type { Places } from './places.js';
import type { ReadingTask } from './reading-messages.js';
import { RecordedTerminal, type RecordedSetup } from './recorded-terminal.js';
import { SizeChanges } from './size-changes.js';

export interface OpenedRecording {
  readonly terminal: RecordedTerminal;
  readonly format: RecordingFormat;
  readonly durationMs: number;
  /** Time of the recording that is shown. */
  readonly atMs: number;
  readonly complete: boolean;
  readonly repaired: number;
}

export interface OpenOptions extends Omit<ReadingTask, 'durationOnly'> {
  readonly at: Moment;
  /** All fields of a terminal that do not come from the file. */
  readonly setup: (start: RecordingStart) => Omit<TerminalSetup, 'source' | 'recording'>;
  readonly parts: SharedParts;
  readonly observe: RecordedSetup['observe'];
  /** Of all openings of the daemon, as the turns. */
  readonly places: Places;
  readonly turns: LoopTurns;
  readonly connection: object;
  /** Called now and then: the daemon may have come close to its memory limit. @throws T4aError */
  readonly assertRoom: () => void;
  readonly signal: AbortSignal;
}

/** @throws T4aError recording_not_found, recording_invalid, invalid_field; the signal's reason */
export async function openRecording(options: OpenOptions): Promise<OpenedRecording> {
  const { places, connection, signal } = options;
  const place = await places.take(connection, signal);
  try {
    return await open(options);
  } finally {
    place.dispose();
  }
}

async function open(options: OpenOptions): Promise<OpenedRecording> {
  const { path, at } = options;
  const untilMs = at.kind === 'before_end' ? (await durationOf(options)) - at.ms : at.kind === 'start' ? 0 : Infinity;
  const show = new Shown(at.kind === 'since_start' ? { ...at, kind: 'since_start' } : at, untilMs);
  const applied = new Application(options);
  const parts = readFileBeside(taskOf(options, false), options);
  try {
    for (;;) {
      const part = await parts.next();
      if (part.done === true) {
        const { terminal } = applied;
        if (terminal === undefined) throw new T4aError('recording_invalid', `${quote(path)} has no header.`);
        if (at.kind === 'marker' && !show.isOver) throw noMarker(path, at.name);
        await terminal.finish(show.exitStatus, show.atMs);
        return { ...part.value, terminal, durationMs: show.durationMs, atMs: show.atMs };
      }
      for (const event of part.value) {
        if (event.kind === 'start') applied.start(event);
        else if (show.takes(event)) await applied.apply(event);
      }
      await applied.settle();
    }
  } catch (error) {
    applied.terminal?.remove();
    throw error;
  } finally {
    // Ends the thread, if its file goes on.
    await parts.return?.(undefined as never);
  }
}

/** Events of a file on their way to its terminal, in turn with other openings. */
class Application {
  terminal: RecordedTerminal | undefined;
  readonly #options: OpenOptions;
  readonly #turn: TurnTaker;
  readonly #sizes = new SizeChanges();
  #markers = 0;

  constructor(options: OpenOptions) {
    this.#options = options;
    this.#turn = new TurnTaker(options.turns, options.signal);
  }

  start(event: RecordingStart): void {
    const { path, setup, parts, observe } = this.#options;
    const { startedAtMs = 0 } = event;
    this.terminal = new RecordedTerminal(path, { setup: setup(event), parts, startedAtMs, observe });
  }

  async apply(event: TimedEvent): Promise<void> {
    const { terminal } = this;
    if (terminal === undefined) return;
    if (event.kind === 'resize') return this.#resize(terminal, event);
    if (this.#turn.isOver) await this.#nextTurn();
    await terminal.apply(event.kind === 'marker' ? this.#marker(event) : event);
  }

  /** One of a large screen takes longer than a turn. */
  async #resize(terminal: RecordedTerminal, event: Extract<TimedEvent, { kind: 'resize' }>): Promise<void> {
    const { cols, rows } = terminal.screen;
    if (cols === event.cols && rows === event.rows) return;
    this.#sizes.count(this.#options.path, event);
    await untilParsed(terminal.screen);
    await this.#nextTurn();
    const startMs = performance.now();
    await terminal.apply(event);
    this.#options.turns.rest(performance.now() - startMs);
  }

  /** Its name is kept for as long as the terminal. */
  #marker(event: Extract<TimedEvent, { kind: 'marker' }>): TimedEvent {
    if (++this.#markers > MAX_MARKERS) {
      const what = `${quote(this.#options.path)} has more than ${MAX_MARKERS} markers.`;
      throw new T4aError('recording_invalid', what, { field: 'path' });
    }
    return { ...event, label: event.label.slice(0, MAX_MARKER_LENGTH) };
  }

  /** What is written waits in memory: call it for each part. */
  async settle(): Promise<void> {
    if (this.terminal !== undefined) await untilParsed(this.terminal.screen);
    if (this.#turn.isOver) await this.#nextTurn();
  }

  async #nextTurn(): Promise<void> {
    await this.#turn.next();
    this.#options.assertRoom();
  }
}

function noMarker(path: string, name: string): T4aError {
  return new T4aError('invalid_field', `${quote(path)} has no marker ${quote(name)}.`, { field: 'at' });
}

function taskOf({ path, timing, grid }: OpenOptions, durationOnly: boolean): ReadingTask {
  return { path, timing, grid, durationOnly };
}

async function durationOf(options: OpenOptions): Promise<number> {
  const { done, value } = await readFileBeside(taskOf(options, true), options).next();
  if (done !== true) throw new Error('events came, although the duration alone was asked for');
  return value.durationMs;
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
