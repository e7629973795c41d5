/**
 * Which of many texts occur in another, in one pass that skips most of it: Wu and Manber, "A fast algorithm for multi-pattern
 * searching" (1994). Each text stands for its first characters, as many as the shortest has; pairs of characters that end none
 * of their beginnings tell how far to skip.
 */

const BUCKETS = 4096;
const MAX_WINDOW = 16;

export class TextSet {
  readonly #texts: readonly string[];
  readonly #window: number;
  /** Characters to skip, by the pair of characters at the end of the window. */
  readonly #skip = new Uint8Array(BUCKETS);
  /** Texts whose window ends with the pair. */
  readonly #ending = new Map<number, number[]>();

  /** @param texts none of them empty */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#window = texts.reduce((least, { length }) => Math.min(least, length), MAX_WINDOW);
    this.#skip.fill(Math.max(1, this.#window - 1));
    texts.forEach((text, i) => this.#enter(text, i));
  }

  #enter(text: string, i: number): void {
    const last = this.#window - 1;
    for (let at = 1; at <= last; at++) {
      const pair = pairOf(text.charCodeAt(at - 1), text.charCodeAt(at));
      this.#skip[pair] = Math.min(this.#skip[pair] ?? 0, last - at);
    }
    if (last === 0) return;
    const pair = pairOf(text.charCodeAt(last - 1), text.charCodeAt(last));
    const ending = this.#ending.get(pair);
    if (ending === undefined) this.#ending.set(pair, [i]);
    else ending.push(i);
  }

  /** Texts that occur in `text`, at the cost of a few searches at most: undefined if it would take more. */
  in(text: string): ReadonlySet<string> | undefined {
    const found = new Set<string>();
    if (this.#window === 1) {
      for (const each of this.#texts) if (text.includes(each)) found.add(each);
      return found;
    }
    const [skip, last, end] = [this.#skip, this.#window - 1, text.length];
    /** Comparisons that are left: none of the texts can make it take long. */
    let left = end;
    for (let at = last; at < end;) {
      const pair = pairOf(text.charCodeAt(at - 1), text.charCodeAt(at));
      const step = skip[pair] as number;
      if (step > 0) {
        at += step;
        continue;
      }
      for (const i of this.#ending.get(pair) ?? []) {
        const each = this.#texts[i] as string;
        if (found.has(each)) continue;
        left -= each.length;
        if (text.startsWith(each, at - last)) found.add(each);
      }
      if (found.size === this.#texts.length) break;
      if (left < 0) return undefined;
      at++;
    }
    return found;
  }
}

function pairOf(first: number, second: number): number {
  return ((first << 5) ^ second) & (BUCKETS - 1);
}
