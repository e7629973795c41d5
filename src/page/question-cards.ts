/**
 * The questions that are in view, and those that were until just now. A card keeps its place while a pointer or the focus is on
 * the cards: one that is over stays there and says how it ended. A card takes no click before a person can have read it.
 */
import type { StreamLine } from '../protocol/events.js';
import type { DaemonState } from './daemon-state.js';
import type { Ask } from './listed.js';

/** A card that has come to its place takes a click only after so long: what is clicked before was meant for what stood there. */
export const READ_MS = 500;

/** A card that is over is in view for at least so long. */
const OVER_MS = 1000;

/** Endings that are told before the list is without the question. */
const MAX_ENDINGS = 100;

type Ending = Extract<StreamLine, { event: 'answered' }>;

export interface QuestionCard {
  readonly key: string;
  readonly daemon: DaemonState;
  readonly ask: Ask;
  /** How the question ended; undefined while it is open. */
  over: string | undefined;
  /** This page has sent an answer: who types on after it means something else. */
  isAnswered: boolean;
  /** Its answer can be taken back until then, unless it is read: milliseconds of the page's clock. */
  undoUntilMs: number;
  /** It is over for long enough to be seen. */
  mayGo: boolean;
  /** Its place may be pressed since then: milliseconds of the page's clock. */
  readyAtMs: number;
  /** CSS pixels of the page. */
  place: { readonly x: number; readonly y: number } | undefined;
}

export class QuestionCards {
  /** From the oldest. */
  #cards: QuestionCard[] = [];
  /** By their keys. */
  readonly #endings = new Map<string, string>();
  #isPointed = false;
  #isFocused = false;
  /** Called when the cards must be drawn again. */
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** @param asks that are open */
  shown(asks: readonly { readonly daemon: DaemonState; readonly ask: Ask }[]): readonly QuestionCard[] {
    const open = new Set(asks.map(({ daemon, ask }) => keyOf(daemon.name, ask.ask)));
    for (const card of this.#cards) if (card.over === undefined && !open.has(card.key)) this.#end(card);
    for (const { daemon, ask } of asks) {
      const key = keyOf(daemon.name, ask.ask);
      if (this.#cards.some((card) => card.key === key && card.over === undefined)) continue;
      // Who takes an answer back finds the question where it was.
      const at = this.#cards.findIndex((card) => card.key === key);
      this.#cards.splice(at === -1 ? this.#cards.length : at, at === -1 ? 0 : 1, {
        key,
        daemon,
        ask,
        over: undefined,
        isAnswered: false,
        undoUntilMs: 0,
        mayGo: false,
        readyAtMs: 0,
        place: undefined,
      });
    }
    return this.#cards;
  }

  /** A question has ended; the list is without it soon. */
  ended(daemon: string, event: Ending): void {
    this.#endings.set(keyOf(daemon, event.ask), wordsOf(event));
    const [oldest] = this.#endings.keys();
    if (this.#endings.size > MAX_ENDINGS && oldest !== undefined) this.#endings.delete(oldest);
  }

  set isPointed(isPointed: boolean) {
    this.#isPointed = isPointed;
    if (!isPointed) this.#sweep();
  }

  set isFocused(isFocused: boolean) {
    this.#isFocused = isFocused;
    if (!isFocused) this.#sweep();
  }

  /** @param key of a card that is over, which a person has dismissed */
  dismiss(key: string): void {
    this.#cards = this.#cards.filter((card) => card.key !== key || card.over === undefined);
    this.#onChange();
  }

  /** To be called once they are drawn. @param placeOf a card in the page; undefined if it is not drawn */
  drawn(placeOf: (key: string) => QuestionCard['place']): void {
    const nowMs = performance.now();
    for (const card of this.#cards) this.#moved(card, placeOf(card.key), nowMs);
  }

  /**
   * What is pressed was in its place for long enough.
   * @param place of the card now @param atMs when the pointer went down, by the page's clock
   */
  mayPress(key: string, place: QuestionCard['place'], atMs: number): boolean {
    const card = this.#cards.find((one) => one.key === key);
    if (card === undefined) return false;
    this.#moved(card, place, performance.now());
    return atMs >= card.readyAtMs;
  }

  isReady({ readyAtMs }: QuestionCard): boolean {
    return readyAtMs > 0 && performance.now() >= readyAtMs;
  }

  #moved(card: QuestionCard, place: QuestionCard['place'], nowMs: number): void {
    const before = card.place;
    if (before !== undefined && place !== undefined && isNear(before, place)) return;
    card.place = place;
    card.readyAtMs = nowMs + READ_MS;
    setTimeout(this.#onChange, READ_MS + 1);
    this.#onChange();
  }

  #end(card: QuestionCard): void {
    card.over = this.#endings.get(card.key) ?? 'This question is not open any more.';
    this.#endings.delete(card.key);
    this.#goLater(card, OVER_MS);
  }

  #goLater(card: QuestionCard, ms: number): void {
    setTimeout(() => {
      const leftMs = card.undoUntilMs - performance.now();
      if (leftMs > 0) return this.#goLater(card, leftMs);
      card.mayGo = true;
      this.#sweep();
      this.#onChange();
    }, ms);
  }

  /** Cards that are over go, unless a person is at them. */
  #sweep(): void {
    if (this.#isPointed) return;
    const kept = this.#cards.filter(({ mayGo, isAnswered }) => !mayGo || (this.#isFocused && !isAnswered));
    if (kept.length === this.#cards.length) return;
    this.#cards = kept;
    this.#onChange();
  }
}

export function keyOf(daemon: string, ask: number): string {
  return `${daemon} ${ask}`;
}

function isNear(
  one: { readonly x: number; readonly y: number },
  other: { readonly x: number; readonly y: number },
): boolean {
  return Math.abs(one.x - other.x) <= 1 && Math.abs(one.y - other.y) <= 1;
}

function wordsOf({ outcome, by }: Ending): string {
  return ENDING_WORDS[outcome](by === null ? '' : ` by ${by}`);
}

const ENDING_WORDS: Readonly<Record<Ending['outcome'], (by: string) => string>> = {
  answered: (by) => `Answered${by}.`,
  declined: (by) => `Declined${by}.`,
  withdrawn: () => 'Withdrawn: the agent does not ask any more.',
  expired: () => 'The time for an answer is over.',
  exited: () => 'The agent has gone, or its terminal has ended.',
};
