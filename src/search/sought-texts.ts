/**
 * Texts that the readers of a screen look for. In what is new one pass looks for all of them: 32 triggers beside a flood would
 * each read all of it.
 */
import type { Disposable } from '../base/lifetime.js';
import { TextSet } from './text-set.js';

export interface Sought extends Disposable {
  /** False only if none of the reader's texts is in it. */
  mayBeIn(text: string): boolean;
}

/** One search is as fast for less than this. */
const SHORT = 1024;
/** More is searched by each reader, in pieces. */
const LONG = 1024 * 1024;

class SoughtTexts {
  /** Texts with the count of their readers. */
  readonly #texts = new Map<string, number>();
  #set: TextSet | undefined;
  /** Text that was searched last. */
  #text = '';
  #found: ReadonlySet<string> | undefined;

  add(texts: readonly string[]): void {
    for (const text of texts) this.#count(text, 1);
  }

  remove(texts: readonly string[]): void {
    for (const text of texts) this.#count(text, -1);
  }

  /** @returns undefined if it is not known */
  foundIn(text: string): ReadonlySet<string> | undefined {
    if (text === this.#text) return this.#found;
    this.#set ??= new TextSet([...this.#texts.keys()]);
    this.#text = text;
    this.#found = this.#set.in(text);
    // All readers ask in one step; later the text would only be held.
    queueMicrotask(() => this.#forget());
    return this.#found;
  }

  #count(text: string, change: number): void {
    const before = this.#texts.get(text) ?? 0;
    if (before + change > 0) this.#texts.set(text, before + change);
    else this.#texts.delete(text);
    if (before > 0 && before + change > 0) return;
    this.#set = undefined;
    this.#forget();
  }

  #forget(): void {
    this.#text = '';
    this.#found = undefined;
  }
}

const bySource = new WeakMap<object, SoughtTexts>();

/** @param screen whose news are searched @param texts of which one at least is wanted */
export function seek(screen: object, texts: readonly string[]): Sought {
  const sought = bySource.get(screen) ?? new SoughtTexts();
  bySource.set(screen, sought);
  sought.add(texts);
  let disposed = false;
  return {
    mayBeIn: (text) => {
      if (text.length > LONG) return true;
      if (text.length < SHORT) return texts.some((each) => text.includes(each));
      const found = sought.foundIn(text);
      return found === undefined || texts.some((each) => found.has(each));
    },
    dispose: () => {
      if (disposed) return;
      disposed = true;
      sought.remove(texts);
    },
  };
}
