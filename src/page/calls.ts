/** Which needs call the person, and when: each once, a terminal once a minute, none that was seen. Pure. */
import { safeText } from '../mirror/safe-text.js';
import type { Need } from './state.js';

export interface Call {
  /** Names the terminal, and has no word of it. */
  readonly title: string;
  readonly body: string;
  /** The same in all tabs of a browser, which then shows one. */
  readonly tag: string;
}

export interface Shown {
  close(): void;
}

/** A terminal that asks again and again calls so often. */
const BETWEEN_MS = 60_000;
const MOST_NAME = 60;
/** Needs whose calls are remembered. */
const MOST_CALLS = 256;

const WORDS: Readonly<Record<Need['what'], string>> = {
  asks: 'asks you',
  waits: 'waits for you',
  failed: 'has failed',
};

export class Calls {
  /** Needs that the person has been called for, or has seen, with what stands on the screen for them. */
  readonly #known = new Map<string, Shown | undefined>();
  /** When each place has called last. */
  readonly #called = new Map<string, number>();
  readonly #show: (call: Call, need: Need) => Shown;

  constructor(show: (call: Call, need: Need) => Shown) {
    this.#show = show;
  }

  /**
   * @param needs all there are now
   * @param isSeen the person looks at them
   * @returns milliseconds until one that waits for its minute may call; undefined if none does
   */
  see(needs: readonly Need[], isSeen: boolean, nowMs: number): number | undefined {
    this.#forget(new Set(needs.map(({ key }) => key)));
    const waits: number[] = [];
    for (const need of needs) {
      if (this.#known.has(need.key) || this.#known.size >= MOST_CALLS) continue;
      const dueMs = isSeen ? 0 : this.#dueMs(need, nowMs);
      if (dueMs > 0) waits.push(dueMs);
      else this.#known.set(need.key, isSeen ? undefined : this.#call(need, nowMs));
    }
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  #forget(present: ReadonlySet<string>): void {
    for (const [key, shown] of this.#known) {
      if (present.has(key)) continue;
      shown?.close();
      this.#known.delete(key);
    }
  }

  #dueMs(need: Need, nowMs: number): number {
    return Math.max(0, (this.#called.get(placeOf(need)) ?? -Infinity) + BETWEEN_MS - nowMs);
  }

  #call(need: Need, nowMs: number): Shown {
    const tag = placeOf(need);
    this.#called.delete(tag);
    this.#called.set(tag, nowMs);
    const [oldest] = this.#called.keys();
    if (this.#called.size > MOST_CALLS && oldest !== undefined) this.#called.delete(oldest);
    const title = `${nameOf(need.id ?? 'An agent')} ${WORDS[need.what]}`;
    return this.#show({ title, body: nameOf(need.daemon), tag }, need);
  }
}

function placeOf({ daemon, id }: Need): string {
  return JSON.stringify([daemon, id]);
}

/** Names of other hosts are theirs. */
function nameOf(name: string): string {
  return safeText(name).slice(0, MOST_NAME);
}
