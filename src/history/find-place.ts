/** Finds the place of a moment in a log. */
import { T4aError, quote } from '../protocol/errors.js';
import type { LogMoment, LogPoint } from '../protocol/moment.js';
import { commandPoint, type LogChunk, markerPoint, type Unpack } from './log-chunk.js';
import type { LogEntry } from './log-entries.js';
import type { TerminalLog } from './terminal-log.js';

/** A screen of the past: a chunk, and how many bytes of its entries come before. */
export interface Place {
  readonly chunk: LogChunk;
  readonly end: number;
  readonly rev: number;
  /** Wall time from which it was shown. */
  readonly ms: number;
  /** Number of the terminal's last event by then. */
  readonly seq: number;
  /** Event, input or marker that was meant in place of a screen: it may come long after the screen. */
  readonly entry?: { readonly chunk: LogChunk; readonly end: number };
}

export interface FindOptions {
  readonly nowMs: number;
  readonly unpack: Unpack;
  /** Number of a command as {@link LogPoint} has it; undefined if there is none. */
  readonly commandNumber: (command: number) => number | undefined;
  /** The request's field, for errors. */
  readonly field: string;
}

/** A place, and whether it is within a synchronized update. */
interface State extends Place {
  readonly isHeld: boolean;
}

/** @throws T4aError moment_lost, moment_unknown, revision_unknown */
export function findPlace(log: TerminalLog, moment: LogMoment, options: FindOptions): Place {
  const place = new PlaceFinder(log, options).find(moment);
  if (!moment.before) return place;
  return new PlaceFinder(log, options).find({ kind: 'rev', number: place.rev - 1 });
}

class PlaceFinder {
  readonly #log: TerminalLog;
  readonly #options: FindOptions;

  constructor(log: TerminalLog, options: FindOptions) {
    this.#log = log;
    this.#options = options;
  }

  find(point: LogPoint): Place {
    const { nowMs } = this.#options;
    switch (point.kind) {
      case 'start':
        return this.#atRevision(this.#log.firstRev);
      case 'end':
        return this.#atTime(Infinity);
      case 'before_end':
        return this.#atTime(nowMs - point.ms);
      case 'since_start':
        return this.#atTime(this.#notLater(this.#log.startedAtMs + point.ms));
      case 'ts':
        return this.#atTime(this.#notLater(point.number));
      case 'rev':
        return this.#atRevision(point.number);
      case 'seq':
        return this.#atEvent(point.number);
      case 'input':
        return this.#atInput(point.back);
      case 'marker':
        return this.#atPoint(markerPoint(point.name), (entry) => entry.kind === 'marker' && entry.label === point.name);
      default:
        return this.#atCommand(point.command, point.point);
    }
  }

  #notLater(ms: number): number {
    if (ms <= this.#options.nowMs) return ms;
    throw this.#unknown('That time has not come yet.');
  }

  #atTime(ms: number): Place {
    const { chunks } = this.#log;
    const last = chunks.findLastIndex(({ start }) => start.ms <= ms);
    if (last === -1) throw this.#lost();
    for (let index = last; index >= 0; index--) {
      let found: State | undefined;
      for (const state of this.#states(chunks[index])) {
        if (state.ms > ms) break;
        if (!state.isHeld) found = state;
      }
      if (found !== undefined) return found;
    }
    return this.#first();
  }

  #atRevision(rev: number): Place {
    const chunks = this.#log.chunks;
    const newest = chunks.at(-1)?.rev ?? 0;
    if (rev > newest) {
      const { field } = this.#options;
      throw new T4aError('revision_unknown', `Revision ${rev} is not there yet: the screen is at ${newest}.`, {
        field,
        hint: `Give the "rev" of an earlier reply for this terminal. ${this.#kept()}`,
      });
    }
    const chunk = chunks.find(
      ({ start, rev: lastRev, isForgotten }) => start.rev <= rev && rev <= lastRev && !isForgotten,
    );
    for (const state of this.#states(chunk)) if (state.rev === rev) return state;
    throw this.#lost();
  }

  #atEvent(seq: number): Place {
    const chunks = this.#log.chunks;
    if (seq <= (chunks[0]?.start.seq ?? 0)) throw this.#lost();
    const index = chunks.findIndex((chunk) => chunk.start.seq < seq && seq <= chunk.seq);
    return (
      this.#atEntry(index, (entry) => entry.kind === 'event' && entry.seq === seq) ??
      this.#fail(`The terminal has no event ${seq}.`)
    );
  }

  #atInput(back: number): Place {
    const { chunks, lostInputs } = this.#log;
    let left = back;
    for (let index = chunks.length - 1; index >= 0; index--) {
      const inputs = chunks[index]?.inputs ?? 0;
      let skipped = inputs - left;
      if (skipped < 0) {
        left -= inputs;
        continue;
      }
      const place = this.#atEntry(index, (entry) => entry.kind === 'input' && skipped-- === 0);
      if (place !== undefined) return place;
    }
    if (left <= lostInputs) throw this.#lost();
    return this.#fail(back === 1 ? 'The terminal has had no input yet.' : 'The terminal has had fewer inputs.');
  }

  #atCommand(given: number, point: 'start' | 'end'): Place {
    const command = this.#options.commandNumber(given);
    if (command === undefined) return this.#fail(`The terminal has no shell command ${given}.`);
    const kind = point === 'start' ? 'started' : 'ended';
    return this.#atPoint(commandPoint(command, kind), (entry) => entry.kind === 'event' && entry[kind] === command);
  }

  /** The last of its name. */
  #atPoint(point: string, isIt: (entry: LogEntry) => boolean): Place {
    const { chunks } = this.#log;
    const index = chunks.findLastIndex(({ points }) => points.has(point));
    const place = index === -1 ? undefined : this.#atEntry(index, isIt);
    return place ?? this.#fail(`${quote(point)} is not in the history of the terminal, or no more.`);
  }

  /** The screen at the last entry of the chunk that is the one. */
  #atEntry(index: number, isIt: (entry: LogEntry) => boolean): Place | undefined {
    let found: Place | undefined;
    let shown: State | undefined;
    const states = this.#states(this.#log.chunks[index], (entry, state) => {
      if (!isIt(entry)) return;
      const place = state.isHeld ? (shown ?? this.#beforeChunk(index)) : state;
      found = { ...place, entry: { chunk: state.chunk, end: entry.end } };
    });
    for (const state of states) if (!state.isHeld) shown = state;
    return found;
  }

  /** The last screen before a chunk that began within an update. */
  #beforeChunk(index: number): Place {
    const { chunks } = this.#log;
    const start = chunks[index]?.start;
    return start === undefined ? this.#first() : this.#atTime(start.ms);
  }

  #first(): Place {
    for (const state of this.#states(this.#log.chunks[0])) return state;
    throw this.#lost();
  }

  /** The screens of a chunk, in order, its start first. @param onOther called for what is no output, with the screen at its time */
  *#states(
    chunk: LogChunk | undefined,
    onOther?: (entry: LogEntry, state: State) => void,
  ): Generator<State, void, void> {
    if (chunk === undefined) return;
    if (chunk.isForgotten) throw this.#lost();
    let state: State = { chunk, end: 0, ...chunk.start };
    for (const entry of chunk.entries(this.#options.unpack)) {
      if (entry.kind === 'event') state = { ...state, seq: entry.seq };
      if (entry.kind !== 'output') {
        onOther?.(entry, state);
        continue;
      }
      yield state;
      const rev = entry.changed ? state.rev + 1 : state.rev;
      state = { chunk, end: entry.end, rev, ms: entry.ms, seq: state.seq, isHeld: entry.synchronized };
    }
    yield state;
  }

  #fail(message: string): never {
    throw this.#unknown(message);
  }

  #unknown(message: string): T4aError {
    const { field } = this.#options;
    return new T4aError('moment_unknown', message, { field, hint: this.#kept() });
  }

  #lost(): T4aError {
    const { field } = this.#options;
    return new T4aError(
      'moment_lost',
      'The history of the terminal does not reach back that far, or has a gap there.',
      {
        field,
        hint: this.#kept(),
      },
    );
  }

  #kept(): string {
    const { chunks, startedAtMs } = this.#log;
    const oldest = chunks[0]?.start;
    const last = chunks.at(-1);
    if (oldest === undefined || last === undefined) {
      return 'The terminal keeps no history: see "history_bytes" of "config".';
    }
    const at = new Date(oldest.ms).toISOString();
    const since = (ms: number): string => `${(ms - startedAtMs) / 1000}s`;
    return `The oldest moment kept is revision ${oldest.rev}, of ${at} (${since(oldest.ms)}), the last revision ${last.rev} (${since(last.lastMs)}).`;
  }
}
