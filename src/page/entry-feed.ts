/** The entries of a terminal in the order in which they were first seen, by the replies and events that say what they are now. Pure. */
import { safeText } from '../mirror/safe-text.js';
import type { WireEntry } from '../protocol/entry.js';

export type Entry = WireEntry;

export interface EntryChange {
  readonly op: 'upsert' | 'finalize' | 'delete';
  readonly entry: Entry;
}

/** That the daemon keeps. */
export const MOST_ENTRIES = 500;

export class EntryFeed {
  readonly #entries = new Map<string, Entry>();

  /** Oldest first. */
  get entries(): readonly Entry[] {
    return [...this.#entries.values()].toSorted(
      (a, b) => a.ts - b.ts || a.rev - b.rev || (a.line ?? Infinity) - (b.line ?? Infinity) || 0,
    );
  }

  /** All that there are. */
  begin(entries: readonly Entry[]): void {
    this.#entries.clear();
    for (const entry of entries) this.#entries.set(entry.id, entry);
  }

  apply({ op, entry }: EntryChange): void {
    if (op === 'delete') {
      this.#entries.delete(entry.id);
      return;
    }
    const known = this.#entries.get(entry.id);
    if (known !== undefined && known.version > entry.version) return;
    this.#entries.set(entry.id, entry);
    if (this.#entries.size <= MOST_ENTRIES) return;
    const oldest = this.entries[0];
    if (oldest !== undefined) this.#entries.delete(oldest.id);
  }
}

/** Kinds with how many there are, the most frequent first. */
export function kindsOf(entries: readonly Entry[]): { readonly kind: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { kind } of entries) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count })).toSorted((a, b) => b.count - a.count);
}

export type Tone = 'bad' | 'asks' | 'good' | 'plain';

const TONES: Readonly<Record<string, Tone>> = {
  panic: 'bad',
  test_failure: 'bad',
  question: 'asks',
  permission_request: 'asks',
  turn_end: 'good',
};

export function toneOf({ kind, data }: Pick<Entry, 'kind' | 'data'>): Tone {
  const tone = Object.hasOwn(TONES, kind) ? TONES[kind] : undefined;
  if (tone !== undefined) return tone;
  const isBad = data['level'] === 'error' || (typeof data['failed'] === 'number' && data['failed'] > 0);
  return isBad ? 'bad' : 'plain';
}

const MOST_WORDS = 300;
const MOST_LINES = 4;

/** What the program printed, or what was captured of it. Without the characters that turn text around. */
export function wordsOf({ data }: Pick<Entry, 'data'>): string {
  const text = typeof data['text'] === 'string' ? data['text'] : capturedWords(data);
  const lines = text.split('\n').map((line) => safeText(line).trimEnd());
  const words = lines.filter((line) => line !== '').slice(0, MOST_LINES);
  const all = words.join('\n');
  return all.length > MOST_WORDS || words.length < lines.filter(Boolean).length ? `${all.slice(0, MOST_WORDS)}…` : all;
}

function capturedWords(data: Entry['data']): string {
  return Object.entries(data)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}
