/** A person at a terminal: keys in, frames out. */
import type { DaemonConnection } from '../client/connection.js';
import { isT4aError, T4aError } from '../protocol/errors.js';
import { FrameWriter } from '../mirror/frame-writer.js';
import { Commands, type CommandOptions } from './commands.js';
import { Fit } from './fit.js';
import { InputLine } from './input-line.js';
import { KeySource } from './key-source.js';
import { keysOf, type KeyboardToken } from './keyboard.js';
import { leaderKey } from './leader-keys.js';
import { mouseReport, onScreen, type MouseFields } from './mouse-report.js';
import type { OuterTty } from './outer-tty.js';
import type { Panel, Size } from './panel.js';
import { Picture } from './picture.js';
import { endedLine, factsLine, type StatusLine } from './status-line.js';
import { WatchedTerminal } from './watched-terminal.js';

export interface SessionOptions extends CommandOptions {
  readonly tty: OuterTty;
  readonly isReadOnly: boolean;
  /** Every terminal that is shown gets the size of the person's. */
  readonly fits: boolean;
  /** Called once. @param note for the person, on the terminal that was left */
  onEnd(note: string): void;
  onError(error: unknown): void;
}

const MINUTE_MS = 60_000;

/** Frames say that a terminal has ended or the daemon has gone; a mouse outside of what the program wants is ignored. */
const QUIET_ERRORS: ReadonlySet<string> = new Set([
  'terminal_exited',
  'input_interrupted',
  'connection_lost',
  'mouse_off',
  'cell_outside',
]);

/** The wheel scrolls the scrollback by so many. */
const WHEEL_ROWS = 3;

export class Session {
  readonly #options: SessionOptions;
  readonly #connection: DaemonConnection;
  readonly #keys = new KeySource((token) => this.#take(token));
  readonly #writer = new FrameWriter();
  readonly #input: InputLine<MouseFields>;
  readonly #commands: Commands;
  readonly #clock: NodeJS.Timeout;
  #picture = new Picture();
  #current: WatchedTerminal;
  #fit: Fit | undefined;
  #panel: Panel | undefined;
  #message: string | undefined;
  #isLeaderPending = false;

  constructor(id: string, options: SessionOptions) {
    this.#options = options;
    this.#connection = options.connection;
    this.#current = new WatchedTerminal(options.connection, id);
    this.#input = new InputLine({
      send: (bytes) => this.#connection.call('send', { id: this.id, input_base64: bytes.toString('base64') }),
      act: (fields) => this.#connection.call('mouse', { id: this.id, ...fields }),
      onError: (error) => this.report(error),
    });
    this.#commands = new Commands(this, options);
    this.#clock = setInterval(() => void this.draw(), MINUTE_MS);
  }

  get id(): string {
    return this.#current.id;
  }

  get firstLine(): number {
    return this.#current.mirror.firstLine;
  }

  /** Room for the screen. */
  get size(): Size {
    const { cols, rows } = this.#options.tty;
    return { cols, rows: Math.max(1, rows - 1) };
  }

  start(): void {
    const current = this.#current;
    const onFrame = async ({ bells }: { bells: number }): Promise<void> => {
      await this.draw(bells > 0 ? '\x07' : '');
      if (this.#options.fits && this.#fit === undefined && current === this.#current) await this.toggleFit();
    };
    void current.follow(onFrame).catch((error: unknown) => this.#lost(current, error));
  }

  /** Shows another terminal. */
  async show(id: string): Promise<void> {
    this.leave();
    await this.#unfit();
    this.#input.clear();
    this.#panel = undefined;
    this.#picture = new Picture();
    this.#current = new WatchedTerminal(this.#connection, id);
    this.start();
  }

  /** A fitted terminal has its own size again by then. */
  async dispose(): Promise<void> {
    this.leave();
    this.#input.clear();
    this.#keys.dispose();
    clearInterval(this.#clock);
    await this.#unfit();
  }

  leave(): void {
    this.#current.leave();
  }

  end(note: string): void {
    this.#options.onEnd(note);
  }

  /** After a change of the person's terminal. */
  redraw(): void {
    this.#writer.forget();
    this.#fit?.soonTo(this.size, (error) => this.report(error));
    void this.draw();
  }

  /** @param more goes out with the frame */
  draw(more = ''): Promise<void> {
    const { tty, isReadOnly } = this.#options;
    const { mirror } = this.#current;
    // Before the first frame there is nothing to show.
    if (mirror.rows.length === 0) return Promise.resolve();
    const frame = this.#picture.compose({
      mirror,
      cols: tty.cols,
      rows: tty.rows,
      status: this.#status(),
      panel: this.#panel,
    });
    const own = this.#panel?.rows === undefined ? {} : { mouse_tracking: 'normal' };
    const modes = this.#hasKeyboard || isReadOnly ? own : mirror.state.modes;
    return tty.write(`${tty.modes.follow(modes, mirror.cursor)}${this.#writer.write(frame)}${more}`);
  }

  /** @param bytes characters of latin1 */
  keys(bytes: string): void {
    this.#keys.push(bytes);
  }

  open(panel: Panel): void {
    this.#panel = panel;
    void this.draw();
  }

  close(panel: Panel): void {
    if (this.#panel === panel) this.#panel = undefined;
  }

  /** To the program. */
  type(bytes: string): void {
    if (this.#options.isReadOnly) this.say('Read only. Ctrl+B d leaves.');
    else if (!this.#input.push(bytes)) this.say('The program does not read its input: the last keys were dropped.');
  }

  async toggleFit(): Promise<void> {
    if (this.#options.isReadOnly) return this.say('Read only: the terminal keeps its size.');
    if (this.#fit !== undefined) return this.#unfit();
    const { state, rows } = this.#current.mirror;
    this.#fit = new Fit(this.#connection, this.id, { cols: state.cols, rows: rows.length });
    await this.#fit.to(this.size);
  }

  /** Keys wait until it is done. Its error is shown. */
  during(act: () => Promise<void>): Promise<void> {
    return this.#keys.during(act).catch((error: unknown) => this.report(error));
  }

  say(message: string): void {
    this.#message = message;
    void this.draw();
  }

  report(error: unknown): void {
    if (!(error instanceof T4aError)) this.#options.onError(error);
    else if (!QUIET_ERRORS.has(error.code)) this.say(error.message);
  }

  /** Whether keys are for attach itself. */
  get #hasKeyboard(): boolean {
    return this.#isLeaderPending || this.#panel !== undefined || this.#current.end !== undefined;
  }

  #status(): StatusLine {
    const { id, end, mirror } = this.#current;
    if (this.#panel !== undefined) return this.#panel.status;
    if (this.#message !== undefined) return { left: ` ${this.#message}`, right: '', look: 'message' };
    if (this.#isLeaderPending) return { left: ' Ctrl+B', right: '? help ', look: 'message' };
    if (end !== undefined) return endedLine(id, end);
    return factsLine({ id, mirror, isFitted: this.#fit !== undefined, isReadOnly: this.#options.isReadOnly });
  }

  #take(token: KeyboardToken): void {
    // What is typed changes nothing here until the program answers.
    const isTyped = token.kind === 'input' && !this.#hasKeyboard && this.#message === undefined;
    this.#takeOne(token);
    if (!isTyped && token.kind !== 'mouse' && token.kind !== 'reply') void this.draw();
  }

  #takeOne(token: KeyboardToken): void {
    switch (token.kind) {
      case 'reply':
        return this.#answer(token.bytes);
      case 'leader':
        this.#isLeaderPending = true;
        this.#panel = undefined;
        this.#message = undefined;
        return;
      case 'command':
        this.#isLeaderPending = false;
        return this.#command(token.key);
      case 'paste':
        if (!this.#hasKeyboard && this.#current.mirror.state.modes['bracketed_paste'] === true) this.type(token.bytes);
        return;
      case 'mouse':
        return this.#mouse(token.bytes);
      default:
        return this.#typed(token.bytes);
    }
  }

  #typed(bytes: string): void {
    this.#message = undefined;
    if (this.#panel !== undefined) this.#typedToPanel(this.#panel, bytes);
    else if (this.#current.end === undefined) this.type(bytes);
    else if (/[q\r]/.test(bytes)) this.end(`Left ${this.id}, which has ended.`);
  }

  /** Keys after the one that closes it are for what comes then. */
  #typedToPanel(panel: Panel, bytes: string): void {
    let taken = 0;
    for (const key of keysOf(bytes)) {
      taken += key.length;
      // Before it acts: an answer may open another one.
      this.#panel = undefined;
      if (panel.take(key)) break;
      this.#panel ??= panel;
    }
    if (taken < bytes.length) this.#keys.pass([{ kind: 'input', bytes: bytes.slice(taken) }]);
  }

  #mouse(bytes: string): void {
    const report = mouseReport(bytes);
    if (report === undefined) return;
    const { action, direction } = report;
    if (this.#panel?.rows !== undefined && action === 'scroll') {
      for (let i = 0; i < WHEEL_ROWS; i++) this.#panel.take(direction === 'down' ? '\x1b[B' : '\x1b[A');
      void this.draw();
    } else if (!this.#hasKeyboard && !this.#options.isReadOnly) {
      const { mirror } = this.#current;
      const screen = { cols: mirror.state.cols, rows: mirror.rows.length };
      const placed = onScreen(report, { origin: this.#picture.origin, window: this.size, screen });
      if (placed !== undefined) this.#input.pushAct(placed);
    }
  }

  #answer(reply: string): void {
    const { tty } = this.#options;
    if (reply.endsWith('u')) void tty.write(tty.modes.useKitty()).then(() => this.draw());
    else if (reply.endsWith('c')) {
      this.#keys.answered();
      tty.answered();
    }
  }

  #command(key: string): void {
    const command = leaderKey(key);
    if (command === undefined) this.say('No such command. Ctrl+B ? lists them.');
    else void this.during(() => this.#commands.run(command.act));
  }

  async #unfit(): Promise<void> {
    const fit = this.#fit;
    this.#fit = undefined;
    await fit?.restore();
  }

  #lost(terminal: WatchedTerminal, error: unknown): void {
    if (terminal !== this.#current) return;
    if (isT4aError(error) && error.code === 'terminal_not_found') this.end(`${terminal.id} is gone.`);
    else this.#options.onError(error);
  }
}
