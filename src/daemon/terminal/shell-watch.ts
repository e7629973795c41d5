/**
 * What is known of the shell in a terminal: its prompts and commands from what it says, and whether it has done what it
 * was told, from that and from what it waits for. Decides by parts of events/; publishes nothing itself.
 */
import type { Clock } from '../../base/clock.js';
import { Emitter } from '../../base/emitter.js';
import type { AwaitingInput } from '../../events/input/awaiting-input.js';
import { CommandLog, type CommandRecord, type MarkPlace } from '../../events/shell/command-log.js';
import { type CommandMark, CommandMarks, type CommandPhase } from '../../events/shell/command-marks.js';
import { CommandTurns } from '../../events/shell/command-turns.js';
import { dropsLine, interrupts, leavesText } from '../../events/input/typed-input.js';
import type { OscMessage } from '../../vt/screen-effects.js';
import { readStat } from '../system/processes.js';
import type { TypedScreen, TypedStart } from '../../events/shell/typed-commands.js';
import { canProbeInput } from '../system/proc/input-probe.js';
import { isIntegratedShell, isInteractiveShell } from '../system/proc/shell-process.js';
import { TypedShell } from './typed-shell.js';

/** How long the marks of a shell may be on their way on a busy machine. */
const MARKS_LIMIT_MS = 1000;

/** Shells with a line editor of their own: they read lines in another mode only for `read`. */
const EDITING_SHELLS: readonly string[] = ['bash', 'zsh', 'fish'];

export interface ShellWatchOptions {
  readonly clock: Clock;
  /** The process that leads the terminal's session. */
  readonly pid: number;
  /** Folder of the scripts that are injected into shells. */
  readonly scripts: string;
  readonly screen: TypedScreen;
}

export interface MarkSeen {
  readonly mark: CommandMark;
  /** The command that it starts or ends. */
  readonly record: CommandRecord | undefined;
}

export class ShellWatch {
  readonly commands: CommandLog;
  /** Seen to have done all that it was told, with the exit code of the last command where known. */
  readonly onWaiting = new Emitter<number | null>();
  /** Seen waiting for the rest of a command. */
  readonly onUnfinished = new Emitter<void>();
  /** What a shell is known to have done and has not said: to be handed to `onOsc`. */
  readonly onUnsaid = new Emitter<OscMessage | TypedStart>();
  readonly #clock: Clock;
  readonly #pid: number;
  readonly #scripts: string;
  readonly #marks = new CommandMarks({ hasTerminal: (aid) => this.#hasTerminal(aid) });
  readonly #turns = new CommandTurns({ seesWaiting: canProbeInput });
  readonly #typedShell: TypedShell;
  #marksSeen = 0;
  #promptsSeen = 0;
  #lastCode: number | null = null;
  #promptEnd: MarkPlace | undefined;
  #typed = false;
  #layouts = 0;
  #awaitsEcho = false;
  #isUnanswered = false;
  /** Before its scripts had spoken: they come after the user's files, and end with them. */
  #wasInterrupted = false;

  constructor({ clock, pid, scripts, screen }: ShellWatchOptions) {
    this.#clock = clock;
    this.#pid = pid;
    this.#scripts = scripts;
    this.commands = new CommandLog(clock);
    this.#typedShell = new TypedShell(screen, clock);
    this.#typedShell.onStart.on((start) => this.onUnsaid.emit(start));
    this.#typedShell.onReading.on(() => {
      if (this.isDone) this.onWaiting.emit(this.lastCode);
    });
    this.#typedShell.onLost.on(() => this.#loseMarks());
  }

  get phase(): CommandPhase {
    return this.#marks.phase;
  }

  /** Its name, where the injected scripts have told it. */
  get name(): string | undefined {
    return this.#marks.shell;
  }

  /** Why it can tell no prompts and commands, where the scripts have told that. */
  get marksOff(): string | undefined {
    return this.#marks.off;
  }

  /** The prompt is marked by a shell itself, without the injected scripts. */
  get isUnnamed(): boolean {
    return this.#marks.isUnnamed;
  }

  get atPrompt(): boolean {
    return this.#marks.atPrompt;
  }

  /** Grows with each mark. */
  get marksSeen(): number {
    return this.#marksSeen;
  }

  /** Grows with each prompt that is drawn after something was read, and not with one that is drawn again. */
  get promptsSeen(): number {
    return this.#promptsSeen;
  }

  get isDone(): boolean {
    return this.#turns.isDone(this.#marks) && !this.#typedShell.isAboutToRead;
  }

  /** Of the command that ended last; null once another one has started. */
  get lastCode(): number | null {
    return this.#lastCode;
  }

  /** Where a command line begins; undefined where the shell does not tell, or lines have other numbers since. */
  get promptEnd(): MarkPlace | undefined {
    return this.#promptEnd;
  }

  /** Input has come since, and nothing has come of it yet. */
  get isUnanswered(): boolean {
    return this.#isUnanswered;
  }

  /** Grows when lines are numbered anew. */
  get layouts(): number {
    return this.#layouts;
  }

  /** Something was typed and not submitted since; what has become of it is not known. */
  get mayHoldText(): boolean {
    return this.#typed;
  }

  onOsc(message: OscMessage | TypedStart, cwd: string | undefined): MarkSeen[] {
    const start = this.#typedShell.onOsc(message);
    return [...(start === undefined ? [] : this.#feed(start, cwd)), ...this.#feed(message, cwd)];
  }

  #feed(message: OscMessage | TypedStart, cwd: string | undefined): MarkSeen[] {
    return this.#marks.feed(message).map((mark) => {
      this.#marksSeen++;
      this.#turns.onMark(mark);
      if (mark.mark === 'prompt_start') this.#promptsSeen++;
      if (mark.mark === 'command_start') this.#lastCode = null;
      if (mark.mark === 'command_done' || mark.mark === 'line_refused') this.#lastCode = mark.code;
      if (mark.mark === 'line_refused') this.#typed = mark.isKept;
      if (mark.mark === 'input_start') this.#promptEnd = { line: message.line, col: message.col };
      return { mark, record: this.commands.onMark(mark, message, cwd) };
    });
  }

  /** To be called before it is written. */
  onInput(text: string): void {
    this.#turns.onInput(text, this.#marks);
    this.#typed = leavesText(text, this.#typed);
    this.#typedShell.onInput(text);
    if (/[\r\n]/.test(text) || (dropsLine(text) && this.#answersDropping)) this.#awaitsEcho = true;
    this.#isUnanswered = true;
    if (interrupts(text)) this.onInterrupt();
  }

  /** What is in the foreground gets SIGINT. */
  onInterrupt(): void {
    this.#wasInterrupted ||= this.name === undefined;
  }

  /** What comes next is a command, and no secret. */
  expectCommand(): void {
    this.#typedShell.expectCommand();
  }

  /** fish says nothing where the line is empty. */
  get #answersDropping(): boolean {
    return this.#marks.atPrompt && this.#marks.shell !== 'fish';
  }

  /** The terminal has printed something. */
  onBytes(): void {
    this.#awaitsEcho = false;
    this.#isUnanswered = false;
    this.#typedShell.onBytes();
  }

  /** What it has printed is on the screen. */
  onParsed(): void {
    this.#typedShell.onParsed();
  }

  dispose(): void {
    this.#typedShell.dispose();
  }

  /** To be called before lines are numbered anew, and what it returns afterwards. */
  followPlaces(...how: Parameters<CommandLog['followPlaces']>): () => void {
    const followed = this.commands.followPlaces(...how);
    return () => {
      this.#layouts++;
      this.#promptEnd = undefined;
      this.#typedShell.losePlaces();
      followed();
    };
  }

  /** A look has found that somebody waits for input, all that was printed being on the screen. */
  onSomebodyWaiting(found: AwaitingInput): void {
    // Every shell answers Enter with something, and most of them Ctrl+C. Until then it may not have got it: input goes
    // through a queue of the kernel's.
    if (this.#awaitsEcho) return;
    this.#isUnanswered = false;
    if (this.#hasLostScripts(found)) this.#tellOff(found.process, 'its start-up files were interrupted');
    if (this.#marks.phase === 'prompt' && this.#isAtPromptOfShell(found)) this.#marks.skipInputStart();
    const isRunning = this.#marks.phase === 'running' && !this.#isShellWithoutMarks(found);
    if (isRunning || this.#marks.atPrompt) {
      this.#typedShell.onSomebodyWaiting(found, isRunning ? this.commands.last : undefined);
    }
    // Some hooks tell ends and no prompts.
    if (this.#marks.atPrompt || this.#marks.phase === 'done') {
      if (this.#typedShell.asksForMore) this.onUnfinished.emit();
      else if (this.#turns.onWaiting(this.#marks)) this.onWaiting.emit(this.lastCode);
      else if (!this.#marks.inputStartIsDue) this.onUnfinished.emit();
    } else if (this.#isShellWithoutMarks(found)) {
      this.#turns.forget();
      this.onWaiting.emit(null);
    }
  }

  /**
   * The shell itself takes keys, but has not said that its command has ended: what it said is still on its way. Only for
   * a while, since there are commands of shells that take keys.
   */
  isAheadOfMarks({ pid, kind }: AwaitingInput, lastBytesAtMs: number): boolean {
    if (pid !== this.#pid || kind !== 'raw' || this.#marks.phase !== 'running') return false;
    if (this.#clock.now() - lastBytesAtMs >= MARKS_LIMIT_MS) return false;
    // It may have replaced itself by a shell that tells nothing.
    return this.#isMarking(pid) || !isInteractiveShell(pid);
  }

  /** It reads a line, and its scripts have not said that they are there. */
  #hasLostScripts(found: AwaitingInput): boolean {
    if (!this.#wasInterrupted || this.name !== undefined || found.pid !== this.#pid) return false;
    return this.#isMarking(found.pid) && this.#isAtPromptOfShell(found);
  }

  #tellOff(name: string, reason: string): void {
    this.onUnsaid.emit({ code: 7777, data: `shell;${name};off=${reason}`, line: undefined, col: 0 });
  }

  #loseMarks(): void {
    this.#tellOff(this.name ?? 'sh', 'its prompt has lost its marks');
    this.#turns.forget();
    this.onWaiting.emit(null);
  }

  /** The scripts give the number of their process as `aid`. */
  #hasTerminal(aid: string | undefined): boolean | undefined {
    const pid = aid === undefined ? this.#pid : Number(aid);
    const stat = readStat(pid);
    if (stat?.session !== this.#pid) return undefined;
    // It may have replaced itself by another one.
    return stat.group === stat.foregroundGroup && isIntegratedShell(pid, this.#scripts);
  }

  /** It reads a command line: the prompt is complete, whatever its hooks have told of it. */
  #isAtPromptOfShell({ pid, kind, process, secrecy }: AwaitingInput): boolean {
    if (secrecy === 'hidden' || (kind === 'line' && EDITING_SHELLS.includes(process))) return false;
    return isInteractiveShell(pid);
  }

  /** A shell in a shell, or in its place (`exec zsh`), that nobody told to speak, and that takes a line. */
  #isShellWithoutMarks(found: AwaitingInput): boolean {
    const { phase, depth } = this.#marks;
    if (depth > 1 || (phase !== 'running' && phase !== 'unknown')) return false;
    return this.#isAtPromptOfShell(found) && !this.#isMarking(found.pid);
  }

  /** Started with the scripts, and they have found a way to tell. */
  #isMarking(pid: number): boolean {
    return this.#marks.off === undefined && isIntegratedShell(pid, this.#scripts);
  }
}
