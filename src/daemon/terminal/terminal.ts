/**
 * One terminal: a PTY, its screen and its detectors. Bytes go PTY -> screen -> detectors -> event bus; the screen's
 * answers to the program's queries go back into the PTY.
 */
import { Emitter } from '../../base/emitter.js';
import { DisposableScope } from '../../base/lifetime.js';
import { sanitizeTitle } from '../../events/title.js';
import { T4aError } from '../../protocol/errors.js';
import type { EventBody, TerminalEvent } from '../../protocol/events.js';
import type { Snapshot } from '../../vt/snapshot.js';
import { Screen } from '../../vt/screen.js';
import { outputEndCol } from './command-range.js';
import { DebugRecord } from './debug-record.js';
import { Detectors } from './detectors.js';
import { Feed } from './feed.js';
import { LastWords } from './last-words.js';
import { Pty, type PtyExit, type PtyPart } from '../pty/pty.js';
import { readStat, signalName } from '../system/processes.js';
import { ReadAhead } from '../reading/read-ahead.js';
import { TerminalInput } from '../input/terminal-input.js';
import { TerminalMemory } from './memory.js';
import type { TerminalSetup } from './setup.js';
import type { SharedParts } from './shared-parts.js';
import { endSession, killSession, type Leader, outliveHangUp } from './termination.js';
import { exitOf, transition, type TerminalState } from './state.js';
import { until } from './until.js';
import { Waits } from './waits.js';

/** Cell size in pixels as reported to programs: that of the default picture. */
export const CELL_WIDTH = 8;
export const CELL_HEIGHT = 16;

/** Longest wait of a read for bytes that have arrived and are not parsed yet, under a flood. */
const SETTLE_DEADLINE_MS = 250;

const INPUT_SETTLE_DEADLINE_MS = 50;

/** Events after which a terminal prints nothing for a while. */
const SILENT: ReadonlySet<TerminalEvent['event']> = new Set(['idle', 'exit']);

/** For an overloaded machine: parsing a full queue after the end of a process takes some milliseconds. */
const LAST_BYTES_DEADLINE_MS = 60_000;

export class Terminal {
  readonly parts: SharedParts;
  readonly id: string;
  readonly pid: number;
  readonly command: readonly string[];
  readonly cwd: string;
  /** Path of the recording that this shows; undefined for a program. */
  readonly recording: string | undefined;
  readonly createdAtMs: number;
  readonly screen: Screen;
  readonly hasIntegratedShell: boolean;
  readonly input: TerminalInput;
  readonly record = new DebugRecord();
  readonly feed: Feed;
  readonly detectors: Detectors;
  readonly waits: Waits;
  readonly memory: TerminalMemory;
  readonly #pty: PtyPart;
  readonly #readAhead: ReadAhead;
  readonly #scope = new DisposableScope();
  readonly #stateChanged = new Emitter<TerminalState>();
  readonly #initialTitle: string;
  readonly #ownIdleTimeoutMs: number | undefined;
  #state: TerminalState = { kind: 'running' };
  /** Wall time at which the process ended. */
  exitedAtMs: number | undefined;
  /** Answers to the queries of the slice that is being parsed. */
  #answers = '';
  readonly #leader: Leader;
  /** Set while the terminal is being ended. */
  #lastWords: LastWords | undefined;

  constructor(options: TerminalSetup, parts: SharedParts) {
    const { clock } = parts;
    this.parts = parts;
    this.id = options.id;
    this.command = options.command;
    this.cwd = options.pty.cwd;
    this.recording = options.recording;
    this.hasIntegratedShell = options.hasIntegratedShell;
    this.#initialTitle = options.title ?? '';
    this.#ownIdleTimeoutMs = options.idleTimeoutMs;
    this.createdAtMs = clock.wallNow();
    this.screen = this.#scope.add(
      new Screen({ ...options.screen, cellWidth: CELL_WIDTH, cellHeight: CELL_HEIGHT, clock, schedule: parts.parsing }),
    );
    this.#pty = options.source ?? new Pty(options.pty, parts.readers);
    this.pid = this.#pty.pid;
    this.#leader = {
      pid: this.pid,
      sessions: parts.sessions,
      isReaped: () => this.#state.kind !== 'running',
      untilReaped: () => this.#until(({ kind }) => kind !== 'running'),
    };
    this.input = new TerminalInput(this, this.#pty, parts);
    this.memory = new TerminalMemory(options.id, this.screen, this.#pty, this.record.output);
    this.feed = this.#scope.add(new Feed(parts.log));
    this.detectors = this.#scope.add(
      new Detectors({
        screen: this.screen,
        feed: this.feed,
        clock,
        idleTimeoutMs: options.idleTimeoutMs ?? options.defaultIdleTimeoutMs,
        process: { pid: this.pid, device: this.device, stty: parts.stty },
        work: parts.work,
        catchUp: () => this.#pty.catchUp(),
        shellScripts: options.shellScripts,
        publish: (body) => this.publish({ ...body, terminal: this.id }),
        exit: () => this.exit,
      }),
    );
    this.#readAhead = this.#scope.add(new ReadAhead(this.screen));
    this.waits = new Waits(this.id, this.detectors, clock, options.maxWaits, () => this.input.gate?.holder);
    this.#wire();
    this.publish({ event: 'created', terminal: this.id, pid: this.pid });
  }

  get state(): TerminalState {
    return this.#state;
  }

  get alive(): boolean {
    return this.#state.kind === 'running';
  }

  get exit(): { code: number | null; signal: string | null } {
    const exit = exitOf(this.#state);
    return { code: exit?.code ?? null, signal: signalName(exit?.signal ?? null) };
  }

  get title(): string {
    return sanitizeTitle(this.screen.title) || this.#initialTitle;
  }

  get idleMs(): number {
    return Math.round(this.detectors.idle.idleForMs);
  }

  /** Input that is accepted and not yet taken by the kernel. */
  get pendingInputBytes(): number {
    return this.#pty.pendingInputBytes;
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
    if (this.#ownIdleTimeoutMs === undefined) this.detectors.idle.setTimeoutMs(ms);
  }

  publish(body: EventBody): void {
    this.feed.event(this.parts.bus.publish(body, this.screen.rev));
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
    const { code, signal } = this.exit;
    const how = signal === null ? `exited with code ${code ?? 0}` : `was ended by ${signal}`;
    return new T4aError('terminal_exited', `The process of terminal "${this.id}" ${how}.`, {
      hint: `t4a kill ${this.id}`,
    });
  }

  /** Resizes the screen first, then the PTY, so that the program's redraw is parsed at the new size. */
  async resize(cols: number, rows: number): Promise<void> {
    if (this.screen.cols === cols && this.screen.rows === rows) return;
    const afterResize = this.detectors.beforeResize((record) => outputEndCol(this, record) !== undefined);
    await this.screen.resize(cols, rows);
    afterResize();
    this.feed.resize({ cols, rows });
    if (this.alive) this.#pty.resize(cols, rows, { width: cols * CELL_WIDTH, height: rows * CELL_HEIGHT });
    this.publish({ event: 'resized', terminal: this.id, cols, rows });
  }

  /** Resolves when the process is gone and all of its output is on the screen; at once if that is the case already. */
  async exited(signal?: AbortSignal): Promise<void> {
    await this.#until((state) => state.kind === 'exited' || state.kind === 'removed', signal);
  }

  /**
   * Ends all processes of the session and hangs up.
   * @returns pids of survivors: other users' processes that ignore the hang-up, and those that even SIGKILL has not
   * ended
   */
  async end(graceMs?: number): Promise<number[]> {
    this.#lastWords ??= new LastWords(this.screen, (bytes) => this.#pty.acknowledge(bytes));
    const left = await endSession(this.#leader, graceMs);
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
    if (this.#state.kind === 'removed') return;
    this.#enter(transition(this.#state, { kind: 'remove' }));
    this.publish({ event: 'removed', terminal: this.id });
    this.#scope.dispose();
    this.#stateChanged.clear();
  }

  #wire(): void {
    const { screen } = this;
    const pty = this.#pty;
    pty.onData.on((bytes) => {
      if (this.#state.kind === 'removed') return;
      this.feed.bytes(bytes);
      (this.#lastWords ?? screen).write(bytes);
    });
    screen.onReply.on((answer) => {
      this.#answers += answer;
    });
    screen.onParsed.on((slice) => {
      this.feed.parsed(slice);
      // Unparsed output is bounded by the PTY's window: only parsed bytes make room for more.
      pty.acknowledge(slice.bytes);
      this.#answerQueries();
    });
    screen.onUnknownSequence.on((sequence) => this.record.unhandled.add(sequence, screen.rev));
    screen.onQuery.on((query) => this.record.queries.add(query, screen.rev));
    this.feed.add({
      onBytes: (bytes) => {
        this.#readAhead.stop();
        this.record.output.push(bytes);
      },
      onEvent: ({ event }) => void (SILENT.has(event) && this.#readAhead.start()),
    });
    pty.onExit.on((exit) => void this.#processEnded(exit));
  }

  /**
   * One write for each slice. Lost answers do no harm: a program that does not read its input does not wait for them.
   */
  #answerQueries(): void {
    if (this.#answers === '') return;
    const answers = Buffer.from(this.#answers, 'utf8');
    this.#answers = '';
    if (!this.alive) return;
    this.detectors.onAnswers(answers);
    this.#pty.write(answers).catch(() => {});
  }

  async #processEnded(exit: PtyExit): Promise<void> {
    // Removed while the process, another user's, could not be ended.
    if (this.#state.kind === 'removed') return;
    this.exitedAtMs = this.parts.clock.wallNow();
    this.#enter(transition(this.#state, { kind: 'process_ended', exit }));
    await this.screen.settle(LAST_BYTES_DEADLINE_MS);
    if (this.#state.kind !== 'draining') return;
    this.feed.exit(this.exit);
    this.#enter(transition(this.#state, { kind: 'output_parsed' }));
    this.publish({ event: 'exit', terminal: this.id, ...this.exit });
  }

  #enter(state: TerminalState): void {
    this.#state = state;
    this.#stateChanged.emit(state);
  }

  #until(reached: (state: TerminalState) => boolean, signal?: AbortSignal): Promise<void> {
    if (reached(this.#state)) return Promise.resolve();
    return until(signal, ({ resolve }, scope) => {
      scope.add(this.#stateChanged.on((state) => void (reached(state) && resolve())));
    });
  }
}
