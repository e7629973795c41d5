/**
 * When requests begin. Without it the requests of one connection that end without waiting for anything outside of the
 * process would run back to back, and nobody else would be served before the last of them. Connections take turns, one
 * request each; after {@link SLICE_MS} of work, or {@link SHARED_SLICE_MS} while others ask, the event loop turns.
 *
 * A request may take longer in one step, such as a change to the largest size. While others ask, connections whose last request did
 * then rest for as long as it took: a client that asks for small things one after the other is mostly served at once.
 *
 * What waits here is bounded by the connections: each has a bound of requests that are not answered.
 */
import { type Clock, systemClock } from '../base/clock.js';

/**
 * Some hundred small requests, so that a turn of the loop costs each of them little, and two slices of a search (4 ms): what
 * comes behind a search does not wait for its end. Short enough that no client notices it.
 */
const SLICE_MS = 10;

/** Milliseconds that another waits at the median. A turn of the loop takes a twentieth of it. */
const SHARED_SLICE_MS = 1;

/** A long step: a small request takes this only where the machine is very busy. */
const LONG_MS = 10;
/** Bounds what a rest costs, whatever the step took. */
const MAX_REST_MS = 50;
/** Others are served at present: a small request of theirs is not older. */
const ASKS_MS = 100;

interface Served {
  readonly owner: object;
  readonly atMs: number;
}

export class RequestSchedule {
  readonly #clock: Clock;
  /** Queues in the order of their turns. Each has at least one start. */
  readonly #queues = new Map<object, (() => void)[]>();
  /** A request has begun, and what it does without waiting is not done. Or the loop has to turn first. */
  #isBusy = false;
  /** The next request begins once the loop has turned. */
  #waitsForTurn = false;
  #isTurnAsked = false;
  #owner: object | undefined;
  #beganMs = 0;
  /** Since the loop was last made to turn. */
  #workedMs = 0;
  /** Their last request took a long step. */
  readonly #resting = new WeakSet<object>();
  #restEndsMs = 0;
  #isRestTimed = false;
  #isHeld = false;
  /** The last small request, and the last one of another owner than that. */
  #lastSmall: readonly (Served | undefined)[] = [];

  /** Owners of several connections, by their name. */
  readonly #shared = new Map<string, { connections: number }>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** @returns the owner of what all connections of that name ask: they take turns as one. Call {@link leave} for each */
  join(name: string): object {
    const owner = this.#shared.get(name) ?? { connections: 0 };
    owner.connections++;
    this.#shared.set(name, owner);
    return owner;
  }

  leave(name: string): void {
    const owner = this.#shared.get(name);
    if (owner !== undefined && --owner.connections === 0) this.#shared.delete(name);
  }

  /** No request begins until {@link release}. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    if (!this.#isBusy) this.#next();
  }

  /** @param start is called once, at once where nothing is before it; starts of one owner keep their order */
  begin(owner: object, start: () => void): void {
    if (!this.#isBusy && !this.#isHeld && !this.#rests(owner)) return this.#run(owner, start);
    const queue = this.#queues.get(owner);
    if (queue === undefined) this.#queues.set(owner, [start]);
    else queue.push(start);
    if (!this.#isBusy) this.#next();
  }

  #run(owner: object, start: () => void): void {
    this.#isBusy = true;
    this.#owner = owner;
    // Order: before the request asks for a further slice of its own, which would come before the requests that wait.
    if (!this.#isTurnAsked) setImmediate(this.#onTurn);
    this.#isTurnAsked = true;
    this.#beganMs = this.#clock.now();
    start();
    // Order: ticks that a microtask asks for come after all microtasks, which are what the request does.
    queueMicrotask(() => process.nextTick(this.#onWorked));
  }

  readonly #onWorked = (): void => {
    const nowMs = this.#clock.now();
    this.#noteStep(this.#owner ?? this, nowMs - this.#beganMs, nowMs);
    this.#workedMs += nowMs - this.#beganMs;
    const sliceMs = this.#othersAsk(this.#owner ?? this, nowMs) ? SHARED_SLICE_MS : SLICE_MS;
    if (this.#workedMs < sliceMs) this.#next();
    else this.#waitsForTurn = true;
  };

  #noteStep(owner: object, tookMs: number, nowMs: number): void {
    const [last, other] = this.#lastSmall;
    if (tookMs < LONG_MS) {
      this.#resting.delete(owner);
      this.#lastSmall = [{ owner, atMs: nowMs }, last?.owner === owner ? other : last];
      return;
    }
    this.#resting.add(owner);
    if (this.#othersAsk(owner, nowMs)) this.#restEndsMs = nowMs + Math.min(tookMs, MAX_REST_MS);
  }

  #othersAsk(owner: object, nowMs: number): boolean {
    return this.#lastSmall.some((one) => one !== undefined && one.owner !== owner && nowMs - one.atMs < ASKS_MS);
  }

  #rests(owner: object): boolean {
    return this.#resting.has(owner) && this.#clock.now() < this.#restEndsMs;
  }

  readonly #onTurn = (): void => {
    this.#isTurnAsked = false;
    this.#workedMs = 0;
    if (!this.#waitsForTurn) return;
    this.#waitsForTurn = false;
    this.#next();
  };

  #next(): void {
    for (const [owner, queue] of this.#isHeld ? [] : this.#queues) {
      if (this.#rests(owner)) continue;
      const start = queue.shift();
      this.#queues.delete(owner);
      if (queue.length > 0) this.#queues.set(owner, queue);
      if (start !== undefined) return this.#run(owner, start);
    }
    this.#isBusy = false;
    if (this.#queues.size === 0 || this.#isRestTimed || this.#isHeld) return;
    this.#isRestTimed = true;
    this.#clock.after(this.#restEndsMs - this.#clock.now(), this.#onRested);
  }

  readonly #onRested = (): void => {
    this.#isRestTimed = false;
    if (!this.#isBusy) this.#next();
  };
}
