/**
 * Starts of commands for a shell that does not mark them (terminal/shell/typed-commands.ts). A start is reported with the
 * first output after Enter, when another process group gets the foreground, when a program waits for input, or with the
 * command's end. Also detects prompts that have lost their marks, which shows only when the shell waits without any.
 */
import type { Clock } from '../base/clock.js';
import { Emitter } from '../base/emitter.js';
import type { Disposable } from '../base/lifetime.js';
import type { AwaitingInput } from '../events/awaiting-input.js';
import type { FollowedLine } from './shell/followed-places.js';
import { type FrozenTypedCommands, TypedCommands, type TypedScreen, type TypedStart } from './shell/typed-commands.js';
import type { OscMessage } from '../vt/screen-effects.js';
import { canProbeInput } from './system/proc/input-probe.js';
import { showsNoPrompt } from './system/proc/shell-process.js';
import { isHeldUp, readStat } from './system/processes.js';

/** Delay between Enter and the secondary prompt for the rest of a command, which is no start. */
const CHECK_MS = 50;
/** A shell that has neither asked for more nor started a process by then runs a builtin. */
const START_LIMIT_MS = 1000;
/** Between a prompt's marks and the shell's read, if the read cannot be seen. */
const READING_LIMIT_MS = 250;
/** For a shell that is held up between the two: by the machine's load, a signal or a tracer. */
const HELD_UP_LIMIT_MS = 10_000;
/** Longest delay of marks on a busy machine. */
const MARKS_LIMIT_MS = 1000;
/** Builtins that read what is typed. */
const READS = /\b(?:read|select)\b/;

/** Reasons for `onLost`. */
export const PROMPTS_ELSEWHERE = 'its prompts go where its standard error goes, which is not this terminal';

export class TypedShell implements Disposable {
  /** A start without a message of the shell. */
  readonly onStart = new Emitter<TypedStart>();
  /** The shell waits for a line and no longer marks its prompts: why. */
  readonly onLost = new Emitter<string>();
  /** The shell must be reading by now. */
  readonly onReading = new Emitter<void>();
  readonly #clock: Clock;
  readonly #screen: TypedScreen;
  readonly #commands: TypedCommands;
  #startCheck: Disposable | undefined;
  #lostCheck: Disposable | undefined;
  /** Set between a prompt and the shell's read. */
  #readingDue: Disposable | undefined;

  /** @param onEntered Enter is on the screen */
  constructor(screen: TypedScreen, clock: Clock, onEntered?: () => void) {
    this.#clock = clock;
    this.#screen = screen;
    this.#commands = new TypedCommands(screen, () => clock.now(), onEntered);
    screen.endSlicesAtLines(() => this.#commands.isOn && this.#commands.awaitsEnter);
  }

  freeze(): FrozenTypedCommands {
    return this.#commands.freeze();
  }

  restore(frozen: FrozenTypedCommands): void {
    this.#commands.restore(frozen);
    if (this.#commands.isEntered) this.#startCheck = this.#clock.after(CHECK_MS, () => this.#checkStart(CHECK_MS));
  }

  get asksForMore(): boolean {
    return this.#commands.asksForMore;
  }

  /** Its process, by its own marks; undefined if no such shell is there. */
  get pid(): number | undefined {
    return this.#commands.pid;
  }

  /** A line was entered at its prompt. */
  get isPending(): boolean {
    return this.#commands.isOn && this.#commands.isPending;
  }

  /**
   * Whether the prompt is shown and the shell does not read yet: line editors set the terminal's mode after the prompt,
   * and earlier input is echoed twice.
   */
  get isAboutToRead(): boolean {
    return this.#readingDue !== undefined;
  }

  /** A shell that marks no starts has been started. */
  expectShell(): void {
    this.#commands.expectShell();
  }

  /** The next input is typed at the prompt, and is not secret. */
  expectCommand(): void {
    this.#commands.expectCommand();
  }

  /** Call it before the message is handled. @returns a start that precedes the message */
  onOsc(message: OscMessage): TypedStart | undefined {
    const start = this.#commands.onOsc(message);
    if (message.code === 133 && this.#commands.isOn && canProbeInput) this.#expectReading();
    return start;
  }

  /** A program prints a mark, so that the line which was entered has begun: its start, which is told once. */
  entered(): TypedStart | undefined {
    return this.isPending ? this.#commands.start() : undefined;
  }

  onAnswers(): void {
    this.#commands.onAnswers();
  }

  onInput(text: string): void {
    this.#commands.onInput(text);
  }

  onBytes(): void {
    this.#lostCheck?.dispose();
    this.#lostCheck = undefined;
  }

  onParsed(): void {
    const commands = this.#commands;
    if (!commands.isOn) return;
    commands.onParsed();
    if (!commands.isEntered) return;
    if (commands.hasPrinted) this.#start();
    else this.#startCheck ??= this.#clock.after(CHECK_MS, () => this.#checkStart(CHECK_MS));
  }

  followPlaces(follow: (line: number) => FollowedLine): () => void {
    return this.#commands.followPlaces(follow);
  }

  /** @param running the running command as far as known; undefined if none runs */
  onSomebodyWaiting(
    { pid, kind, secrecy }: AwaitingInput,
    running: { readonly command: string | undefined } | undefined,
  ): void {
    const commands = this.#commands;
    if (!commands.isOn) return;
    const isOwn = pid === commands.pid;
    if (commands.isPending && (commands.isEntered || !isOwn)) {
      const isReadBuiltin = READS.test(this.#start());
      if (isOwn && !isReadBuiltin && showsNoPrompt(pid)) this.onLost.emit(PROMPTS_ELSEWHERE);
    } else if (!isOwn || commands.asksForMore) return;
    else if (running === undefined) {
      this.#isReading();
      commands.onWaiting({ isRaw: kind === 'raw', isShown: secrecy === 'shown' });
    } else if (READS.test(running.command ?? '')) return;
    else if (showsNoPrompt(pid)) this.onLost.emit(PROMPTS_ELSEWHERE);
    // Builtins of the shell read lines as well: in canonical mode, at the beginning of a row if they print no prompt.
    else if (kind === 'raw' || (kind === 'line' && this.#screen.cursor.col > 0))
      this.#lostCheck ??= this.#clock.after(MARKS_LIMIT_MS, () => this.onLost.emit('its prompt has lost its marks'));
  }

  dispose(): void {
    this.#startCheck?.dispose();
    this.#isReading();
    this.onBytes();
    this.onReading.clear();
    this.onStart.clear();
    this.onLost.clear();
  }

  #expectReading(): void {
    this.#isReading();
    if (!this.#commands.isAtPrompt) return;
    const mostMs = this.#clock.now() + HELD_UP_LIMIT_MS;
    const isLate = (): void => {
      const { pid } = this.#commands;
      if (pid !== undefined && this.#clock.now() < mostMs && isHeldUp(pid)) {
        this.#readingDue = this.#clock.after(CHECK_MS, isLate);
        return;
      }
      this.#isReading();
      this.onReading.emit();
    };
    this.#readingDue = this.#clock.after(READING_LIMIT_MS, isLate);
  }

  #isReading(): void {
    this.#readingDue?.dispose();
    this.#readingDue = undefined;
  }

  #checkStart(elapsedMs: number): void {
    this.#startCheck = undefined;
    if (!this.#commands.isEntered) return;
    const { pid } = this.#commands;
    const group = pid === undefined ? undefined : readStat(pid)?.foregroundGroup;
    if ((group !== undefined && group !== pid) || elapsedMs >= START_LIMIT_MS) this.#start();
    else this.#startCheck = this.#clock.after(CHECK_MS, () => this.#checkStart(elapsedMs + CHECK_MS));
  }

  /** @returns the message of the start, decoded */
  #start(): string {
    this.#startCheck?.dispose();
    this.#startCheck = undefined;
    const start = this.#commands.start();
    if (start !== undefined) this.onStart.emit(start);
    return decodeURIComponent(start?.data ?? '');
  }
}
