/**
 * The shell in one terminal: holds its state (terminal/shell/shell-state.ts), feeds the reducer with marks, input and what
 * the kernel says, and passes the facts on. Decides nothing and publishes nothing itself.
 */
import type { Clock } from '../base/clock.js';
import { Emitter } from '../base/emitter.js';
import type { Disposable } from '../base/lifetime.js';
import type { AwaitingInput } from '../events/awaiting-input.js';
import { CommandLog, type FrozenCommands, type MarkSeen } from './shell/command-log.js';
import { terminalQuestion } from './shell/mark-speakers.js';
import { atPromptBegin } from './shell/prompt-before-marks.js';
import { OSC_133, T4A, type SourcedMark, parseShellMark } from './shell/osc-marks.js';
import type { MarkPlace, Reader, ShellFact, ShellInput } from './shell/shell-facts.js';
import { needsReader, reduce } from './shell/shell-reducer.js';
import {
  type CommandPhase,
  type ShellState,
  isAtPrompt,
  isDone,
  isPromptDue,
  newShellState,
  reasonForOff,
  shellLevel,
  shellName,
} from './shell/shell-state.js';
import { dropsKept, entersMode, leavesKept } from './input/typed-input.js';
import type { OscMessage } from '../vt/screen-effects.js';
import type { FrozenTypedCommands, TypedScreen, TypedStart } from './shell/typed-commands.js';
import { canProbeInput } from './system/proc/input-probe.js';
import { isIntegratedShell, isInteractiveShell } from './system/proc/shell-process.js';
import { isHeldUp } from './system/processes.js';
import { ExpectedLine, type FrozenExpectation } from './shell/expected-line.js';
import { type FrozenGuard, type HeldMark, MarkGuard, type MarksOff, type Verdict, doneAlone } from './mark-guard.js';
import type { TerminalSetup } from './setup.js';
import { type FrozenReaders, ShellReaders } from './shell-readers.js';
import { TypedShell } from './typed-shell.js';

/** How long the marks of a shell may be on their way on a busy machine. */
const MARKS_LIMIT_MS = 1000;

const LINE_BREAK = /[\r\n]/;
/** The kernel hands over what it has of the line. */
const CTRL_D = '\x04';
const NOWHERE: MarkPlace = { line: undefined, col: 0 };

export interface ShellWatchOptions {
  readonly clock: Clock;
  /** The process that leads the terminal's session. */
  readonly pid: number;
  /** Path of the terminal. */
  readonly device: string;
  /** Folder of the scripts that are injected into shells. */
  readonly scripts: string;
  readonly screen: TypedScreen;
  readonly markSeed?: TerminalSetup['markSeed'] | undefined;
  /** The reader takes bracketed pastes, as line editors do. */
  readonly isEditing: () => boolean;
  /** The kernel keeps lines until their end; undefined if that is not known. */
  readonly isCanonical?: () => Promise<boolean | undefined>;
}

export interface FrozenShell {
  readonly state: ShellState;
  readonly commands: FrozenCommands;
  readonly typed: FrozenTypedCommands;
  readonly guard: FrozenGuard;
  readonly readers: FrozenReaders;
  readonly expected: FrozenExpectation;
  readonly wasEditing: boolean;
}

export class ShellWatch {
  readonly commands: CommandLog;
  /** The shell has done all that was sent to it, with the exit code of the last command if known. */
  readonly onWaiting = new Emitter<number | null>();
  /** The shell waits for the rest of a command, or has refused the line (true) with no more than the same prompt again. */
  readonly onUnfinished = new Emitter<boolean>();
  /** The shell asks about a line that it has read and not run yet (`setopt correct` of zsh). */
  readonly onAsks = new Emitter<AwaitingInput>();
  /** Starts that a shell should have marked and did not: to be handed to `onOsc`. */
  readonly onUnsaid = new Emitter<TypedStart>();
  /** The shell will mark nothing more: to be handed to `turnOff`. */
  readonly onOff = new Emitter<MarksOff>();
  readonly #clock: Clock;
  readonly #pid: number;
  readonly #scripts: string;
  readonly #typedShell: TypedShell;
  readonly #screen: TypedScreen;
  readonly guard: MarkGuard;
  readonly #readers: ShellReaders;
  #state: ShellState = newShellState({ seesWaiting: canProbeInput });
  readonly #expected = new ExpectedLine();
  readonly #isEditing: () => boolean;
  readonly #isCanonical: ShellWatchOptions['isCanonical'];
  /** The shell was last seen to read at its prompt with a line editor of its own. */
  #hasEditor = false;
  /** Grows with each input that ends or drops the line before. */
  #linesKept = 0;
  /** Pending looks for what was typed before the prompt. */
  #looks: Promise<unknown> = Promise.resolve();
  /** When the last line was entered at the prompt. */
  #wasEditing = false;

  constructor({ clock, pid, device, scripts, screen, markSeed, isEditing, isCanonical }: ShellWatchOptions) {
    this.guard = new MarkGuard(markSeed);
    this.#readers = new ShellReaders({ pid, device }, scripts);
    this.#clock = clock;
    this.#isEditing = isEditing;
    this.#isCanonical = isCanonical;
    this.#pid = pid;
    this.#scripts = scripts;
    this.commands = new CommandLog(clock);
    this.#screen = screen;
    this.#typedShell = new TypedShell(screen, clock, () => this.commands.lineEntered());
    this.#typedShell.onStart.on((start) => this.onUnsaid.emit(start));
    this.#typedShell.onReading.on(() => this.#feed({ input: 'prompt_settled' }));
    this.#typedShell.onLost.on((reason) => {
      this.onOff.emit({ name: this.name ?? 'sh', reason });
      this.#feed({ input: 'marks_lost' });
    });
  }

  freeze(): FrozenShell {
    return {
      state: this.#state,
      commands: this.commands.freeze(),
      typed: this.#typedShell.freeze(),
      guard: this.guard.freeze(),
      readers: this.#readers.freeze(),
      expected: this.#expected.freeze(),
      wasEditing: this.#wasEditing,
    };
  }

  restore({ state, commands, typed, guard, readers, expected, wasEditing }: FrozenShell): void {
    this.#state = state;
    this.commands.restore(commands);
    this.#typedShell.restore(typed);
    this.guard.restore(guard);
    this.#readers.restore(readers);
    this.#expected.restore(expected);
    this.#wasEditing = wasEditing;
  }

  get phase(): CommandPhase {
    return this.#state.phase;
  }

  /** Its name, if the injected scripts have reported it. */
  get name(): string | undefined {
    return shellName(this.#state);
  }

  /** Tabs of what is pasted are lost. */
  get dropsTabs(): boolean {
    const { integration } = this.#state.memory;
    return integration.kind === 'on' && integration.dropsTabs === true;
  }

  /** Why it cannot mark prompts and commands, if the scripts have reported that. */
  get marksOff(): string | undefined {
    return reasonForOff(this.#state);
  }

  /** The last prompt was marked by OSC 133 without a name: by a shell itself, not by the injected scripts. */
  get isUnnamed(): boolean {
    return this.#state.memory.promptSource === OSC_133;
  }

  /** Of a shell within a command only as long as that is known to be one. */
  get atPrompt(): boolean {
    return isAtPrompt(this.#state) && this.inner?.isKnown !== false;
  }

  get level(): number {
    return shellLevel(this.#state);
  }

  /** Undefined at level 0 (`shellLevel` of shell-state.ts). `isKnown`: the system shows the shell. */
  get inner(): { readonly level: number; readonly isKnown: boolean } | undefined {
    const { level } = this;
    return level === 0 ? undefined : { level, isKnown: this.#readers.isInnerKnown };
  }

  /** A command has ended, and hooks of the user's may run before the prompt. */
  get isPromptDue(): boolean {
    return isPromptDue(this.#state);
  }

  get marksSeen(): number {
    return this.#state.memory.counts.marks;
  }

  /** Ends of commands, and refused lines. */
  get endsSeen(): number {
    return this.#state.memory.counts.ends;
  }

  /** See WaitSubject. */
  get refusedSince(): number {
    return this.#state.memory.refusedSince ?? 0;
  }

  get linesEntered(): number {
    return this.#state.memory.counts.lines;
  }

  /** See WaitSubject. */
  get marksCommands(): 'all' | 'some' | 'none' {
    const isOther = this.phase === 'running' && this.#readers.mayInnerRead() && this.#readers.isOtherInFront;
    if (this.phase === 'unknown' || isOther) return 'none';
    return this.name !== undefined || this.endsSeen > 0 ? 'all' : 'some';
  }

  /** Who reads is no shell at its prompt: an end that is waited for depends on an answer. */
  isHeldBy(found: AwaitingInput): boolean {
    const { pid } = found;
    if (this.phase === 'running' || this.isPromptDue || (this.atPrompt && !this.isDone)) {
      return !isInteractiveShell(pid) || isIntegratedShell(pid, this.#scripts);
    }
    return this.phase === 'unknown' && !this.#readers.readerOf(found).isShell;
  }

  /** Grows with each prompt that is drawn after input was read, and not with one that is drawn again. */
  get promptsSeen(): number {
    return this.#state.memory.counts.prompts;
  }

  get isDone(): boolean {
    return isDone(this.#state) && !this.#typedShell.isAboutToRead;
  }

  /** A line was submitted, and its end has not been seen. */
  get isUnderWay(): boolean {
    return this.#state.memory.turn.kind === 'pending';
  }

  /** The shell has not come to its next read, whatever it does. */
  get isHeldUp(): boolean {
    return isHeldUp(this.#typedShell.pid ?? this.#pid);
  }

  /** Exit code of the last command; null once another one has started. */
  get lastCode(): number | null {
    return this.#state.memory.lastCode;
  }

  /** Where a command line begins; undefined if it was not marked, or lines have other numbers since. */
  get promptEnd(): ShellState['memory']['promptEnd'] {
    return this.#state.memory.promptEnd;
  }

  /** Input was written, and no output has followed yet. */
  get isUnanswered(): boolean {
    return this.#state.memory.reply !== 'none';
  }

  /** Grows when lines are numbered anew. */
  get layouts(): number {
    return this.#state.memory.counts.layouts;
  }

  /** What may stand on the command line, or keep it from taking text. */
  get leftovers(): Pick<
    ShellState['memory'],
    | 'mayHoldText'
    | 'mayHoldWords'
    | 'isKeptAhead'
    | 'mayHoldKeys'
    | 'holdsText'
    | 'mayHoldAnswers'
    | 'mayHoldCommandsAnswers'
    | 'editorMode'
    | 'startsAreDue'
  > {
    return this.#state.memory;
  }

  /** Resolves once `leftovers` has what was typed before the prompt. */
  async lookedForKept(): Promise<void> {
    await this.#looks;
  }

  /** To be called at each query that is answered, in the order of the output. */
  onAnswers(): void {
    this.#feed({ input: 'answered' });
    this.#typedShell.onAnswers();
  }

  onOsc(seen: OscMessage | TypedStart, cwd: string | undefined): MarkSeen[] {
    const message = 'agoMs' in seen ? seen : atPromptBegin(seen, this.#screen);
    // `read` prints the prompt for more as well, without a line editor.
    if (this.#isEditing() && this.guard.asksAfterCommand(message, this.#state)) this.commands.pause(message);
    else if (this.guard.runsRest(message, this.#state)) this.commands.pause(undefined);
    const judged = (): Verdict =>
      'agoMs' in message ? 'proven' : this.guard.judge(message, cwd, this.#state, this.#typedShell.isPending);
    let verdict = judged();
    const entered = verdict === 'unproven' ? this.#typedShell.entered() : undefined;
    const begun = entered === undefined ? [] : this.#onMessage(entered, cwd);
    if (entered !== undefined) verdict = judged();
    if (verdict === 'unproven' || verdict === 'dropped' || verdict === 'held') return begun;
    const isOwn = (verdict === 'event' || verdict === 'at_shell') && this.#readers.hasTerminal(undefined) === true;
    if (verdict === 'event') return isOwn ? begun : [...begun, ...doneAlone(message)];
    if (verdict === 'at_shell' && !isOwn) return begun;
    const start = this.#typedShell.onOsc(message);
    const started = start === undefined ? [] : this.#onMessage(start, cwd);
    return [...begun, ...started, ...this.#onMessage(message, cwd, verdict === 'proven')];
  }

  /** As if the shell had said so itself. */
  turnOff({ name, reason }: MarksOff, cwd: string | undefined): MarkSeen[] {
    return this.#onMark({ source: T4A, mark: { mark: 'shell', name, off: reason } }, NOWHERE, cwd);
  }

  /** To be called before the text is written. */
  onInput(text: string): void {
    this.#expected.onInput(text, this.atPrompt);
    if (LINE_BREAK.test(text) && this.guard.holdsPrompt && this.#readers.mayInnerRead())
      this.#hear(this.guard.release());
    if (LINE_BREAK.test(text) && this.atPrompt) this.#wasEditing = this.#isEditing();
    const isHandedOver = this.phase === 'running' && text.endsWith(CTRL_D) && this.#readers.isProgramReading();
    this.#feed({ input: 'written', text, isOfProgram: this.#isOfProgram(text), isHandedOver });
    this.#typedShell.onInput(text);
    if (dropsKept(text) || isHandedOver) this.#linesKept++;
    if (this.atPrompt || this.#hasEditor || isHandedOver) return;
    if (leavesKept(text) || this.#readers.lastKind !== 'line')
      this.#looks = Promise.all([this.#looks, this.#lookForKept(text)]);
  }

  /** A program that takes keys gets them at once, and may leave some of them; the kernel keeps the others until the line ends. */
  async #lookForKept(text: string): Promise<void> {
    const line = this.#linesKept;
    const isKept = leavesKept(text);
    const wasRaw = this.#readers.lastKind === 'raw';
    const slept = this.#readers.sleepOn();
    const isCanonical = await this.#isCanonical?.();
    const readers = slept();
    // The flags may be set anew by now: a program that has got its key gives the terminal back.
    const wasCanonical = isCanonical === true && (isKept ? readers === 'all' : !wasRaw);
    if (wasCanonical && isKept && line === this.#linesKept) this.#feed({ input: 'kept_ahead' });
    const isTaken = text.length === 1 && readers === 'none_of_one';
    if (isCanonical !== undefined && !wasCanonical && !isTaken) this.#feed({ input: 'keys_left' });
  }

  /** Keys that would close a command line are another program's if that reads them: the next prompt is an empty one. */
  #isOfProgram(text: string): boolean {
    return this.phase === 'running' && entersMode(text) && this.#readers.isProgramReading();
  }

  /** The foreground processes get SIGINT. */
  onInterrupt(): void {
    this.#feed({ input: 'interrupted' });
  }

  /** The terminal's program is a shell with scripts that mark no starts. */
  expectTypedStarts(): void {
    this.#typedShell.expectShell();
  }

  /**
   * The next input is this command, and no secret: it is told where the shell's history does not have it, or where its line
   * editor shows other characters. To be taken back once it has ended: it may start nothing.
   */
  expectCommand(line: string): Disposable {
    this.#typedShell.expectCommand();
    return this.#expected.expect(line);
  }

  /** The terminal has printed something. */
  onBytes(): void {
    this.#feed({ input: 'printed' });
    this.#typedShell.onBytes();
  }

  /** The output is on the screen. */
  onParsed(): void {
    this.#typedShell.onParsed();
  }

  dispose(): void {
    this.#feed({ input: 'exited' });
    this.commands.exited();
    this.#typedShell.dispose();
    this.guard.dispose();
  }

  readonly #hear = (held: readonly HeldMark[]) =>
    held.forEach(({ message, cwd }) => void this.#onMessage(message, cwd));

  /** To be called before lines are numbered anew; the returned function afterwards. */
  followPlaces(...how: Parameters<CommandLog['followPlaces']>): () => void {
    const followed = this.commands.followPlaces(...how);
    const typed = this.#typedShell.followPlaces(how[0]);
    return () => {
      this.#feed({ input: 'renumbered' });
      typed();
      followed();
    };
  }

  /** A look has found a process that waits for input; all output is on the screen. */
  onSomebodyWaiting(found: AwaitingInput): void {
    const reader = this.#readerOf(found);
    this.#readers.onReader(found);
    if ((this.guard.holdsPrompt || this.level > 0) && this.#readers.seeInner(found)) this.#hear(this.guard.release());
    const [fact] = this.#feed({ input: 'reader', isFirst: found.pid === this.#pid, reader });
    if (fact?.fact === 'scripts_lost') {
      this.onOff.emit({ name: found.process, reason: 'its start-up files were interrupted' });
      // The report has changed what is known of the shell.
      this.onSomebodyWaiting(found);
      return;
    }
    if (fact?.fact !== 'reader') return;
    // The start of a command that takes keys may not be marked yet.
    if (fact.at === 'prompt' && isInteractiveShell(found.pid)) this.#hasEditor = found.kind === 'raw';
    // No key is left for a reader of keys that sleeps.
    else if (found.kind === 'raw' && found.certain) {
      this.#linesKept++;
      this.#feed({ input: 'kept_taken' });
    }
    if (fact.at !== 'elsewhere') {
      this.#typedShell.onSomebodyWaiting(found, fact.at === 'command' ? this.commands.last : undefined);
    }
    // The start of a typed command may have changed the state, and what is needed for the verdict.
    const { asksForMore } = this.#typedShell;
    const facts = this.#feed({ input: 'read', asksForMore, reader: reader ?? this.#readerOf(found) });
    const unfinished = facts.find((each) => each.fact === 'unfinished');
    if (unfinished === undefined) return;
    if (this.#asksAside) this.onAsks.emit(found);
    else this.onUnfinished.emit(unfinished.isRefused);
  }

  /** zsh reads a key for an answer without its line editor, which it has for the rest of a command. */
  get #asksAside(): boolean {
    return this.name === 'zsh' && this.#wasEditing && !this.#isEditing();
  }

  /**
   * The shell itself takes keys, but has not marked the end of its command: the mark is still on its way. Only for a
   * while, since there are commands of shells that take keys.
   */
  isAheadOfMarks({ pid, kind }: AwaitingInput, lastBytesAtMs: number): boolean {
    if (pid !== this.#pid || kind !== 'raw' || this.phase !== 'running') return false;
    if (this.#clock.now() - lastBytesAtMs >= MARKS_LIMIT_MS) return false;
    // It may have replaced itself by a shell that marks nothing.
    const isMarking = this.marksOff === undefined && isIntegratedShell(pid, this.#scripts);
    return isMarking || !isInteractiveShell(pid);
  }

  #onMessage(message: OscMessage | TypedStart, cwd: string | undefined, hasProof = false): MarkSeen[] {
    const parsed = parseShellMark(message);
    const isProven = hasProof || ('agoMs' in message && this.guard.proves(parsed?.source));
    if (parsed === undefined) return [];
    const { mark } = parsed;
    if (mark.mark !== 'command_start') return this.#onMark(this.#provable(parsed), message, cwd, isProven);
    const command = this.#expected.take(mark.command, { isGuess: 'agoMs' in message, shell: this.name });
    // The rest of the line that was typed is still on its way.
    const isAhead = this.name === 'bash' && message.col > 0 && this.#readers.editsThroughPipe;
    const place = isAhead ? { ...message, line: undefined } : message;
    const started = { ...mark, command, isExpected: mark.command === undefined };
    return this.#onMark({ ...parsed, mark: started }, place, cwd, isProven);
  }

  /** A status that hooks mark without a start is a claim, if nothing was typed or the line may have run nothing. */
  #provable(parsed: SourcedMark): SourcedMark {
    const { mark } = parsed;
    if (mark.mark !== 'command_done' || this.phase === 'running') return parsed;
    if (this.linesEntered === 0 && isInteractiveShell(this.#pid))
      return { ...parsed, mark: { ...mark, isFirst: true } };
    return this.#expected.mayRunNothing ? { ...parsed, mark: { ...mark, code: null } } : parsed;
  }

  #onMark(parsed: SourcedMark, place: MarkPlace, cwd: string | undefined, isProven = false): MarkSeen[] {
    const question = terminalQuestion(this.#state.memory.speakers, parsed, this.name !== undefined);
    const hasTerminal = question === undefined ? undefined : this.#readers.hasTerminal(question.aid);
    const facts = this.#feed({ input: 'mark', ...parsed, place, hasTerminal, isProven });
    return facts.flatMap((each) =>
      each.fact === 'mark'
        ? [{ mark: each.mark, record: this.commands.onMark(each.mark, place, cwd, this.level) }]
        : [],
    );
  }

  #feed(input: ShellInput): readonly ShellFact[] {
    const { state, facts } = reduce(this.#state, input);
    this.#state = state;
    for (const each of facts) {
      if (each.fact === 'waiting') this.onWaiting.emit(each.code);
    }
    return facts;
  }

  #readerOf(found: AwaitingInput): Reader | undefined {
    return needsReader(this.#state) ? this.#readers.readerOf(found) : undefined;
  }
}
