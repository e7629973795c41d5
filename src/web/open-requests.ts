/**
 * Requests of one page that are not answered yet: how many they may be, and the pause of its socket until they are fewer. Each message
 * has a turn of the event loop to itself: those that came while the page was slowed, too.
 */
import type { WebSocket } from 'ws';
import type { PageRequest } from './admission.js';

/** Requests without an answer; further ones are read when there are fewer. */
const MAX_UNANSWERED = 64;

/** Most `watch` that wait and are not cancelled: one is being answered while the next waits. */
const MAX_WATCHES = 2;

export class OpenRequests {
  readonly #socket: WebSocket;
  readonly #take: (message: string) => void;
  readonly #watches = new Set<string | number>();
  #unanswered = 0;
  #isSlowed = false;
  /** Came with others before the socket was paused: at most what one read had. */
  #held: string[] = [];
  #isTurnAsked = false;

  /** @param take a message that the socket has read, now or once it is its turn */
  constructor(socket: WebSocket, take: (message: string) => void) {
    this.#socket = socket;
    this.#take = take;
  }

  push(message: string): void {
    if (this.#isSlowed || this.#held.length > 0) this.#held.push(message);
    else this.#take(message);
  }

  /** @returns whether it may go on: it does not if too many wait for something */
  begin({ req, lasts, ends }: PageRequest): boolean {
    if (lasts === true) {
      // Without a number its end could not be seen.
      const isTooMuch = req === undefined || this.#watches.has(req) || this.#watches.size >= MAX_WATCHES;
      if (isTooMuch) return false;
      this.#watches.add(req);
    }
    // The daemon answers both soon: who goes on to another terminal does not wait for it. All have their bound beside it.
    if (ends !== undefined) this.#watches.delete(ends);
    this.#unanswered++;
    return true;
  }

  /** @param req number of the request, if it has one */
  answered(req: unknown): void {
    this.#unanswered = Math.max(0, this.#unanswered - 1);
    if (typeof req === 'string' || typeof req === 'number') this.#watches.delete(req);
    if (this.#unanswered < MAX_UNANSWERED / 2) this.quicken();
  }

  get areTooMany(): boolean {
    return this.#unanswered >= MAX_UNANSWERED;
  }

  get isSlowed(): boolean {
    return this.#isSlowed;
  }

  /** The page's messages stay in its own buffers, and then in those of its network. */
  slow(): void {
    this.#isSlowed = true;
    this.#socket.pause();
  }

  quicken(): void {
    if (!this.#isSlowed) return;
    this.#isSlowed = false;
    this.#takeHeld();
  }

  #takeHeld(): void {
    if (this.#held.length === 0) return this.#socket.resume();
    if (this.#isTurnAsked) return;
    this.#isTurnAsked = true;
    setImmediate(() => {
      this.#isTurnAsked = false;
      const message = this.#isSlowed ? undefined : this.#held.shift();
      if (message !== undefined) this.#take(message);
      if (!this.#isSlowed) this.#takeHeld();
    });
  }

  /** Drops what the socket has read: it is not looked at any more. */
  drop(): void {
    this.#held = [];
  }
}
