/** Frames between the daemon that goes and the one that comes, over the socket that the second has as its descriptor 3. */
import type { Config } from '../../protocol/commands/config.js';
import type { FrozenBus } from '../../events/bus.js';
import type { FrozenTerminal } from '../../terminal/frozen-terminal.js';
import type { FrozenNames } from '../../terminal/terminals.js';
import type { TerminalIdentity } from '../../terminal/identity.js';
import type { PtyExit } from '../../terminal/pty/pty.js';
import type { TailPart } from '../../base/tail-ahead.js';
import type { WithBlobs } from '../../base/json-blobs.js';
import type { ConfigSources } from '../settings.js';
import type { FrozenTie } from '../tie.js';
import type { Stub } from './program-ends.js';

/** Version of the state below. Later versions have more: opened recordings, ties. */
export const STATE_VERSION = 3;

/** Versions that a daemon reads which takes the place of another. */
export const READ_VERSIONS: readonly number[] = [2, STATE_VERSION];

export interface CarriedTerminal extends Omit<FrozenTerminal, 'screen'> {
  readonly screen: WithBlobs;
  /** Descriptor in the new process; undefined for one whose output has ended. */
  readonly fd: number | undefined;
  readonly identity: TerminalIdentity;
  /** Number of the terminal in frames of lines. */
  readonly ahead?: number;
  /** Process or connection with which it ends. */
  readonly tie?: FrozenTie | undefined;
}

/** Sum of one terminal, to be compared by both. */
export interface TerminalSum {
  readonly id: string;
  readonly rev: number;
  readonly seenBytes: number;
  readonly lines: number;
  /** Digest of all rows of the viewport, of some above it, and of the cursor. */
  readonly digest: string;
}

export type OldFrame =
  /** Lines of the scrollback of one terminal, before the pause. */
  | { readonly kind: 'lines'; /** `ahead` of its terminal. */ readonly of: number; readonly part: WithBlobs }
  /** The latest output of one terminal, before the pause, as it came. */
  | ({ readonly kind: 'output'; readonly of: number } & TailPart)
  /** The new daemon says `caught_up` once all of it is in its place. Lines and output may still follow. */
  | { readonly kind: 'catch_up' }
  /** Before all that follows: what is observed of a terminal depends on it. */
  | {
      readonly kind: 'config';
      readonly config: Config;
      readonly sources: ConfigSources;
      /** Wall time of all that follows, in milliseconds. Daemons before did not say it. */
      readonly atMs?: number;
    }
  | { readonly kind: 'terminal'; readonly terminal: CarriedTerminal }
  /** Behind the state: what a feature has. One that the other side does not have stays behind. */
  | { readonly kind: 'feature'; readonly name: string; readonly state: WithBlobs }
  /** No feature follows. */
  | { readonly kind: 'complete' }
  | {
      readonly kind: 'state';
      readonly version: number;
      readonly instance: string;
      readonly names: FrozenNames;
      readonly bus: FrozenBus;
      readonly uptimeMs: number;
      readonly parsedBytesOfRemoved: number;
      readonly replaced: number;
      /** Processes before, the sender as well if it becomes one; descriptors in the new process. */
      readonly stubs?: readonly Stub[];
      /** Masters in the new process of terminals that have ended or gone since its start: they are to be closed. */
      readonly left?: readonly number[];
    }
  /** Moment from which on the terminals are the new one's. */
  | { readonly kind: 'go'; readonly pauseMs: number; /** Requests that are broken off. */ readonly brokenOff?: number }
  | ({ readonly kind: 'exit' } & ToldExit)
  /** A signal came to the old process that ends a daemon. */
  | { readonly kind: 'end'; readonly signal: string };

export interface ToldExit extends PtyExit {
  readonly pid: number;
}

export type NewFrame =
  | {
      readonly kind: 'hello';
      readonly version: string;
      readonly pid: number;
      readonly accepts: readonly number[];
      /** Whether it looks up the ends of programs whose parent is a stub. */
      readonly readsEnds?: boolean;
      /** Whether frames of lines are read. */
      readonly readsAhead?: boolean;
      /** Whether frames of output and `catch_up` are read. */
      readonly readsOutput?: boolean;
    }
  | { readonly kind: 'caught_up' }
  | { readonly kind: 'ready'; readonly sums: readonly object[] }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'gone' };
