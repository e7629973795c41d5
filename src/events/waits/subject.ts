/** What a wait asks of a terminal. The daemon's Terminal is one; tests have their own. */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';
import type { TerminalEvent } from '../../protocol/events.js';
import type { AwaitingInput } from '../input/awaiting-input.js';
import type { ScannedScreen } from '../search/line-scan.js';
import type { WorkSchedule } from '../search/work-schedule.js';
import type { Settled } from '../settled.js';

export interface WaitSubject {
  readonly screen: ScannedScreen;
  /** Takes searches that take long. */
  readonly work: WorkSchedule;
  /** Grows with each parse, whether or not the screen changed. */
  readonly parses: number;
  /** Of the clock, when the last bytes came. */
  readonly lastBytesAtMs: number;
  /** The process is gone and all of its output is on the screen. */
  readonly ended: boolean;
  /** Grows with each mark of the shell. */
  readonly commandMarks: number;
  /** The shell has done what it was told last. */
  readonly commandsDone: boolean;
  readonly lastCommandCode: number | null;
  readonly tellsAwaitingInput: boolean;
  /**
   * Each time that a look after output or input finds the shell done, which its marks alone do not tell: with the exit
   * code of the last command, where known. `now`: after a look that is taken now, too.
   */
  onShellWaiting(listener: (code: number | null) => void, options: { readonly now: boolean }): Disposable;
  /** After each parse, once everything that it caused has been published. */
  onParsed(listener: () => void): Disposable;
  /** This terminal's events, when they are published. */
  onEvent(listener: (event: TerminalEvent) => void): Disposable;
  /** Each time that a look after output or input finds the program waiting; `now`: after a look that is taken now, too. */
  onAwaitingInput(listener: (found: AwaitingInput) => void, options: { readonly now: boolean }): Disposable;
  /** See SettledDetector.watch. */
  watchSettled(settledMs: number, sinceMs: number, onSettled: (settled: Settled) => void): Disposable;
}

export interface WaitContext {
  readonly subject: WaitSubject;
  readonly clock: Clock;
  readonly armedAtMs: number;
  /** Only what comes after the arming counts: input is about to be sent. */
  readonly fresh: boolean;
  readonly echo: string;
}
