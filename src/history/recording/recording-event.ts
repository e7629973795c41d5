/** What recordings of all formats consist of: a start with the size of the screen, then events in the order of their times. */
import { T4aError } from '../../protocol/errors.js';
import { MAX_COLS, MAX_ROWS, MIN_COLS } from '../../protocol/limits.js';

export const RECORDING_FORMATS = [
  'asciicast-v1',
  'asciicast-v2',
  'asciicast-v3',
  'ttyrec',
  'script',
  'ledger',
] as const;
export type RecordingFormat = (typeof RECORDING_FORMATS)[number];

export interface RecordedGrid {
  readonly cols: number;
  readonly rows: number;
}

export interface RecordingStart extends RecordedGrid {
  readonly kind: 'start';
  readonly title?: string | undefined;
  readonly command?: string | undefined;
  /** The same in its words, if they are known. */
  readonly commandLine?: readonly string[] | undefined;
  /** Name of the terminal that was recorded, if it is known. */
  readonly terminal?: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly startedAtMs?: number | undefined;
  /** Longest pause that players are asked to keep. */
  readonly idleLimitMs?: number | undefined;
}

/** `atMs` are milliseconds since the start, never less than those of the event before. */
export type TimedEvent =
  | { readonly kind: 'output'; readonly atMs: number; readonly bytes: Uint8Array }
  | { readonly kind: 'input'; readonly atMs: number; readonly text: string }
  | { readonly kind: 'resize'; readonly atMs: number; readonly cols: number; readonly rows: number }
  | { readonly kind: 'marker'; readonly atMs: number; readonly label: string }
  | { readonly kind: 'exit'; readonly atMs: number; readonly status: number }
  /** Rules have read the screen. */
  | { readonly kind: 'look'; readonly atMs: number; readonly isLast: boolean };

export type RecordingEvent = RecordingStart | TimedEvent;

/** Bytes of a file in, its events out, in parts of any size. Does no I/O. */
export interface RecordingReader {
  readonly format: RecordingFormat;
  /** False after {@link end} if the last event is cut off: it was left out. */
  readonly complete: boolean;
  /** Times that went back, and count as the time before. */
  readonly repaired: number;
  /** @throws T4aError recording_invalid */
  push(bytes: Uint8Array): readonly RecordingEvent[];
  /** The file has no further bytes. @throws T4aError recording_invalid */
  end(): readonly RecordingEvent[];
}

/** A line, or a frame of a ttyrec. One that is longer is no recording: a program prints in parts. */
export const MAX_RECORDED_EVENT_BYTES = 16 * 1024 * 1024;

/** Lines, or frames, with those that are left out: a day with 50 in each second. Each takes a few bytes of a compressed file. */
export const MAX_EVENTS = 5_000_000;

/** @throws T4aError recording_invalid */
export function assertEventCount(count: number, max = MAX_EVENTS): void {
  if (count > max) throw invalid('The recording', `has more than ${max} events`);
}

/** Some 30 years: beyond, numbers of a broken file. */
const MAX_TIME_MS = 1e12;

/** @param where `line 3` */
export function invalid(where: string, what: string, hint?: string): T4aError {
  return new T4aError('recording_invalid', `${where} ${what}.`, hint === undefined ? {} : { hint });
}

/** @throws T4aError recording_invalid */
export function checkedGrid(cols: unknown, rows: unknown, where: string): RecordedGrid {
  if (isWithin(cols, MIN_COLS, MAX_COLS) && isWithin(rows, 1, MAX_ROWS)) return { cols, rows };
  const limits = `${MIN_COLS} to ${MAX_COLS} columns and 1 to ${MAX_ROWS} rows`;
  throw invalid(where, `has a screen of ${shown(cols)}x${shown(rows)}: expected ${limits}`);
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}

function shown(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '?';
}

/** Times of one recording: they never go back. */
export class Timeline {
  #atMs = 0;
  /** Count of times that went back. */
  repaired = 0;

  /** @param seconds since the event before @throws T4aError recording_invalid */
  after(seconds: unknown, where: string): number {
    return this.at(typeof seconds === 'number' ? this.#atMs / 1000 + seconds : seconds, where);
  }

  /** @param seconds since the start @throws T4aError recording_invalid */
  at(seconds: unknown, where: string): number {
    // Whole microseconds: sums of intervals are those that were written.
    const ms = typeof seconds === 'number' ? Math.round(seconds * 1e6) / 1e3 : Number.NaN;
    if (!(Math.abs(ms) < MAX_TIME_MS)) throw invalid(where, 'has no time');
    if (ms < this.#atMs) this.repaired++;
    else this.#atMs = ms;
    return this.#atMs;
  }
}
