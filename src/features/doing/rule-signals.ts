/** What rules read off the screen of one terminal: the entries that stand, and those that have just gone. Bounded. */
import type { Signal } from '../../events/status/doing.js';
import type { WireEntry } from '../../protocol/entry.js';
import { shownText } from './signals.js';

const IS: Readonly<Record<string, Pick<Signal, 'is' | 'kind'>>> = {
  permission_request: { is: 'waiting', kind: 'permission' },
  question: { is: 'waiting', kind: 'question' },
  working: { is: 'working', kind: null },
  failed: { is: 'error', kind: null },
};

/** Of more the newest; a screen has room for few. */
const MAX_STANDING = 16;

export class RuleSignals {
  /** By the id of the entry. */
  readonly #signals = new Map<string, Signal>();

  freeze(): ReadonlyMap<string, Signal> {
    return new Map(this.#signals);
  }

  restore(signals: ReadonlyMap<string, Signal>): void {
    for (const [id, signal] of signals) this.#signals.set(id, signal);
  }

  get all(): readonly Signal[] {
    return [...this.#signals.values()];
  }

  /** @returns whether it is one that says what the program does */
  take(op: 'upsert' | 'finalize' | 'delete', { id, kind, version, open, ts, data }: WireEntry, nowMs: number): boolean {
    const meaning = IS[kind];
    if (meaning === undefined) return false;
    const before = this.#signals.get(id);
    this.#signals.delete(id);
    if (op === 'delete' && before?.is !== 'working') return true;
    const isOpen = op === 'upsert' && open;
    // A question that was found when it had been answered already.
    if (!isOpen && before === undefined) return true;
    const text = typeof data['text'] === 'string' ? `: ${shownText(data['text'].split('\n')[0] ?? '')}` : '';
    this.#signals.set(id, {
      source: 'rules',
      ...meaning,
      since: ts,
      at: nowMs,
      ...(isOpen ? {} : { ended: nowMs }),
      by: null,
      says: `${kind} ${id}@${version}${text}`,
      isProven: true,
    });
    this.#bound();
    return true;
  }

  clear(): void {
    this.#signals.clear();
  }

  #bound(): void {
    for (const [id, { ended }] of this.#signals) {
      if (this.#signals.size <= MAX_STANDING) return;
      if (ended !== undefined) this.#signals.delete(id);
    }
    for (const id of this.#signals.keys()) {
      if (this.#signals.size <= MAX_STANDING) return;
      this.#signals.delete(id);
    }
  }
}
