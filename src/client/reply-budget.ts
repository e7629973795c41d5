/** Memory for the replies that several connections are receiving: a peer that announces much, or never ends, gets no more. */
import { T4aError } from '../protocol/errors.js';

export interface ReplyBudgetOptions {
  readonly mostBytes: number;
  /** Bound of one connection. */
  readonly mostOfOne: number;
  /** Bytes that are held elsewhere, and count as well. */
  readonly alsoHeld: () => number;
}

export class ReplyBudget {
  readonly #options: ReplyBudgetOptions;
  #bytes = 0;

  constructor(options: ReplyBudgetOptions) {
    this.#options = options;
  }

  /** @param held by this connection already @returns false if there is no room: then nothing is taken */
  take(bytes: number, held: number): boolean {
    const { mostBytes, mostOfOne, alsoHeld } = this.#options;
    if (held + bytes > mostOfOne || this.#bytes + alsoHeld() + bytes > mostBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** @param bytes of the reply, or as many of them as have come */
export function noRoom(bytes: number): T4aError {
  return new T4aError(
    'connection_lost',
    `A reply of ${bytes} bytes or more has no room here, and its connection was cut.`,
    {
      hint: 'Ask for less: fewer lines, a smaller picture.',
    },
  );
}
