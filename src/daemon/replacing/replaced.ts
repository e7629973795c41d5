import type { HeldClock } from '../../base/held-clock.js';
import type { T4aError } from '../../protocol/errors.js';

/** Part of the server of the daemon that is replaced. */
export interface ReplacedServer {
  readonly listenerFd: number | undefined;
  readonly instance: string | undefined;
  counts(): { readonly in_flight: number };
  hold(): void;
  release(): void;
  handOver(pid: number): void;
  leave(reason: T4aError, graceMs: number): Promise<void>;
}

export interface Replaced {
  server(): ReplacedServer;
  /** Node and the program that this process runs. */
  readonly exec: string;
  readonly entry: string;
  /** Arguments of the program, beside the socket. */
  readonly args: readonly string[];
  /** Clock of all terminals and features. */
  readonly clock: Pick<HeldClock, 'hold' | 'stand' | 'release' | 'end'>;
  /** Ends this process. */
  exit(): void;
}
