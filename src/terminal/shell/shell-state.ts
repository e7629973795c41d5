/**
 * The state of the shell in one terminal: one value, of which shell-reducer.ts makes the next. Never changed in place.
 *
 *  phase    | meaning                                                  | left by
 *  ---------|----------------------------------------------------------|------------------------------------------
 *  unknown  | no mark yet, or the shell's marks are off                | any mark of a prompt, a start or an end
 *  prompt   | a prompt has begun                                       | its end, or the start of a command
 *  input    | the prompt is complete: the shell takes a command line   | a new prompt, the start of a command
 *  running  | a command has the terminal                               | its end, or the prompt of a shell within it
 *  done     | a command has ended, and no prompt has followed yet      | the next prompt or start
 *
 * Beside it stay the log of commands (command-log.ts: a record of what was, with places on the screen) and the lines typed at
 * shells that mark no starts (typed-commands.ts: text compared with the screen). Both only read marks or produce them.
 */
import type { EditorMode } from '../input/typed-input.js';
import type { MarkPlace } from './shell-facts.js';
import type { Speaker } from './mark-speakers.js';
import { type Turn, NEW_TURN } from './turn.js';

export type ShellState = { readonly memory: ShellMemory } & (
  | ({ readonly phase: 'unknown' | 'input' } & BetweenCommands)
  | ({
      readonly phase: 'prompt';
      /** The end of this prompt will be marked, and has not been yet. */
      readonly inputStartIsDue: boolean;
    } & BetweenCommands)
  | { readonly phase: 'running' }
  | ({
      readonly phase: 'done';
      /** The source of the end marks its prompts. */
      readonly promptIsDue: boolean;
      readonly inputStartIsDue: boolean;
    } & BetweenCommands)
);

export type CommandPhase = ShellState['phase'];

/** No command has the terminal. */
interface BetweenCommands {
  /** Command line that was reported before its start. */
  readonly pendingLine: string | undefined;
  /** The last end; undefined if no command has ended since the last start. */
  readonly lastEnd: LastEnd | undefined;
}

export interface LastEnd {
  readonly reportedBy: ReadonlySet<string>;
  /** The command that it ended; undefined if its start was not seen. */
  readonly ended: RunningCommand | undefined;
}

export interface RunningCommand {
  /** Counts the starts; undefined once an end of this command was reported and found to be that of another. */
  readonly n: number | undefined;
  readonly command: string | undefined;
  readonly startedBy: ReadonlySet<string>;
  /** The source whose mark of the start had a proof (mark-proofs.ts): no other one ends it. */
  readonly provenBy?: string | undefined;
}

/** What outlives prompts and commands. */
export interface ShellMemory {
  readonly integration: Integration;
  /** Outermost first. */
  readonly speakers: readonly Speaker[];
  readonly reporters: Reporters;
  /** Outermost first. The last one has the terminal while the phase is `running`. */
  readonly commands: readonly RunningCommand[];
  /** A line that was submitted at a level above 0 (`shellLevel`) was answered by a mark: a shell is there that marks what it does. */
  readonly innerAnswers: boolean;
  /** The source of the prompt that is up marks starts: an end at this prompt is an empty line. */
  readonly startsAreDue: boolean;
  /** Source of the last prompt or end. */
  readonly promptSource: string | undefined;
  readonly turn: Turn;
  /** Looks of the system at the terminal notice a shell that waits; if not, a prompt counts as the end of all lines. */
  readonly seesWaiting: boolean;
  /** Output that input should cause: nothing is due, anything, or the shell's answer to Enter or Ctrl+C. */
  readonly reply: 'none' | 'due' | 'echo_due';
  /** Something was typed and not submitted since; whether it is still there is not known. */
  readonly mayHoldText: boolean;
  /** The same of more than blanks and the beginning of a key. */
  readonly mayHoldWords: boolean;
  /** Typed before the prompt, and kept by the kernel for the end of its line: a shell without a line editor shows none of it. */
  readonly isKeptAhead?: boolean;
  /** Keys went to a program that may have left some of them, and no line was entered at a prompt since. */
  readonly mayHoldKeys?: boolean;
  /** By its last prompt, or by the line that it has refused: the shell itself has put text there, and nothing was submitted since. */
  readonly holdsText: boolean;
  /** Answers to queries were written, and no line was submitted since: who asked may have gone without reading them. */
  readonly mayHoldAnswers: boolean;
  /** One of them came before the prompt was complete: fish reads those that it asks for at its prompt. */
  readonly mayHoldCommandsAnswers?: boolean;
  /** By the keys that were typed since. */
  readonly editorMode: EditorMode;
  /** Exit code of the last command; null once another one has started. */
  readonly lastCode: number | null;
  /** Lines that the shell has refused since a command started or ended; absent: none. */
  readonly refusedSince?: number;
  /** Where the command line begins; undefined if it was not marked, or lines have other numbers since. */
  readonly promptEnd: PromptEnd | undefined;
  /** Begin of the prompt; undefined as `promptEnd` is. */
  readonly promptBegin?: MarkPlace | undefined;
  readonly counts: {
    readonly starts: number;
    readonly marks: number;
    /** Of commands, and of lines that the shell refused. */
    readonly ends: number;
    /** Lines that were submitted or dropped. */
    readonly lines: number;
    /** Prompts that were begun; one that is drawn again does not count. */
    readonly prompts: number;
    /** How often lines were numbered anew. */
    readonly layouts: number;
  };
  /** The process is gone: only line numbers may still change. */
  readonly hasExited: boolean;
}

export interface PromptEnd extends MarkPlace {
  readonly isAtEnd?: boolean;
  /** Columns of text before a prompt in its row, the echo of early input: readline counts from the row's begin, and draws there again. */
  readonly colsBefore?: number;
}

/** What the injected scripts have reported of their shell. */
export type Integration =
  /** Nothing yet. The scripts run after the user's start-up files, and an interrupt of these ends both. */
  | { readonly kind: 'silent'; readonly wasInterrupted: boolean }
  | {
      readonly kind: 'on';
      readonly name: string;
      /** They have marked a prompt. */
      readonly hasMarked: boolean;
      /** Of what is pasted. */
      readonly dropsTabs?: true;
    }
  | { readonly kind: 'off'; readonly name: string; readonly reason: string };

/** Sources by what they are known to report. Bounded: see `withSource`. */
export interface Reporters {
  readonly starts: ReadonlySet<string>;
  readonly prompts: ReadonlySet<string>;
  /** They mark the end of their prompts. */
  readonly inputs: ReadonlySet<string>;
  /** They were expected to, and do not: something sets their prompts anew. */
  readonly inputSkips: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

export function newShellState({ seesWaiting }: { readonly seesWaiting: boolean }): ShellState {
  return {
    phase: 'unknown',
    pendingLine: undefined,
    lastEnd: undefined,
    memory: {
      integration: { kind: 'silent', wasInterrupted: false },
      speakers: [],
      reporters: { starts: NONE, prompts: NONE, inputs: NONE, inputSkips: NONE },
      commands: [],
      innerAnswers: false,
      startsAreDue: false,
      promptSource: undefined,
      turn: NEW_TURN,
      seesWaiting,
      reply: 'none',
      mayHoldText: false,
      mayHoldWords: false,
      holdsText: false,
      mayHoldAnswers: false,
      editorMode: 'text',
      lastCode: null,
      promptEnd: undefined,
      counts: { starts: 0, marks: 0, ends: 0, lines: 0, prompts: 0, layouts: 0 },
      hasExited: false,
    },
  };
}

/** The same state with other memories. */
export function remembering(state: ShellState, changes: Partial<ShellMemory>): ShellState {
  return { ...state, memory: { ...state.memory, ...changes } };
}

/**
 * Shells within a command whose start is proven, by marks without a proof: 0 is the shell that proves its marks. Anything that
 * is printed can open such a level; it cannot end the command around it. Always 0 where no marks are proven.
 */
export function shellLevel({ phase, memory: { commands } }: ShellState): number {
  if (commands[0]?.provenBy === undefined) return 0;
  return phase === 'running' ? commands.length - 1 : commands.length;
}

/** A prompt is up and nothing runs: the shell takes a command line. */
export function isAtPrompt({ phase }: ShellState): boolean {
  return phase === 'input' || phase === 'prompt';
}

/** The end of a prompt will be marked, and has not been yet. */
export function isInputStartDue(state: ShellState): boolean {
  return 'inputStartIsDue' in state && state.inputStartIsDue;
}

/** A command has ended, and the source of its end will mark the prompt that follows. */
export function isPromptDue(state: ShellState): boolean {
  return state.phase === 'done' && state.promptIsDue;
}

/** Whether, by its marks, the shell has run every line that was typed so far. */
export function isDone(state: ShellState): boolean {
  const { turn, seesWaiting } = state.memory;
  if (turn.kind === 'pending' || isInputStartDue(state)) return false;
  if (seesWaiting && turn.lines > 0) return false;
  return state.phase === 'done' || isAtPrompt(state);
}

/** Name of the shell that the injected scripts announced. */
export function shellName({ memory: { integration } }: ShellState): string | undefined {
  return integration.kind === 'silent' ? undefined : integration.name;
}

/** Why that shell cannot mark anything. */
export function reasonForOff({ memory: { integration } }: ShellState): string | undefined {
  return integration.kind === 'off' ? integration.reason : undefined;
}
