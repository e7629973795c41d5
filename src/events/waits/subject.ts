/** The part of a terminal that a wait needs. The daemon's Detectors implement it; tests have their own. */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';
import type { HasParts } from '../../base/parts.js';
import type { PublishedEvent, TerminalEvent } from '../../protocol/events.js';
import type { AwaitingInput } from '../awaiting-input.js';
import type { ScannedScreen } from '../../search/line-scan.js';
import type { WorkSchedule } from '../../search/work-schedule.js';
import type { Settled } from '../settled.js';
import type { TypedText } from './typed-text.js';

export interface WaitSubject {
  readonly screen: ScannedScreen;
  /** Absent: nothing is typed. */
  readonly typed?: TypedText | undefined;
  /** Parts that features keep of the terminal, for conditions on it. Absent: nothing. */
  readonly features?: HasParts | undefined;
  /** Schedules long searches. */
  readonly work: WorkSchedule;
  /** Grows with each parse, whether or not the screen changed. */
  readonly parses: number;
  /** Bytes of output that have arrived, parsed or not. */
  readonly outputBytes: number;
  /** Clock time of the last bytes. */
  readonly lastBytesAtMs: number;
  /** The process is gone and all of its output is on the screen. */
  readonly ended: boolean;
  /** End of the process; both null while it runs. */
  readonly exit: { readonly code: number | null; readonly signal: string | null };
  /** Grows with each mark of the shell. */
  readonly commandMarks: number;
  /** Grows with each end of a command, and with each line that the shell refuses. */
  readonly commandEnds: number;
  /** Lines that the shell has refused since a command started or ended. */
  readonly refusedSince: number;
  /** The shell itself has put text on its command line. */
  readonly holdsText: boolean;
  /** Lines that were submitted to the terminal or dropped, so far. */
  readonly linesEntered: number;
  /** `all`: the shell reports each command. `none`: what reads the terminal now reports nothing. */
  readonly marksCommands: 'all' | 'some' | 'none';
  /** The shell has finished the last line that it was sent. */
  readonly commandsDone: boolean;
  /** Command that ended last, each field null if unknown. `isNone`: the shell has run none yet. */
  readonly lastCommand: { readonly code: number | null; readonly command: string | null; readonly isNone?: boolean };
  /**
   * Shells within a command of the shell, by marks that anything can print: at most so many levels are open (absent: none).
   * `isKnown`: the system shows that one of them reads now.
   */
  readonly inner?: { readonly level: number; readonly isKnown: boolean } | undefined;
  readonly tellsAwaitingInput: boolean;
  /**
   * Called after each probe that finds the shell waiting, which its marks alone do not show: with the exit code of the
   * last command, if known. `now`: also probe at once.
   */
  onShellWaiting(listener: (code: number | null) => void, options: { readonly now: boolean }): Disposable;
  /** Called when the shell asks for the rest of a line, or has refused it. */
  onUnfinished(listener: (isRefused: boolean) => void): Disposable;
  /** Called when a program that is no shell at its prompt has waited for somebody for a while; see terminal/lasting-read.ts. */
  onQuestion(listener: (found: AwaitingInput) => void): Disposable;
  /** Called after each parse, once all of its events have been published. */
  onParsed(listener: () => void): Disposable;
  /** Called with this terminal's events when they are published. */
  onEvent(listener: (event: TerminalEvent) => void): Disposable;
  /** Called after each probe that finds the program waiting. `now`: also probe at once. */
  onAwaitingInput(listener: (found: AwaitingInput) => void, options: { readonly now: boolean }): Disposable;
  /** See SettledDetector.watch. */
  watchSettled(settledMs: number, sinceMs: number, onSettled: (settled: Settled) => void): Disposable;
}

/** Control of the terminal, as the author of a wait sees it. */
export interface ControlView {
  /** Name of the author, if the request has one. */
  readonly as: string | undefined;
  /** The name that has control now. */
  readonly holder: () => string | undefined;
}

export interface WaitContext {
  /** Absent: nobody ever has control. */
  readonly control?: ControlView | undefined;
  readonly subject: WaitSubject;
  readonly clock: Clock;
  readonly armedAtMs: number;
  /** Only what comes after the arming counts. */
  readonly fresh: boolean;
  /** Input is about to be sent: what it does not bring about is waited for in vain. */
  readonly acts?: boolean;
  readonly echo: string;
  /** Texts and patterns count in the line of the cursor alone, while the program waits for input. */
  readonly atCursor?: boolean;
  /** Whether typed text meets no condition. Default: `fresh`. */
  readonly passesOverTyped?: boolean;
  /** The terminal was made by the request that waits. */
  readonly isFirst?: boolean;
  /** Events before the arming that count as well. */
  readonly published: readonly TerminalEvent[];
  /** Absent: no client publishes any. */
  readonly bus?: PublishedSource | undefined;
}

/** Events of clients. */
export interface PublishedSource {
  on(listener: (event: PublishedEvent) => void): Disposable;
}
