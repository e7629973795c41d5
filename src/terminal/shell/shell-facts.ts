/** What goes into the shell's reducer (shell-reducer.ts), and the facts that come out. Values only. */
import type { ModesMoment } from '../../vt/input-modes.js';
import type { SourcedMark } from './osc-marks.js';

/** Where the cursor was when a mark came; lines have lasting numbers, see vt/rows/line-numbers.ts. */
export interface MarkPlace {
  /** Undefined if it is not known. */
  readonly line: number | undefined;
  readonly col: number;
  /** Age of a start that is reported late. */
  readonly agoMs?: number;
  /** The modes of the screen at the mark. */
  readonly modes?: ModesMoment;
  /** With it: a line that was erased and drawn by the line editor before. */
  readonly drawnAt?: number | undefined;
  /** With it: the place is that of the moment in which the line was entered; else that of the prompt. */
  readonly isAfterEnter?: boolean;
  /** With it: what stands before the output in its row. */
  readonly lead?: string;
}

export type ShellInput =
  /** A mark of a shell. */
  | ({
      readonly input: 'mark';
      readonly place: MarkPlace;
      /** The kernel's answer to `terminalQuestion` (mark-speakers.ts); undefined if unknown or not asked. */
      readonly hasTerminal: boolean | undefined;
      /** It has a proof (mark-proofs.ts). Default: false. */
      readonly isProven?: boolean;
    } & SourcedMark)
  /** Text is about to be written to the terminal. */
  | {
      readonly input: 'written';
      readonly text: string;
      /** A program reads it, and not the shell. */
      readonly isOfProgram?: boolean;
      /** A program gets the line as far as it was typed. */
      readonly isHandedOver?: boolean;
    }
  /** The foreground processes get SIGINT. */
  | { readonly input: 'interrupted' }
  /** The terminal has printed something. */
  | { readonly input: 'printed' }
  /** Answers to queries are about to be written: a program that has gone does not read them. */
  | { readonly input: 'answered' }
  /** Text that was typed while no prompt was up waits in the kernel for the end of its line. */
  | { readonly input: 'kept_ahead' }
  /** Keys went to a program that may leave some of them unread. */
  | { readonly input: 'keys_left' }
  /** A program has read all that was typed. */
  | { readonly input: 'kept_taken' }
  /** A process waits for input, all output is on the screen; `isFirst`: the process that leads the terminal's session. */
  | { readonly input: 'reader'; readonly isFirst: boolean; readonly reader: Reader | undefined }
  /** The verdict on that reader is due; `asksForMore`: the shell has drawn its prompt for the rest of a command. */
  | { readonly input: 'read'; readonly asksForMore: boolean; readonly reader: Reader | undefined }
  /** Enough time has passed since the prompt for the shell to read. */
  | { readonly input: 'prompt_settled' }
  /** The shell waits for lines and marks nothing any more. */
  | { readonly input: 'marks_lost' }
  /** Lines of the screen have other numbers. */
  | { readonly input: 'renumbered' }
  | { readonly input: 'exited' };

/** What the kernel says about a process that waits for input; needed only if `needsReader` (shell-reducer.ts). */
export interface Reader {
  /** An interactive shell that reads a command line. */
  readonly isShell: boolean;
  /** It was started with the injected scripts. */
  readonly isIntegrated: boolean;
}

export type CommandMark =
  | { readonly mark: 'prompt_start' }
  /** `isAtEnd`: a command line begins there. See osc-marks.ts. */
  | { readonly mark: 'input_start'; readonly holdsText?: boolean; readonly isAtEnd?: boolean }
  | {
      readonly mark: 'command_start';
      readonly command: string | undefined;
      /** Counts the starts. */
      readonly n: number;
    }
  | {
      readonly mark: 'command_done';
      readonly code: number | null;
      readonly command: string | undefined;
      /** Number of the start that this end belongs to; undefined if its start was not marked. At most one end has it. */
      readonly n: number | undefined;
    }
  /** A line that the shell could not read as a command: nothing ran. */
  | { readonly mark: 'line_refused'; readonly code: number | null; readonly isKept: boolean };

export type ShellFact =
  | { readonly fact: 'mark'; readonly mark: CommandMark }
  /** The reader: the shell at its prompt, a command of a shell, or a program of which no marks are known. */
  | { readonly fact: 'reader'; readonly at: 'prompt' | 'command' | 'elsewhere' }
  /** The shell reads lines, but its start-up files were interrupted before the scripts could run. */
  | { readonly fact: 'scripts_lost' }
  /** The shell has done all that was sent to it, with the exit code of the last command; null if unknown. */
  | { readonly fact: 'waiting'; readonly code: number | null }
  /** The shell waits for the rest of a command, or has drawn the end of its prompt again without any. */
  | { readonly fact: 'unfinished'; readonly isRefused: boolean };
