/**
 * Inboxes take turns, one slice of work each: what one of them asks, however much and over however many links, costs another one a slice.
 * Messages that wait for a turn are bounded; of the beyond nothing is done.
 */
import { randomBytes } from 'node:crypto';
import { LoopTurns } from '../base/loop-turns.js';
import { Shares } from '../base/shares.js';

/** Half of it of one inbox. A server keeps as much for one that does not read. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
const OF_A_MESSAGE_BYTES = 1024;

const NEVER = new AbortController().signal;

interface Waiting {
  readonly bytes: number;
  readonly act: () => void;
}

export class InboxTurns {
  readonly #turns = new LoopTurns();
  /** The last turn that each has asked for. */
  readonly #last = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #room = new Shares(MOST_WAITING_BYTES);
  readonly #secret = randomBytes(16).toString('hex');

  /** Name of the connections of that inbox to the daemon, which take turns there, too. Others cannot guess it. */
  nameOf(inbox: string): string {
    return `${this.#secret} ${inbox}`.slice(0, MAX_NAME_LENGTH);
  }

  get sliceMs(): number {
    return this.#turns.sliceMs;
  }

  /** Resolves when it is the turn of that inbox: then work for {@link sliceMs} at most. */
  next(inbox: string): Promise<void> {
    const turn = (this.#last.get(inbox) ?? Promise.resolve()).then(() => this.#turns.next(NEVER));
    this.#last.set(inbox, turn);
    void turn.then(() => {
      if (this.#last.get(inbox) === turn) this.#last.delete(inbox);
    });
    return turn;
  }

  /** Calls `act` in a turn of the inbox, after what it has sent before. @returns false: there is no room, and it is never called */
  take(inbox: string, payloadBytes: number, act: () => void): boolean {
    const bytes = payloadBytes + OF_A_MESSAGE_BYTES;
    if (this.#room.lack(inbox, bytes) !== undefined) return false;
    this.#room.take(inbox, bytes);
    const waiting = this.#waiting.get(inbox);
    if (waiting !== undefined) waiting.push({ bytes, act });
    else {
      const first = [{ bytes, act }];
      this.#waiting.set(inbox, first);
      void this.#serve(inbox, first);
    }
    return true;
  }

  /** Drops all that waits: it is not done any more. */
  drop(): void {
    for (const [inbox, waiting] of this.#waiting)
      for (const { bytes } of waiting.splice(0)) this.#room.free(inbox, bytes);
  }

  async #serve(inbox: string, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      await this.next(inbox);
      const endMs = performance.now() + this.sliceMs;
      let done = 0;
      while (done < waiting.length && performance.now() < endMs) {
        const { bytes, act } = waiting[done++] as Waiting;
        this.#room.free(inbox, bytes);
        act();
      }
      waiting.splice(0, done);
    }
    this.#waiting.delete(inbox);
  }
}

/** Bound of `turns` in `restrict`. */
const MAX_NAME_LENGTH = 128;
