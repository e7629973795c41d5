/**
 * A terminal as plain values, to be thawed in another process that has its master: all that its screen, its detectors and its shell know.
 * Waits, input that is not written and what features keep are not in it. Times are ages, since each process has a clock of its own.
 */
import type { WholeScreen } from '../vt/whole-screen.js';
import type { FrozenDetectors } from './detectors.js';
import type { FrozenInput } from './input/terminal-input.js';
import type { SeenLists } from './seen-sequences.js';
import type { ByteTail, FrozenTail } from '../base/tail.js';
import type { TailAhead } from '../base/tail-ahead.js';
import type { LinesAhead } from '../vt/lines-ahead.js';
import type { FrozenMarkSeed } from './shell/mark-proofs.js';
import type { AdoptedPty } from './pty/pty.js';
import type { TerminalSetup } from './setup.js';
import type { TerminalState } from './state.js';

export interface FrozenTerminal {
  /** But for the file of its marks' seed, which has its own words. */
  readonly setup: Omit<TerminalSetup, 'markSeed' | 'source'>;
  readonly markSeed: FrozenMarkSeed | undefined;
  readonly pid: number;
  /** Path of the slave device. */
  readonly device: string;
  /** Wall times in milliseconds. */
  readonly createdAtMs: number;
  readonly exitedAtMs: number | undefined;
  readonly generation: number;
  readonly state: TerminalState;
  readonly screen: WholeScreen;
  readonly output: FrozenTail;
  readonly seen: SeenLists;
  /** Absent in states of earlier daemons. */
  readonly input?: FrozenInput;
  readonly detectors: FrozenDetectors;
  readonly isPaused: boolean;
  /** Of an opened recording. */
  readonly recorded?: {
    /** Wall times of the recording: of its start, and of what it shows. */
    readonly startedAtMs: number;
    readonly nowMs: number;
    /** Folder in which a terminal was kept that is shown, and its name then. */
    readonly restored: { readonly folder: string; readonly id: string } | undefined;
  };
}

export function frozenSeed({ seed, isCounted, failure, path }: NonNullable<TerminalSetup['markSeed']>): FrozenMarkSeed {
  return { seed, isCounted, failure, path };
}

/** Parts of a terminal that another process gets while it goes on. */
export interface AheadOfTerminal {
  readonly lines: LinesAhead;
  readonly output: TailAhead;
}

/** A terminal that goes on here, and the master that this process has of it; a recording has none. */
export interface Thawing {
  readonly frozen: FrozenTerminal;
  /** Output that came ahead. */
  readonly before?: ByteTail | undefined;
  readonly pty?: AdoptedPty;
}
