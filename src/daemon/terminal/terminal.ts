/**
 * One terminal: a PTY, its screen, and what is noticed on the way. Bytes go PTY -> screen -> detectors -> event bus;
 * answers of the screen to the program's queries go back into the PTY.
 */
import { Emitter } from '../../base/emitter.js';
import { DisposableScope } from '../../base/lifetime.js';
import { sanitizeTitle } from '../../events/title.js';
import { T4aError } from '../../protocol/errors.js';
import type { EventBody, TerminalEvent } from '../../protocol/events.js';
import type { Snapshot } from '../../vt/snapshot.js';
import { Screen, type ScreenOptions } from '../../vt/screen.js';
import { outputEndCol } from './command-range.js';
import { DebugRecord } from './debug-record.js';
import { Detectors } from './detectors.js';
import { LastWords } from './last-words.js';
import { Pty, type PtyExit, type PtyOptions } from '../pty/pty.js';
import { readStat, signalName } from '../system/processes.js';
import { ReadAhead } from '../reading/read-ahead.js';
import { TerminalInput } from '../input/terminal-input.js';
import { TerminalMemory } from './memory.js';
import type { SharedParts } from './shared-parts.js';
import { endSession, killSession, type Leader, outliveHangUp } from './termination.js';
import { exitOf, transition, type TerminalState } from './state.js';
import { until } from './until.js';
import { Waits } from './waits.js';

/** Pixels of a cell as programs are told them: those of the default picture. */
export const CELL_WIDTH = 8;
export const CELL_HEIGHT = 16;

/** How long a read may wait for bytes that have arrived but are not parsed yet, under a flood. */
const SETTLE_DEADLINE_MS = 250;

const INPUT_SETTLE_DEADLINE_MS = 50;

/** Events after which nothing more is printed for a while. */
const SILENT: ReadonlySet<TerminalEvent['event']> = new Set(['idle', 'exit']);

/** What the bound of the queue leaves to parse after a process's end takes some milliseconds; this is for a machine in trouble. */
const LAST_BYTES_DEADLINE_MS = 60_000;

export interface TerminalSetup {
  readonly id: string;
  readonly pty: PtyOptions;
  /** As the caller gave it, for listings. */
  readonly command: readonly string[];
  readonly screen: ScreenOptions;
  /** Set by the terminal's creator; undefined follows the configuration. */
  readonly idleTimeoutMs: number | undefined;
  readonly defaultIdleTimeoutMs: number;
  readonly title: string | undefined;
  readonly maxWaits: number;
  /** Folder of the scripts that are injected into shells. */
  readonly shellScripts: string;
  /** The program is a shell that was started with them. */
  readonly hasIntegratedShell: boolean;
}

export class Terminal {
  readonly parts: SharedParts;
  readonly id: string;
  readonly pid: number;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly createdAtMs: number;
  readonly screen: Screen;
  readonly hasIntegratedShell: boolean;
  readonly input: TerminalInput;
  readonly record = new DebugRecord();
  readonly detectors: Detectors;
  readonly waits: Waits;
  readonly memory: TerminalMemory;
  readonly #pty: Pty;
  readonly #readAhead: ReadAhead;
  readonly #scope = new DisposableScope();
  readonly #stateChanged = new Emitter<TerminalState>();
  readonly #initialTitle: string;
  readonly #ownIdleTimeoutMs: number | undefined;
  #state: TerminalState = { kind: 'running' };
  /** To the queries of the slice that is being parsed. */
  #answers = '';
  readonly #leader: Leader;
  /** While it is being ended. */
  #lastWords: LastWords | undefined;

  constructor(options: TerminalSetup, parts: SharedParts) {
    const { clock } = parts;
    this.parts = parts;
    this.id = options.id;
    this.command = options.command;
    this.cwd = options.pty.cwd;
    this.hasIntegratedShell = options.hasIntegratedShell;
    this.#initialTitle = options.title ?? '';
    this.#ownIdleTimeoutMs = options.idleTimeoutMs;
    this.createdAtMs = clock.wallNow();
    this.screen = this.#scope.add(
      new Screen({ ...options.screen, cellWidth: CELL_WIDTH, cellHeight: CELL_HEIGHT, clock, schedule: parts.parsing }),
    );
    this.#pty = new Pty(options.pty, parts.readers);
    this.pid = this.#pty.pid;
    this.#leader = {
      pid: this.pid,
      sessions: parts.sessions,
      isReaped: () => this.#state.kind !== 'running',
      untilReaped: () => this.#until(({ kind }) => kind !== 'running'),
    };
    this.input = new TerminalInput(this, this.#pty, parts);
    this.memory = new TerminalMemory(options.id, this.screen, this.#pty);
    this.detectors = this.#scope.add(
      new Detectors({
        screen: this.screen,
        clock,
        idleTimeoutMs: options.idleTimeoutMs ?? options.defaultIdleTimeoutMs,
        process: { pid: this.pid, device: this.device, stty: parts.stty },
        work: parts.work,
        catchUp: () => this.#pty.catchUp(),
        shellScripts: options.shellScripts,
        publish: (body) => this.publish({ ...body, terminal: this.id }),
      }),
    );
    this.#readAhead = this.#scope.add(new ReadAhead(this.screen));
    this.waits = new Waits(this.id, this.detectors, clock, options.maxWaits);
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

  /** Accepted, and not yet taken by the kernel. */
  get pendingInputBytes(): number {
    return this.#pty.pendingInputBytes;
  }

  get device(): string {
    return this.#pty.device;
  }

  /** Group that signals go to and that reads the keyboard: the shell's job in the foreground, or the shell itself. */
  get foregroundGroup(): number {
    const group = readStat(this.pid)?.foregroundGroup ?? 0;
    return group > 0 ? group : this.pid;
  }

  /** Leaves alone a terminal whose creator has chosen. */
  setDefaultIdleTimeout(ms: number): void {
    if (this.#ownIdleTimeoutMs === undefined) this.detectors.idle.setTimeoutMs(ms);
  }

  publish(body: EventBody): void {
    this.detectors.onPublished(this.parts.bus.publish(body, this.screen.rev));
  }

  /** Everything that had arrived before the call is on the screen, or the deadline has passed. */
  async settle(): Promise<void> {
    await this.screen.settle(SETTLE_DEADLINE_MS);
  }

  /** As {@link settle}, but input must not wait long: modes that have arrived by then are those it is encoded for. */
  async settleForInput(): Promise<void> {
    await this.screen.settle(INPUT_SETTLE_DEADLINE_MS);
  }

  /** The value to read after {@link settle}: taken in one step, valid for ever. */
  snapshot(): Snapshot {
    return this.screen.snapshot();
  }

  /** To be called before the bytes are written. */
  noticeInput(bytes: Uint8Array): void {
    this.detectors.onInput(bytes);
  }

  exitedError(): T4aError {
    const { code, signal } = this.exit;
    const how = signal === null ? `exited with code ${code ?? 0}` : `was ended by ${signal}`;
    return new T4aError('terminal_exited', `The process of terminal "${this.id}" ${how}.`, {
      hint: `t4a kill ${this.id}`,
    });
  }

  /** The screen first, then the PTY, so that the program's redraw is parsed at the new size. */
  async resize(cols: number, rows: number): Promise<void> {
    if (this.screen.cols === cols && this.screen.rows === rows) return;
    const afterResize = this.detectors.beforeResize((record) => outputEndCol(this, record) !== undefined);
    await this.screen.resize(cols, rows);
    afterResize();
    if (this.alive) this.#pty.resize(cols, rows, { width: cols * CELL_WIDTH, height: rows * CELL_HEIGHT });
    this.publish({ event: 'resized', terminal: this.id, cols, rows });
  }

  /** Resolves when the process is gone and all it printed is on the screen; at once if that is so already. */
  async exited(signal?: AbortSignal): Promise<void> {
    await this.#until((state) => state.kind === 'exited' || state.kind === 'removed', signal);
  }

  /**
   * Ends the processes, whatever it takes, and hangs up.
   * @returns pids of those that live on: other users', who ignore the hang-up, and those that even SIGKILL has not ended
   */
  async end(): Promise<number[]> {
    this.#lastWords ??= new LastWords(this.screen, (bytes) => this.#pty.acknowledge(bytes));
    const left = await endSession(this.#leader);
    this.#pty.hangUp();
    const orphans = await outliveHangUp(this.#leader, left);
    if (this.#leader.isReaped()) await this.exited();
    return orphans;
  }

  /** For a daemon that leaves before {@link end} has come to its own. */
  killAtOnce(): void {
    killSession(this.#leader);
  }

  /** After {@link end}. */
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
      this.#readAhead.stop();
      this.record.output.push(bytes);
      this.detectors.onBytes();
      (this.#lastWords ?? screen).write(bytes);
    });
    screen.onReply.on((answer) => {
      this.#answers += answer;
    });
    screen.onParsed.on(({ bytes }) => {
      // What is read and not parsed is bounded by the PTY's window: only what has been parsed makes room for more.
      pty.acknowledge(bytes);
      this.#answerQueries();
    });
    screen.onUnknownSequence.on((sequence) => this.record.unhandled.add(sequence, screen.rev));
    screen.onQuery.on((query) => this.record.queries.add(query, screen.rev));
    this.detectors.onEvent(({ event }) => void (SILENT.has(event) && this.#readAhead.start()));
    pty.onExit.on((exit) => void this.#processEnded(exit));
  }

  /** In one write a slice. Lost answers hurt nobody: a program that does not read its input does not wait for them either. */
  #answerQueries(): void {
    if (this.#answers === '') return;
    const answers = Buffer.from(this.#answers, 'utf8');
    this.#answers = '';
    if (!this.alive) return;
    this.detectors.onAnswers(answers);
    this.#pty.write(answers).catch(() => {});
  }

  async #processEnded(exit: PtyExit): Promise<void> {
    // Removed while it lived on: another user's, which nobody could end.
    if (this.#state.kind === 'removed') return;
    this.#enter(transition(this.#state, { kind: 'process_ended', exit }));
    await this.screen.settle(LAST_BYTES_DEADLINE_MS);
    if (this.#state.kind !== 'draining') return;
    this.detectors.onExit();
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
