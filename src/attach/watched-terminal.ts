/** One terminal of the daemon, as a person sees it: its frames, one after another, and its end. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DaemonConnection } from '../client/connection.js';
import { Mirror, type MirrorChange } from '../mirror/mirror.js';
import { watchFrames } from '../mirror/watcher.js';
import { Hold, sendBy } from './hold.js';
import type { ProgramEnd } from './status-line.js';

/** 60 frames a second. */
const MIN_FRAME_MS = 1000 / 60;

export interface ShownFrame extends MirrorChange {
  /** The name that has taken control from the person since the frame before. */
  readonly lostTo: string | undefined;
}

export class WatchedTerminal {
  readonly id: string;
  readonly mirror = new Mirror();
  readonly hold: Hold;
  readonly #connection: DaemonConnection;
  readonly #leaving = new AbortController();
  #end: ProgramEnd | undefined;

  /** @param shares control is never taken */
  constructor(connection: DaemonConnection, id: string, options: { readonly shares: boolean }) {
    this.#connection = connection;
    this.id = id;
    this.hold = new Hold(connection, id, options);
  }

  /** Undefined while the program runs. */
  get end(): ProgramEnd | undefined {
    return this.#end;
  }

  get isLeft(): boolean {
    return this.#leaving.signal.aborted;
  }

  /**
   * Asks for frames until the terminal is left. @param onFrame the next frame is asked for once it resolves: the picture
   * of a slow terminal is late by one frame at most
   * @throws T4aError `terminal_not_found`, `connection_lost`
   */
  async follow(onFrame: (shown: ShownFrame) => Promise<void>): Promise<void> {
    const { signal } = this.#leaving;
    try {
      const watched = { send: sendBy(this.#connection), id: this.id, mirror: this.mirror, signal };
      await watchFrames(watched, async (_frame, change) => {
        const drawnAt = performance.now();
        // In the step of the frame: the reply to a take may be the next.
        const lostTo = this.hold.follow(this.mirror.state.control);
        if (!this.mirror.state.alive) this.#end ??= await this.#connection.call('status', { id: this.id }, { signal });
        await onFrame({ ...change, lostTo });
        await delay(Math.max(0, MIN_FRAME_MS - (performance.now() - drawnAt)), undefined, { signal });
      });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  leave(): void {
    this.#leaving.abort();
  }
}
