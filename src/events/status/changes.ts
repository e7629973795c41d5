/**
 * Which changes of records are told to subscribers: a new state or kind at once, other changes of a record four times a
 * second, and of one terminal fifty changes a second in all. What is left out is counted, and the last state of each record is
 * told in the end.
 */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';
import { MAX_STATUS_RECORDS, type StatusChange, type StatusRecord } from './records.js';
import type { StatusState } from './report.js';

const RECORD_GAP_MS = 250;
const PER_SECOND = 50;
const SECOND_MS = 1000;

export interface ToldChange {
  readonly record: StatusRecord | undefined;
  readonly id: string;
  readonly was: StatusState | undefined;
  /** Changes of this record since the last one that was told. */
  readonly skipped: number;
}

interface Pending {
  readonly was: StatusState | undefined;
  readonly skipped: number;
}

export interface StatusReportsOptions {
  readonly clock: Clock;
  readonly get: (id: string) => StatusRecord | undefined;
  readonly tell: (change: ToldChange) => void;
}

export class StatusReports implements Disposable {
  readonly #options: StatusReportsOptions;
  /** Time of the last report, by id. */
  readonly #told = new Map<string, number>();
  readonly #pending = new Map<string, Pending>();
  #secondAtMs = Number.NEGATIVE_INFINITY;
  #inSecond = 0;
  #timer: Disposable | undefined;

  constructor(options: StatusReportsOptions) {
    this.#options = options;
  }

  onChange({ id, was, isTurn }: StatusChange): void {
    const waiting = this.#pending.get(id);
    const first = waiting === undefined ? was : waiting.was;
    const skipped = waiting?.skipped ?? 0;
    if ((isTurn || this.#isDue(id)) && this.#hasRoom()) return this.#tell({ id, was: first, skipped });
    // Ids of dropped records stay here until they are told; a flood of ids is bounded as the records are.
    if (waiting === undefined && this.#pending.size >= 2 * MAX_STATUS_RECORDS) return;
    this.#pending.set(id, { was: first, skipped: skipped + 1 });
    this.#timer ??= this.#options.clock.after(RECORD_GAP_MS, () => this.#tellPending());
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#pending.clear();
  }

  #isDue(id: string): boolean {
    return this.#options.clock.now() - (this.#told.get(id) ?? Number.NEGATIVE_INFINITY) >= RECORD_GAP_MS;
  }

  #hasRoom(): boolean {
    const nowMs = this.#options.clock.now();
    if (nowMs - this.#secondAtMs < SECOND_MS) return this.#inSecond < PER_SECOND;
    this.#secondAtMs = nowMs;
    this.#inSecond = 0;
    return true;
  }

  #tell(change: Omit<ToldChange, 'record'>): void {
    this.#inSecond++;
    this.#pending.delete(change.id);
    this.#told.delete(change.id);
    this.#told.set(change.id, this.#options.clock.now());
    for (const [oldest] of this.#told) {
      if (this.#told.size <= MAX_STATUS_RECORDS) break;
      this.#told.delete(oldest);
    }
    this.#options.tell({ ...change, record: this.#options.get(change.id) });
  }

  #tellPending(): void {
    this.#timer = undefined;
    for (const [id, { was, skipped }] of this.#pending) {
      if (!this.#hasRoom()) break;
      // The change that is told is none of those that were left out.
      if (this.#isDue(id)) this.#tell({ id, was, skipped: skipped - 1 });
    }
    if (this.#pending.size > 0) this.#timer = this.#options.clock.after(RECORD_GAP_MS, () => this.#tellPending());
  }
}
