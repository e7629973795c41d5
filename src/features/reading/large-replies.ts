/**
 * Large replies that become ready in the same instant, as of many waits for the same output: one is encoded in each turn of the event
 * loop, and of a connection only once its client has read those before. Others are served in between.
 */
import { setImmediate } from 'node:timers/promises';
import type { ClientCall } from '../../rpc/service.js';
import { OneAtATime } from '../../rpc/one-at-a-time.js';

/** A reply of this length takes half a millisecond to encode. */
const LARGE_LENGTH = 64 * 1024;

export class LargeReplies {
  readonly #ofConnections = new OneAtATime();
  #last: Promise<void> = Promise.resolve();

  /** Resolves when the reply may be encoded; at once for a small one. @throws the signal's reason */
  async turn(lines: readonly string[], call: ClientCall): Promise<void> {
    let length = 0;
    for (const line of lines) length += line.length;
    if (length < LARGE_LENGTH) return;
    await this.#ofConnections.run(call, () => {
      this.#last = this.#last.then(() => setImmediate());
      return this.#last;
    });
    call.signal.throwIfAborted();
  }
}
