/** One terminal of the daemon, as a person sees it: its frames, one after another, and its end. */
import { type DaemonConnection, sendBy } from '../client/connection.js';
import { Mirror, type MirrorChange } from '../mirror/mirror.js';
import { watchFrames } from '../mirror/watcher.js';
import { TypistHold } from './hold.js';
import type { ShownEnd } from './status-line.js';

/** 60 frames a second. */
const MIN_FRAME_MS = 1000 / 60;

export interface ShownFrame extends MirrorChange {
  /** The name that has taken control from the person since the frame before. */
  readonly lostTo: string | undefined;
}

export class ShownTerminal {
  readonly id: string;
  readonly mirror = new Mirror();
  readonly hold: TypistHold;
  readonly #connection: DaemonConnection;
  readonly #leaving = new AbortController();
  #end: ShownEnd | undefined;

  /** @param shares control is never taken */
  constructor(connection: DaemonConnection, id: string, options: { readonly shares: boolean }) {
    this.#connection = connection;
    this.id = id;
    this.hold = new TypistHold(connection, id, options);
  }

  /** Undefined while the program runs. */
  get end(): ShownEnd | undefined {
    return this.#end;
  }

  get isLeft(): boolean {
    return this.#leaving.signal.aborted;
  }

  /** Resolves once it is left, or gone. @param onFrame the next frame is asked for once it resolves @throws T4aError `connection_lost` */
  follow(onFrame: (shown: ShownFrame) => Promise<void>): Promise<'left' | 'gone'> {
    const { id, mirror } = this;
    const { signal } = this.#leaving;
    const watched = { send: sendBy(this.#connection), id, mirror, signal, minFrameMs: MIN_FRAME_MS };
    return watchFrames(watched, async (_frame, change) => {
      // In the step of the frame: the reply to a take may be the next.
      const lostTo = this.hold.follow(mirror.state.control);
      if (!mirror.state.alive) this.#end ??= await this.#connection.call('status', { id }, { signal });
      await onFrame({ ...change, lostTo });
    });
  }

  leave(): void {
    this.#leaving.abort();
  }
}
