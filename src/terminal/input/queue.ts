/**
 * Runs the input of one request at a time, in the order of the requests: no other request comes between a text and its
 * Enter. An interrupt aborts those that run or wait.
 */
import type { Clock } from '../../base/clock.js';
import { Shares } from '../../base/shares.js';
import { T4aError } from '../../protocol/errors.js';

/** Bound of waiting input: eight of the largest inputs, four of one connection. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
const MAX_WAITING = 2048;

export class InputQueue {
  readonly #clock: Clock;
  #last: Promise<unknown> = Promise.resolve();
  /** The act that began last. */
  #running: Promise<unknown> | undefined;
  #controller = new AbortController();
  readonly #bytes = new Shares(MAX_WAITING_BYTES);
  readonly #turns = new Shares(MAX_WAITING);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param connection whose input may be half of what waits @throws T4aError input_blocked if too much waits already; else the errors of `act` */
  async take<T>(bytes: number, act: (signal: AbortSignal) => Promise<T>, connection?: object): Promise<T> {
    this.#assertRoom(bytes, connection);
    this.#bytes.take(connection, bytes);
    this.#turns.take(connection);
    const { signal } = this.#controller;
    const taken = this.#last.then(() => {
      signal.throwIfAborted();
      return (this.#running = act(signal));
    });
    // The next one waits for the end of this one, failed or not.
    this.#last = taken.catch(() => {});
    try {
      return await taken;
    } finally {
      this.#bytes.free(connection, bytes);
      this.#turns.free(connection);
    }
  }

  #assertRoom(bytes: number, connection: object | undefined): void {
    const lack = this.#bytes.lack(connection, bytes) ?? this.#turns.lack(connection);
    if (lack === undefined) return;
    const whose = lack === 'share' ? ', half of which may be of one connection' : '';
    throw new T4aError(
      'input_blocked',
      `${this.#bytes.taken} bytes of input wait already${whose}; the program took 0 of ${bytes} bytes.`,
      { hint: 'Wait for the replies to earlier input.' },
    );
  }

  /** Acts that run or wait. */
  get waiting(): number {
    return this.#turns.taken;
  }

  get isBusy(): boolean {
    return this.#turns.taken > 0;
  }

  /** Resolves once the act that runs now has ended, failed or not; those that wait have not begun then. */
  async between(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  /** Running and waiting tasks fail with `reason`. */
  interrupt(reason: T4aError): void {
    const controller = this.#controller;
    this.#controller = new AbortController();
    controller.abort(reason);
  }

  /** A pause within an act. @throws the reason of an interrupt */
  pause(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (ms === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const end = (): void => {
        timer.dispose();
        reject(signal.reason as T4aError);
      };
      const timer = this.#clock.after(ms, () => {
        signal.removeEventListener('abort', end);
        resolve();
      });
      signal.addEventListener('abort', end, { once: true });
    });
  }
}
