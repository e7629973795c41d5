/**
 * When requests begin. Without it the requests of one connection that end without waiting for anything outside of the
 * process would run back to back, and nobody else would be served before the last of them. Connections take turns, one
 * request each; after {@link SLICE_MS} of work the event loop turns.
 *
 * What waits here is bounded by the connections: each has a bound of requests that are not answered.
 */

/**
 * Some hundred small requests, so that a turn of the loop costs each of them little, and two slices of a search (4 ms): what
 * comes behind a search does not wait for its end. Short enough that no client notices it.
 */
const SLICE_MS = 10;

export class RequestSchedule {
  /** In the order of their turns. Each has at least one start. */
  readonly #queues = new Map<object, (() => void)[]>();
  /** A request has begun, and what it does without waiting is not done. Or the loop has to turn first. */
  #isBusy = false;
  /** The next request begins once the loop has turned. */
  #waitsForTurn = false;
  #isTurnAsked = false;
  #beganMs = 0;
  /** Since the loop was last made to turn. */
  #workedMs = 0;

  /** @param start is called once, at once where nothing is before it; starts of one owner keep their order */
  begin(owner: object, start: () => void): void {
    if (!this.#isBusy) return this.#run(start);
    const queue = this.#queues.get(owner);
    if (queue === undefined) this.#queues.set(owner, [start]);
    else queue.push(start);
  }

  #run(start: () => void): void {
    this.#isBusy = true;
    // Order: before the request asks for a further slice of its own, which would come before the requests that wait.
    if (!this.#isTurnAsked) setImmediate(this.#onTurn);
    this.#isTurnAsked = true;
    this.#beganMs = performance.now();
    start();
    // Order: ticks that a microtask asks for come after all microtasks, which are what the request does.
    queueMicrotask(() => process.nextTick(this.#onWorked));
  }

  readonly #onWorked = (): void => {
    this.#workedMs += performance.now() - this.#beganMs;
    if (this.#workedMs < SLICE_MS) this.#next();
    else this.#waitsForTurn = true;
  };

  readonly #onTurn = (): void => {
    this.#isTurnAsked = false;
    this.#workedMs = 0;
    if (!this.#waitsForTurn) return;
    this.#waitsForTurn = false;
    this.#next();
  };

  #next(): void {
    const [first] = this.#queues;
    if (first === undefined) {
      this.#isBusy = false;
      return;
    }
    const [owner, queue] = first;
    const start = queue.shift();
    this.#queues.delete(owner);
    if (queue.length > 0) this.#queues.set(owner, queue);
    if (start !== undefined) this.#run(start);
  }
}
