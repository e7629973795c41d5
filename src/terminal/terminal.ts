/**
 * One terminal: a PTY, its screen and its detectors. Bytes go PTY -> screen -> detectors -> event bus; the screen's
 * answers to the program's queries go back into the PTY.
 */
import type { Clock } from '../base/clock.js';
import { DisposableScope } from '../base/lifetime.js';
import { type Part, type PartKey, Parts } from '../base/parts.js';
import type { TerminalFlags } from '../events/secrecy.js';
import { sanitizeTitle } from '../events/title.js';
import type { T4aError } from '../protocol/errors.js';
import type { EventBody, TerminalEvent } from '../protocol/events.js';
import type { Snapshot } from '../vt/snapshot.js';
import { Screen } from '../vt/screen.js';
import { Answers } from './answers.js';
import { CELL_HEIGHT, CELL_WIDTH } from './cell-pixels.js';
import { outputEndCol } from './command-range.js';
import { ByteTail } from '../base/tail.js';
import { OUTPUT_RING_BYTES } from '../protocol/limits.js';
import { SeenSequences } from './seen-sequences.js';
import type { Detectors } from './detectors.js';
import { Feed } from './feed.js';
import { LastWords } from './last-words.js';
import { Life } from './life.js';
import { newDetectors } from './new-detectors.js';
import type { PtyExit, PtyPart } from './pty/pty.js';
import { RenewablePty } from './pty/renewable-pty.js';
import { readStat } from './system/processes.js';
import type { Stty } from './system/stty.js';
import { readTerminalFlags, readTermios, type Termios } from './system/termios.js';
import { ReadAhead } from '../vt/read-ahead.js';
import { TerminalInput } from './input/terminal-input.js';
import { TerminalMemory } from './memory.js';
import type { TerminalSetup } from './setup.js';
import type { SharedParts } from './shared-parts.js';
import {
  endSession,
  type Ending,
  killSession,
  type Leader,
  leftBehind,
  outliveHangUp,
  SentSignals,
} from './termination.js';
import { type AheadOfTerminal, frozenSeed, type FrozenTerminal, type Thawing } from './frozen-terminal.js';
import type { TerminalState } from './state.js';
import { Waits } from './waits.js';

/** Longest wait of a read for bytes that have arrived and are not parsed yet, under a flood. */
const SETTLE_DEADLINE_MS = 250;

const INPUT_SETTLE_DEADLINE_MS = 50;

/** Events after which a terminal prints nothing for a while. */
const SILENT: ReadonlySet<TerminalEvent['event']> = new Set(['idle', 'exit']);

/** Ends what the last program left unfinished, and resets the screen (RIS). */
const RESET = Buffer.from('\x18\x1bc');

/** For an overloaded machine: parsing a full queue after the end of a process takes some milliseconds. */
const LAST_BYTES_DEADLINE_MS = 60_000;

export class Terminal {
  readonly clock: Clock;
  readonly id: string;
  readonly command: readonly string[];
  readonly cwd: string;
  /** Path of the recording that this shows; undefined for a program. */
  readonly recording: string | undefined;
  readonly createdAtMs: number;
  readonly screen: Screen;
  readonly hasIntegratedShell: boolean;
  readonly input: TerminalInput;
  /** The latest output, as it came. */
  readonly output = new ByteTail(OUTPUT_RING_BYTES);
  /** Of output that is not understood, or asks for an answer. */
  readonly seen = new SeenSequences();
  readonly feed: Feed;
  readonly memory: TerminalMemory;
  readonly setup: TerminalSetup;
  /** Shared with other terminals, which is why no feature reaches them. */
  readonly #parts: SharedParts;
  readonly #kept = new Parts();
  readonly #pty: PtyPart;
  #detectors: Detectors;
  #waits: Waits;
  #generation: number;
  readonly #readAhead: ReadAhead;
  #isHeld = false;
  readonly #scope = new DisposableScope();
  readonly #life: Life;
  /** Wall time at which the process ended. */
  exitedAtMs: number | undefined;
  /** By which its program of now is being ended. */
  readonly sentSignals = new SentSignals();
  readonly #leader: Leader;
  #lastWords: LastWords | undefined;

  /** @param thawing in place of a program that is started */
  constructor(options: TerminalSetup, parts: SharedParts, thawing?: Thawing) {
    const { clock } = parts;
    const { frozen } = thawing ?? {};
    this.#parts = parts;
    this.clock = clock;
    this.setup = options;
    this.id = options.id;
    this.command = options.command;
    this.cwd = options.pty.cwd;
    this.recording = options.recording;
    this.hasIntegratedShell = options.hasIntegratedShell;
    this.createdAtMs = frozen?.createdAtMs ?? clock.wallNow();
    this.exitedAtMs = frozen?.exitedAtMs;
    this.#generation = frozen?.generation ?? 1;
    this.#life = new Life(frozen?.state);
    const { parsing: schedule } = parts;
    const screen = { ...options.screen, cellWidth: CELL_WIDTH, cellHeight: CELL_HEIGHT, clock, schedule };
    this.screen = this.#scope.add(frozen === undefined ? new Screen(screen) : Screen.thaw(screen, frozen.screen));
    const adopted = thawing?.pty && { pty: thawing.pty, readBytes: this.screen.pendingBytes };
    this.#pty = options.source ?? new RenewablePty(options.pty, parts.readers, adopted);
    this.#leader = this.#life.leader(this.#pty, parts.sessions);
    this.input = new TerminalInput(this, this.#pty, parts);
    this.memory = new TerminalMemory(options.id, this.screen, this.#pty, this.output);
    this.feed = this.#scope.add(new Feed(parts.log));
    this.#detectors = this.#newDetectors();
    this.#waits = this.#newWaits();
    this.#readAhead = this.#scope.add(new ReadAhead(this.screen));
    this.#wire();
    if (frozen !== undefined) this.#restore(frozen, thawing?.before);
  }

  /**
   * Resolves once nothing more of its output is read and no end is reported.
   * @returns false for one that is being ended
   */
  async hold(): Promise<boolean> {
    this.#isHeld = true;
    if (!(this.#pty instanceof RenewablePty)) return true;
    if (this.#lastWords !== undefined && this.alive) return false;
    await this.#pty.hold();
    return true;
  }

  /** All of it as plain values, to be called once it is held. */
  freeze(ahead?: AheadOfTerminal): FrozenTerminal {
    const { markSeed, source: _, ...setup } = this.setup;
    return {
      setup,
      markSeed: markSeed && frozenSeed(markSeed),
      pid: this.pid,
      device: this.device,
      createdAtMs: this.createdAtMs,
      exitedAtMs: this.exitedAtMs,
      generation: this.#generation,
      state: this.state,
      screen: this.screen.whole(ahead?.lines),
      output: this.output.freeze(ahead?.output.end),
      seen: this.seen.freeze(),
      input: this.input.freeze(),
      detectors: this.#detectors.freeze(),
      isPaused: this.#pty.paused,
    };
  }

  /** Descriptor of the master; undefined once its output has ended, and for a recording. */
  get master(): number | undefined {
    return this.#pty instanceof RenewablePty && !this.#pty.closed ? this.#pty.fd : undefined;
  }

  /** Its state is on the way to another process: what is written now, that one does not know of. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Reads on, and reports what has ended meanwhile. */
  goOn(): void {
    this.#isHeld = false;
    if (this.#pty instanceof RenewablePty) this.#pty.resume();
  }

  /**
   * Leaves it to the process that has thawed it. Nothing more happens here but the end of its program.
   * @param onExit called with it
   */
  leave(onExit: (exit: PtyExit) => void): void {
    if (!(this.#pty instanceof RenewablePty)) return;
    this.#scope.dispose();
    this.#pty.onData.clear();
    this.#pty.onExit.clear();
    this.#pty.onExit.on(onExit);
    this.#pty.release();
  }

  #restore({ output, seen, input, detectors, isPaused }: FrozenTerminal, before?: ByteTail): void {
    if (input !== undefined) this.input.restore(input);
    this.output.restore(output, before);
    this.seen.restore(seen);
    this.#detectors.restore(detectors);
    this.#pty.paused = isPaused;
    if (this.state.kind === 'draining') void this.#drain();
    // Waits for its end, and all else that asks them, learn that it has ended.
    if (this.state.kind === 'exited') this.#detectors.dispose();
  }

  /** What a feature keeps of this terminal. */
  part<T>(key: PartKey<T>): Part<T> {
    return this.#kept.part(key);
  }

  /** To be called once, when requests can find the terminal. */
  announce(by: { readonly owner?: string } = {}): void {
    this.publish({ event: 'created', terminal: this.id, pid: this.pid, ...by });
  }

  /** Of the present program, or of the last one. */
  get pid(): number {
    return this.#pty.pid;
  }

  get detectors(): Detectors {
    return this.#detectors;
  }

  get waits(): Waits {
    return this.#waits;
  }

  /** 1, and one more with each restart. */
  get generation(): number {
    return this.#generation;
  }

  get state(): TerminalState {
    return this.#life.state;
  }

  get alive(): boolean {
    return this.state.kind === 'running';
  }

  get exit(): { code: number | null; signal: string | null } {
    return this.#life.exit;
  }

  get title(): string {
    return sanitizeTitle(this.screen.title) || (this.setup.title ?? '');
  }

  get idleMs(): number {
    return Math.round(this.detectors.idle.idleForMs);
  }

  /** Input that is accepted and not yet taken by the kernel. */
  get pendingInputBytes(): number {
    return this.#pty.pendingInputBytes;
  }

  /** ECHO and ICANON, as the kernel has them now; undefined if the terminal is gone. */
  async flags(): Promise<TerminalFlags | undefined> {
    return this.#ofOwnDevice(readTerminalFlags);
  }

  /** All settings of the line discipline; undefined if the terminal is gone. */
  async termios(): Promise<Termios | undefined> {
    return this.#ofOwnDevice(readTermios);
  }

  /** The kernel gives the name of an ended one's device to the next terminal of the system. */
  async #ofOwnDevice<T>(read: (stty: Stty, device: string) => Promise<T | undefined>): Promise<T | undefined> {
    if (!this.alive) return undefined;
    const answer = await read(this.#parts.stty, this.device);
    return this.alive ? answer : undefined;
  }

  /** Processes of its session in the foreground group. */
  foregroundPids(): number[] {
    const group = this.foregroundGroup;
    return this.#parts.sessions.members(this.pid).filter((member) => readStat(member)?.group === group);
  }

  /** What its program, which has ended, has left in its session. */
  leftBehind(): ReturnType<typeof leftBehind> {
    return leftBehind(this.#parts.sessions, this.pid);
  }

  /** Number of the last event of its bus; 0 before the first. */
  get lastSeq(): number {
    return this.#parts.bus.lastSeq;
  }

  get device(): string {
    return this.#pty.device;
  }

  /**
   * Process group that reads the keyboard and gets its signals: the shell's job in the foreground, or the shell itself.
   */
  get foregroundGroup(): number {
    const group = readStat(this.pid)?.foregroundGroup ?? 0;
    return group > 0 ? group : this.pid;
  }

  /** No effect on a terminal that was created with its own timeout. */
  setDefaultIdleTimeout(ms: number): void {
    if (this.setup.idleTimeoutMs === undefined) this.detectors.idle.setTimeoutMs(ms);
  }

  publish(body: EventBody): void {
    this.feed.event(this.#parts.bus.publish(body, this.screen.rev));
  }

  /** Resolves when all bytes that had arrived before the call are on the screen, or at the deadline. */
  async settle(): Promise<void> {
    await this.screen.settle(SETTLE_DEADLINE_MS);
  }

  /** Like {@link settle} with a shorter deadline: input is encoded for the modes parsed by then. */
  async settleForInput(): Promise<void> {
    await this.screen.settle(INPUT_SETTLE_DEADLINE_MS);
  }

  /** The screen as a value, taken in one step; call {@link settle} first. */
  snapshot(): Snapshot {
    return this.screen.snapshot();
  }

  exitedError(): T4aError {
    return this.#life.exitedError(this.id);
  }

  /** Resizes the screen first, then the PTY, so that the program's redraw is parsed at the new size. */
  async resize(cols: number, rows: number): Promise<void> {
    const before = this.screen.sizeToCome;
    const isNew = before.cols !== cols || before.rows !== rows;
    if (isNew) {
      await this.screen.resize(cols, rows, () =>
        this.detectors.beforeResize((record) => outputEndCol(this, record) !== undefined),
      );
      this.feed.resize({ cols, rows });
    }
    // Also the old size: a program may have set another one itself (stty). The kernel signals only a change.
    if (this.alive) this.#pty.resize(cols, rows, { width: cols * CELL_WIDTH, height: rows * CELL_HEIGHT });
    if (isNew) this.publish({ event: 'resized', terminal: this.id, cols, rows });
  }

  /** Resolves when the process is gone and all of its output is on the screen; at once if that is the case already. */
  async exited(signal?: AbortSignal): Promise<void> {
    await this.#life.until((state) => state.kind === 'exited' || state.kind === 'removed', signal);
  }

  /**
   * Ends all processes of the session and hangs up.
   * @returns pids of survivors: other users' processes that ignore the hang-up, and those that even SIGKILL has not
   * ended
   */
  async end(ending: Omit<Ending, 'sent'> = {}): Promise<number[]> {
    this.#lastWords ??= new LastWords(this.screen, (bytes) => this.#pty.acknowledge(bytes));
    const left = await endSession(this.#leader, { ...ending, sent: this.sentSignals });
    this.#pty.hangUp();
    const orphans = await outliveHangUp(this.#leader, left);
    if (this.#leader.isReaped()) await this.exited();
    return orphans;
  }

  /** For a daemon that exits before {@link end} has finished. */
  killAtOnce(): void {
    killSession(this.#leader);
  }

  /** Call it after {@link end}. */
  remove(): void {
    if (this.state.kind === 'removed') return;
    this.#life.take({ kind: 'remove' });
    this.publish({ event: 'removed', terminal: this.id });
    this.#scope.dispose();
  }

  /**
   * Starts the program again, on an empty screen; it must have ended. Line numbers, revisions and the counts of input and
   * output go on.
   * @throws Error if the system refuses a PTY or a process
   */
  async restart(): Promise<void> {
    const { screen } = this;
    if (this.state.kind !== 'exited' || !(this.#pty instanceof RenewablePty)) throw new Error('nothing to start again');
    this.#pty.renew(screen.cols, screen.rows, RESET.length);
    // Before its output: that is read in a later step.
    screen.write(RESET);
    this.#generation++;
    this.#lastWords = undefined;
    this.sentSignals.clear();
    this.exitedAtMs = undefined;
    this.#life.take({ kind: 'restart' });
    this.#detectors = this.#newDetectors(this.#detectors);
    this.#waits = this.#newWaits();
    this.publish({ event: 'restarted', terminal: this.id, pid: this.pid, generation: this.#generation });
    await this.settle();
  }

  #newDetectors(before?: Detectors): Detectors {
    return this.#scope.add(newDetectors(this, this.#parts, this.setup, this.#pty, before));
  }

  #newWaits(): Waits {
    return new Waits(this.id, this.#detectors, this.#parts, this.setup.maxWaits, (by) =>
      this.input.gate?.holderFor(by),
    );
  }

  #wire(): void {
    const { screen } = this;
    const pty = this.#pty;
    pty.onData.on((bytes) => {
      if (this.state.kind === 'removed') return;
      this.feed.bytes(bytes);
      (this.#lastWords ?? screen).write(bytes);
    });
    const answers = new Answers(this, pty);
    screen.onReply.on((answer) => answers.add(answer));
    screen.onSlice.on((slice) => this.feed.slice(slice));
    screen.onEffect.on((effect) => this.feed.effect(effect));
    screen.onParsed.on((slice) => {
      this.feed.parsed(slice);
      // Unparsed output is bounded by the PTY's window: only parsed bytes make room for more.
      pty.acknowledge(slice.bytes);
      answers.send();
    });
    screen.onUnknownSequence.on((sequence) => {
      this.seen.unhandled.add(sequence, screen.rev);
      if (sequence.picture !== undefined) this.seen.pictures.set(sequence.picture.protocol, sequence.picture);
    });
    screen.onQuery.on((query) => this.seen.queries.add(query, screen.rev));
    this.feed.add({
      onBytes: (bytes) => {
        this.#readAhead.stop();
        this.output.push(bytes);
      },
      onEvent: ({ event }) => void (SILENT.has(event) && this.#readAhead.start()),
    });
    pty.onExit.on((exit) => void this.#processEnded(exit));
  }

  async #processEnded(exit: PtyExit): Promise<void> {
    // Removed while the process, another user's, could not be ended.
    if (this.state.kind === 'removed') return;
    this.exitedAtMs = this.clock.wallNow();
    this.#life.take({ kind: 'process_ended', exit });
    await this.#drain();
  }

  async #drain(): Promise<void> {
    await this.screen.settle(LAST_BYTES_DEADLINE_MS);
    if (this.state.kind !== 'draining') return;
    this.feed.exit(this.exit);
    this.#life.take({ kind: 'output_parsed' });
    this.publish({ event: 'exit', terminal: this.id, ...this.exit });
  }
}
