/** A way to a daemon that is not a socket of this machine's user: what opens it is in src/fleet/. */
import type { Duplex } from 'node:stream';
import type { CallOptions } from './connection.js';
import type { Pong } from './handshake.js';
import type { Received } from './reply-reader.js';

export interface Route {
  /** Name of the host, as its user calls it. */
  readonly host: string;
  /** URL as in the list of hosts, for errors: `ssh://me@web1`. */
  readonly url: string;
  /**
   * Opens a connection of its own, on which that daemon has answered `ping`.
   * @throws T4aError `host_unreachable`, `host_alias`, `version_mismatch`
   */
  open(options: CallOptions): Promise<RoutedDaemon>;
  /** What is taken of a reply: its words are those of another machine. Default: all. @param cmd that was asked, if it is known */
  readonly received?: Received;
}

export interface RoutedDaemon {
  /** Paused; nothing of it was read beyond the reply to `ping`. */
  readonly stream: Duplex;
  readonly daemon: Pong;
}
