/** The records of the programs of one terminal, by id: what each says it is doing, since when. */
import { type ShareOwner, Shares } from '../../base/shares.js';
import type { StatusKind, StatusReport, StatusState } from './report.js';

export const MAX_STATUS_RECORDS = 256;
/** Memory of the records of one terminal. */
export const MAX_STATUS_BYTES = 128 * 1024;
/** Bytes of a record beside its texts. */
export const STATUS_RECORD_BYTES = 256;

/** Program that was in front when a report was read, or has a report's hook. */
export interface Reporter {
  readonly pid: number;
  readonly process: string | null;
  /** A shell says nothing itself: what it seems to say was printed, by `cat` or by a command that has ended. */
  readonly isShell: boolean;
}

export interface StatusRecord {
  readonly id: string;
  readonly state: StatusState;
  readonly kind: StatusKind | undefined;
  readonly progress: number | undefined;
  /** Own, or of the nearest ancestor. */
  readonly app: string | undefined;
  readonly title: string | undefined;
  readonly msg: string | undefined;
  /** The message was dropped, for those of others. */
  readonly isCut: boolean;
  /** Milliseconds since the Unix epoch: of the first report of this state and kind, and of the last report. */
  readonly since: number;
  readonly at: number;
  /** Undefined where the system does not say. */
  readonly by: Reporter | undefined;
}

export interface StatusChange {
  /** Id of the record, or of the uppermost one that was dropped. */
  readonly id: string;
  /** State before; of several dropped records the most urgent one. Undefined if there was none. */
  readonly was: StatusState | undefined;
  /** The state or the kind is another one. */
  readonly isTurn: boolean;
}

/** Order of urgency: of several records the first of these speaks for the terminal. */
const URGENCY: readonly StatusState[] = ['blocked', 'error', 'done', 'working', 'idle'];

/** States of what a program does, and no more after its end. */
const PASSING: ReadonlySet<StatusState> = new Set(['working', 'blocked', 'idle']);

type Stored = Omit<StatusRecord, 'app'> & { readonly ownApp: string | undefined; readonly owner: ShareOwner };

/** The least recently updated one first. */
export type FrozenRecords = readonly Omit<Stored, 'owner'>[];

export class StatusRecords {
  /** The least recently updated one first. */
  readonly #records = new Map<string, Stored>();
  readonly #places = new Shares(MAX_STATUS_RECORDS);
  readonly #bytes = new Shares(MAX_STATUS_BYTES);

  get size(): number {
    return this.#records.size;
  }

  freeze(): FrozenRecords {
    return Array.from(this.#records.values(), ({ owner: _owner, ...record }) => record);
  }

  /** Their owners are gone: they count to all alone. */
  restore(records: FrozenRecords): void {
    for (const record of records) this.#add({ ...record, owner: undefined });
  }

  /** @param nowMs wall time @param owner that loses records of its own beyond its share @returns undefined if nothing changed */
  apply(report: StatusReport, by: Reporter | undefined, nowMs: number, owner?: ShareOwner): StatusChange | undefined {
    if (report.state === 'clear') return this.#clear(report.id);
    const { state, id, kind, progress, app, title, msg } = report;
    const before = this.#records.get(id);
    const isTurn = before?.state !== state || before.kind !== kind;
    this.#remove(id);
    const since = isTurn ? nowMs : before.since;
    this.#add({ id, state, kind, progress, ownApp: app, title, msg, isCut: false, since, at: nowMs, by, owner });
    return { id, was: before?.state, isTurn };
  }

  /** A shell is at its prompt, or the program has ended: what ran does so no more. Outcomes stay. */
  end(): StatusChange | undefined {
    return this.#dropWhere(({ state }) => PASSING.has(state), '');
  }

  /** Drops those that others than this terminal have ended. */
  dropWhere(isDropped: (id: string) => boolean): StatusChange | undefined {
    return this.#dropWhere((record) => isDropped(record.id), '');
  }

  /** RIS. */
  reset(): StatusChange | undefined {
    return this.#clear('');
  }

  get(id: string): StatusRecord | undefined {
    const stored = this.#records.get(id);
    if (stored === undefined) return undefined;
    const { ownApp, owner: _, ...record } = stored;
    return { ...record, app: ownApp ?? this.#inheritedApp(id) };
  }

  /** The least recently updated one first. */
  get ids(): string[] {
    return [...this.#records.keys()];
  }

  /** The least recently updated one first. */
  all(): StatusRecord[] {
    return this.ids.flatMap((id) => this.get(id) ?? []);
  }

  /** The one that speaks for the terminal, of those that count; the newest of the most urgent. */
  mostUrgent(counts: (record: StatusRecord) => boolean): StatusRecord | undefined {
    const counting = this.all().filter(counts);
    for (const state of URGENCY) {
      const found = counting.findLast((record) => record.state === state);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #clear(id: string): StatusChange | undefined {
    return this.#dropWhere((record) => id === '' || record.id === id || record.id.startsWith(`${id}/`), id);
  }

  #dropWhere(isDropped: (record: Stored) => boolean, id: string): StatusChange | undefined {
    const dropped = [...this.#records.values()].filter(isDropped);
    if (dropped.length === 0) return undefined;
    for (const record of dropped) this.#remove(record.id);
    const was = URGENCY.find((state) => dropped.some((record) => record.state === state));
    return { id, was, isTurn: true };
  }

  #add(record: Stored): void {
    const { owner } = record;
    const bytes = bytesOf(record);
    for (const oldest of this.#records.values()) {
      const lack = this.#places.lack(owner);
      if (lack === undefined) break;
      if (lack === 'all' || oldest.owner === owner) this.#remove(oldest.id);
    }
    for (const oldest of this.#records.values()) {
      const lack = this.#bytes.lack(owner, bytes);
      if (lack === undefined) break;
      if (oldest.msg === undefined || (lack === 'share' && oldest.owner !== owner)) continue;
      this.#bytes.free(oldest.owner, Buffer.byteLength(oldest.msg));
      // In its place: it is as old as before.
      this.#records.set(oldest.id, { ...oldest, msg: undefined, isCut: true });
    }
    this.#records.set(record.id, record);
    this.#places.take(owner);
    this.#bytes.take(owner, bytes);
  }

  #remove(id: string): void {
    const record = this.#records.get(id);
    if (record === undefined) return;
    this.#records.delete(id);
    this.#places.free(record.owner);
    this.#bytes.free(record.owner, bytesOf(record));
  }

  /** Levels that have no record are passed over; the program itself comes last. */
  #inheritedApp(id: string): string | undefined {
    for (let end = id.lastIndexOf('/'); end > 0; end = id.lastIndexOf('/', end - 1)) {
      const app = this.#records.get(id.slice(0, end))?.ownApp;
      if (app !== undefined) return app;
    }
    return id === '' ? undefined : this.#records.get('')?.ownApp;
  }
}

function bytesOf({ title = '', msg = '' }: Stored): number {
  return STATUS_RECORD_BYTES + Buffer.byteLength(title) + Buffer.byteLength(msg);
}
