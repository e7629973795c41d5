/** Large replies of one connection, made one after the other: until the client reads it, each is in memory. */
import type { CallConnection, ClientCall } from './service.js';

export class OneAtATime {
  readonly #last = new WeakMap<CallConnection, Promise<void>>();

  /** Begins once those before it have ended and the client has read their replies. @throws what `make` throws; the signal's reason */
  run<T>(call: ClientCall, make: () => Promise<T>): Promise<T> {
    const made = (this.#last.get(call.connection) ?? Promise.resolve()).then(async () => {
      await call.caughtUp();
      call.signal.throwIfAborted();
      return make();
    });
    // Without its result, which may be large.
    const ended = made.then(
      () => {},
      () => {},
    );
    this.#last.set(call.connection, ended);
    return made;
  }
}
