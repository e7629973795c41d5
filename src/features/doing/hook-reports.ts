/**
 * What the hooks of one terminal's programs say (`report`), beside what the programs print. Made with the first report. A report ends
 * with the process that it names: of that end nothing tells, so the system is asked once a second while there is such a report.
 */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';
import type { Signal } from '../../events/status/doing.js';
import type { HookRecord } from '../../events/status/doing-view.js';
import { type FrozenRecords, type Reporter, type StatusRecord, StatusRecords } from '../../events/status/records.js';
import type { StatusReport } from '../../events/status/report.js';
import { readStat } from '../../terminal/system/processes.js';
import { recordSignal } from './signals.js';

/** Longest time for which the report of a process stands that has ended. */
const LOOK_MS = 1000;

/** Of the process that a report ends with. */
export interface HookProcess extends Reporter {
  /** Pids are given out again. */
  readonly started: string;
}

interface Kept {
  /** Made once: its words are shortened, which takes longer than a decision. */
  readonly signal: Signal;
  readonly process: HookProcess | undefined;
  /** The earlier one counts: a machine may sleep, and its clock be set. */
  readonly wallMs: number;
  readonly clockMs: number;
}

export interface FrozenHooks {
  readonly records: FrozenRecords;
  readonly kept: ReadonlyMap<string, Omit<Kept, 'clockMs'> & { readonly leftMs: number }>;
}

export class HookReports implements Disposable {
  readonly #clock: Clock;
  /** Reports have ended by themselves. */
  readonly #onEnded: () => void;
  readonly #records = new StatusRecords();
  /** By the id of the record, at most as many. */
  readonly #kept = new Map<string, Kept>();
  #timer: Disposable | undefined;

  constructor(clock: Clock, onEnded: () => void) {
    this.#clock = clock;
    this.#onEnded = onEnded;
  }

  /** The least recently updated one first. */
  get signals(): Signal[] {
    this.#dropEnded();
    return this.#records.ids.flatMap((id) => this.#kept.get(id)?.signal ?? []);
  }

  /** As they were at the last look, the least recently updated one first. */
  get records(): readonly StatusRecord[] {
    return this.#records.all();
  }

  get mostUrgent(): HookRecord | undefined {
    this.#dropEnded();
    const record = this.#records.mostUrgent(() => true);
    return record === undefined ? undefined : this.#withEnd(record);
  }

  get(id: string): HookRecord | undefined {
    const record = this.#records.get(id);
    return record === undefined ? undefined : this.#withEnd(record);
  }

  freeze(): FrozenHooks {
    const nowMs = this.#clock.now();
    return {
      records: this.#records.freeze(),
      kept: new Map(
        Array.from(this.#kept, ([id, { clockMs, ...kept }]) => [id, { ...kept, leftMs: clockMs - nowMs }] as const),
      ),
    };
  }

  restore({ records, kept }: FrozenHooks): void {
    const nowMs = this.#clock.now();
    this.#records.restore(records);
    for (const [id, { leftMs, ...own }] of kept) this.#kept.set(id, { ...own, clockMs: nowMs + leftMs });
    this.#follow();
  }

  /** @param client has a share of the records */
  apply(report: StatusReport, process: HookProcess | undefined, ttlMs: number, client?: object): void {
    const nowMs = this.#clock.wallNow();
    this.#dropEnded();
    this.#records.apply(report, process, nowMs, client);
    const record = this.#records.get(report.id);
    if (record !== undefined) {
      const signal = recordSignal({ record, stale: undefined }, 'report');
      this.#kept.set(report.id, { signal, process, wallMs: nowMs + ttlMs, clockMs: this.#clock.now() + ttlMs });
    }
    this.#follow();
  }

  /** The program of the terminal has ended. */
  onExit(): void {
    this.#records.end();
    this.#follow();
  }

  clear(): void {
    this.#records.reset();
    this.#follow();
  }

  dispose(): void {
    this.clear();
  }

  #withEnd(record: StatusRecord): HookRecord {
    return { record, endsAt: this.#kept.get(record.id)?.wallMs ?? record.at };
  }

  #dropEnded(): boolean {
    const alive = new Map<number, string | undefined>();
    return this.#records.dropWhere((id) => this.#hasEnded(this.#kept.get(id), alive)) !== undefined;
  }

  /** @param alive what the system says, asked once for each process */
  #hasEnded(end: Kept | undefined, alive: Map<number, string | undefined>): boolean {
    if (end === undefined || this.#clock.wallNow() >= end.wallMs || this.#clock.now() >= end.clockMs) return true;
    const { process } = end;
    if (process === undefined) return false;
    if (!alive.has(process.pid)) alive.set(process.pid, startOf(process.pid));
    return alive.get(process.pid) !== process.started;
  }

  #follow(): void {
    if (this.#kept.size > this.#records.size) {
      const ids = new Set(this.#records.ids);
      for (const id of this.#kept.keys()) if (!ids.has(id)) this.#kept.delete(id);
    }
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#kept.size === 0) return;
    const ends = [...this.#kept.values()];
    const left = Math.min(...ends.map(({ clockMs }) => clockMs)) - this.#clock.now();
    const ms = ends.some(({ process }) => process !== undefined) ? Math.min(LOOK_MS, left) : left;
    this.#timer = this.#clock.after(Math.max(1, ms), () => this.#look());
  }

  #look(): void {
    const hasEnded = this.#dropEnded();
    this.#follow();
    if (hasEnded) this.#onEnded();
  }
}

/** Undefined if it has ended. */
function startOf(pid: number): string | undefined {
  const stat = readStat(pid);
  return stat === undefined || stat.state === 'Z' ? undefined : stat.started;
}
