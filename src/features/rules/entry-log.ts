/** The entries of one terminal, in the order of their last change: a ring, in which a reader's place is a number. */
import type { Entry, EntryChange } from '../../activity/entry.js';
import { ENTRY_RING } from '../../protocol/entry.js';

export interface LogQuery {
  readonly since?: number | undefined;
  readonly last?: number | undefined;
  readonly max: number;
  readonly kinds?: readonly string[] | undefined;
  readonly open?: boolean | undefined;
}

export interface LogAnswer {
  readonly entries: readonly Entry[];
  readonly deleted: readonly string[];
  readonly next: number;
  readonly more: boolean;
  readonly gap: boolean;
}

interface Kept {
  /** Number of its last change. */
  readonly n: number;
  readonly change: EntryChange;
}

/** In the order of the last changes. */
export interface FrozenLog {
  readonly kept: readonly Kept[];
  readonly last: number;
  readonly dropped: number;
}

export class EntryLog {
  /** By id; the order is that of the last change. */
  readonly #kept = new Map<string, Kept>();
  #last = 0;
  /** Number of the last change that was dropped. */
  #dropped = 0;

  /** Changes of an earlier log, in the order of their numbers, with which this one goes on. */
  restore(changes: readonly (EntryChange & { readonly n: number })[]): void {
    for (const change of changes) {
      if (change.n <= this.#last) continue;
      this.#last = change.n - 1;
      this.add(change);
    }
  }

  freeze(): FrozenLog {
    return { kept: [...this.#kept.values()], last: this.#last, dropped: this.#dropped };
  }

  static thaw({ kept, last, dropped }: FrozenLog): EntryLog {
    const log = new EntryLog();
    for (const each of kept) log.#kept.set(each.change.entry.id, each);
    log.#last = last;
    log.#dropped = dropped;
    return log;
  }

  /** @returns the number of the change */
  add(change: EntryChange): number {
    const { id } = change.entry;
    this.#kept.delete(id);
    this.#kept.set(id, { n: ++this.#last, change });
    if (this.#kept.size <= ENTRY_RING) return this.#last;
    for (const [oldest, { n }] of this.#kept) {
      this.#kept.delete(oldest);
      this.#dropped = n;
      break;
    }
    return this.#last;
  }

  /** Drops those that are not open and were there between these screens. Readers who have not seen them get a gap. */
  forget(first: { readonly rev: number }, last: { readonly ts: number }): void {
    for (const [id, { n, change }] of this.#kept) {
      const { open, ts, rev } = change.entry;
      if (open || ts > last.ts || rev < first.rev) continue;
      this.#kept.delete(id);
      this.#dropped = Math.max(this.#dropped, n);
    }
  }

  /** Undefined if it was dropped or deleted. */
  get(id: string): Entry | undefined {
    const change = this.#kept.get(id)?.change;
    return change === undefined || change.op === 'delete' ? undefined : change.entry;
  }

  /** The last change of each, oldest first. */
  *changes(): Generator<EntryChange> {
    for (const { change } of this.#kept.values()) yield change;
  }

  all(): Entry[] {
    return [...this.#kept.values()].filter(({ change }) => change.op !== 'delete').map(({ change }) => change.entry);
  }

  read({ since, last, max, kinds, open }: LogQuery): LogAnswer {
    const isWanted = ({ n, change: { op, entry } }: Kept): boolean =>
      n > (since ?? 0) &&
      (op !== 'delete' || since !== undefined) &&
      kinds?.includes(entry.kind) !== false &&
      (op === 'delete' || open === undefined || open === entry.open);
    const wanted = [...this.#kept.values()].filter(isWanted);
    const room = Math.min(last ?? max, max);
    const isForward = since !== undefined && last === undefined;
    const found = isForward ? wanted.slice(0, room) : wanted.slice(-room);
    const more = isForward && found.length < wanted.length;
    return {
      entries: found.filter(({ change }) => change.op !== 'delete').map(({ change }) => change.entry),
      deleted: found.filter(({ change }) => change.op === 'delete').map(({ change }) => change.entry.id),
      next: more ? (found.at(-1)?.n ?? this.#last) : this.#last,
      more,
      gap: since !== undefined && since < this.#dropped,
    };
  }
}
