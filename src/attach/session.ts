/** A person at a terminal: keys in, frames out. */
import type { DaemonConnection } from '../client/connection.js';
import { type T4aError, isT4aError } from '../protocol/errors.js';
import { BELL, FrameWriter } from '../mirror/frame-writer.js';
import { Commands, type CommandOptions } from './commands.js';
import { KeySource } from './key-source.js';
import { type KeyboardToken, LEADER } from './keyboard.js';
import { leaderKey } from './leader-keys.js';
import { Message } from './message.js';
import { OuterMouse } from './outer-mouse.js';
import type { OuterTty } from './outer-tty.js';
import type { Panel } from './panel.js';
import type { Size } from './size.js';
import { PanelHost } from './panel-host.js';
import { People } from './people.js';
import { Picture } from './picture.js';
import { type StatusLine, statusOf } from './status-line.js';
import { TmuxSession } from './tmux-session.js';
import { Visit } from './visit.js';
import type { Shown, WatchedTerminal } from './watched-terminal.js';

export interface SessionOptions extends CommandOptions {
  readonly tty: OuterTty;
  /** Shown with the terminal. */
  readonly host: string | undefined;
  readonly isReadOnly: boolean;
  /** Control is never taken. */
  readonly shares: boolean;
  /** Every terminal that is shown gets the size of the person's. */
  readonly fits: boolean;
  /** Called once. @param note for the person, on the terminal that was left */
  onEnd(note: string): void;
  onError(error: unknown): void;
}

/** Of the status line. */
const TICK_MS = 1000;

export class Session {
  readonly #options: SessionOptions;
  readonly #connection: DaemonConnection;
  readonly #keys = new KeySource((token) => this.#take(token), {
    leader: LEADER,
    isWayOut: (key) => leaderKey(key)?.act === 'detach',
  });
  readonly #writer = new FrameWriter();
  readonly #commands: Commands;
  readonly people: People;
  readonly mouse: OuterMouse;
  readonly tmux: TmuxSession;
  readonly #clock: NodeJS.Timeout;
  #picture = new Picture();
  #visit: Visit;
  readonly #panels = new PanelHost();
  readonly #message = new Message();
  /** Of the last tick. */
  #minute = 0;
  #isLeaderPending = false;
  /** A paste began while the keyboard was attach's own. */
  #pastesHere = false;

  constructor(id: string, options: SessionOptions) {
    this.#options = options;
    this.#connection = options.connection;
    this.tmux = new TmuxSession(this.#connection);
    this.#visit = this.#visitTo(id);
    this.#commands = new Commands(this, options);
    this.people = new People({
      connection: this.#connection,
      canAnswer: !options.isReadOnly,
      open: (panel) => this.open(panel),
      say: (message) => this.say(message),
      during: (act) => this.during(act),
      take: () => this.#commands.take(),
      show: (id) => this.show(id),
      draw: () => void this.draw(),
      onHand: () => void this.during(() => this.#visit.keepForHand()),
      alert: (sequences) => {
        this.#message.clear();
        void options.tty.write(sequences);
      },
      report: (error) => this.report(error),
    });
    this.mouse = new OuterMouse({
      panels: this.#panels,
      isReadOnly: options.isReadOnly,
      state: () => this.#current.mirror.state,
      hasKeyboard: () => this.#hasKeyboard,
      origin: () => this.#picture.origin,
      scrollBack: (opening) => this.#commands.scrollBack(opening),
      send: (report) => this.#visit.mouse(this.#picture.placed(report, this.#current.mirror, this.size)),
      type: (bytes) => this.#visit.type(bytes),
    });
    this.#clock = setInterval(() => this.#tick(), TICK_MS);
  }

  get id(): string {
    return this.#current.id;
  }

  get visit(): Visit {
    return this.#visit;
  }

  /** Room for the screen. */
  get size(): Size {
    const { cols, rows } = this.#options.tty;
    return { cols, rows: Math.max(1, rows - 1) };
  }

  start(): void {
    const visit = this.#visit;
    const { terminal } = visit;
    let { fits } = this.#options;
    const onFrame = async ({ bells, lostTo }: Shown): Promise<void> => {
      if (lostTo !== undefined) visit.lostTo(lostTo);
      this.people.follow(terminal.id, terminal.mirror.state.asks);
      await this.draw(bells > 0 ? BELL : '');
      if (!fits || terminal.isLeft) return;
      fits = false;
      await this.during(() => visit.toggleFit());
    };
    // Without its labels the bar is that of any terminal.
    void this.tmux
      .look(terminal.id)
      .then((isPane) => (isPane ? this.draw() : undefined))
      .catch(() => {});
    void terminal.follow(onFrame).catch((error: unknown) => this.#lost(terminal, error));
  }

  /** Shows another terminal. */
  async show(id: string): Promise<void> {
    await this.#commands.leave(this.#visit);
    this.#panels.close();
    this.#picture = new Picture();
    this.#visit = this.#visitTo(id);
    this.start();
  }

  async dispose(): Promise<void> {
    this.#keys.dispose();
    clearInterval(this.#clock);
    await this.#visit.end();
  }

  end(note: string): void {
    this.#options.onEnd(note);
  }

  /** After a change of the person's terminal. */
  redraw(): void {
    this.#writer.forget();
    this.#visit.resized();
    void this.draw();
  }

  /** @param more goes out with the frame */
  draw(more = ''): Promise<void> {
    const { tty } = this.#options;
    const { mirror } = this.#current;
    // Before the first frame there is nothing to show.
    if (mirror.rows.length === 0) return Promise.resolve();
    const frame = this.#picture.compose({
      mirror,
      cols: tty.cols,
      rows: tty.rows,
      status: this.#status(),
      panel: this.#panels.panel,
    });
    return tty.write(`${tty.modes.follow(this.mouse.modes, mirror.cursor)}${this.#writer.write(frame)}${more}`);
  }

  /** @param bytes characters of latin1 */
  keys(bytes: string): void {
    this.#keys.push(bytes);
  }

  open(panel: Panel): void {
    this.#panels.open(panel);
    void this.draw();
  }

  close(panel: Panel): void {
    this.#panels.close(panel);
  }

  /** Keys wait until it is done. Its error is shown. */
  during(act: () => Promise<void>): Promise<void> {
    return this.#keys.during(act).catch((error: unknown) => this.report(error));
  }

  say(message: string): void {
    this.#message.say(message);
    void this.draw();
  }

  report(error: unknown): void {
    if (!isT4aError(error)) this.#options.onError(error);
    else if (!isQuiet(error)) this.say(error.message);
  }

  get #current(): WatchedTerminal {
    return this.#visit.terminal;
  }

  /** Whether keys are for attach itself. */
  get #hasKeyboard(): boolean {
    return this.#isLeaderPending || this.#panels.panel !== undefined || this.#current.end !== undefined;
  }

  #tick(): void {
    const minute = new Date().getMinutes();
    // Of a terminal without a holder only the minutes pass.
    const isSame = minute === this.#minute && (this.#visit.hold.control ?? null) === null;
    if (!this.#message.tick() && isSame) return;
    this.#minute = minute;
    void this.draw();
  }

  #status(): StatusLine {
    const { id: bare, end, mirror, hold } = this.#current;
    const { host } = this.#options;
    const id = host === undefined ? bare : `${host}/${bare}`;
    return statusOf({
      panel: this.#panels.panel?.status,
      message: this.#message.text,
      isLeaderPending: this.#isLeaderPending,
      end,
      id,
      bar: this.tmux.bar(bare),
      mirror,
      heldMs: hold.heldMs,
      ...this.people.questions,
      isFitted: this.#visit.isFitted,
      isReadOnly: this.#options.isReadOnly,
      seen: this.#picture.seen(mirror, this.size),
    });
  }

  #take(token: KeyboardToken): void {
    // What is typed changes nothing here until the program answers.
    const isTyped = token.kind === 'input' && !this.#hasKeyboard && this.#message.text === undefined;
    this.#takeOne(token);
    if (!isTyped && token.kind !== 'mouse' && token.kind !== 'reply') void this.draw();
  }

  #takeOne(token: KeyboardToken): void {
    switch (token.kind) {
      case 'reply':
        return this.#answer(token.bytes);
      case 'leader':
        this.#isLeaderPending = true;
        this.#panels.close();
        this.#message.clear();
        return;
      case 'command':
        this.#isLeaderPending = false;
        return this.#command(token.key);
      case 'paste':
        this.#isLeaderPending = false;
        if (token.begins) this.#pastesHere = this.#hasKeyboard;
        if (this.#pastesHere) this.#pastesHere = token.begins;
        else if (token.begins) this.#visit.beginPaste(token.bytes);
        else this.#visit.endPaste(token.bytes);
        return;
      case 'mouse':
        return void (this.mouse.take(token.bytes) && this.draw());
      default:
        return this.#typed(token.bytes);
    }
  }

  #typed(bytes: string): void {
    const { end } = this.#current;
    this.#message.clear();
    if (this.#pastesHere) this.#panels.paste(bytes);
    else if (this.#panels.panel !== undefined) {
      // Keys after the one that closes it are for what comes then.
      const rest = this.#panels.take(bytes);
      if (rest !== '') this.#keys.pass([{ kind: 'input', bytes: rest }]);
    } else if (end === undefined) this.#visit.type(bytes);
    else if (/[q\r]/.test(bytes)) this.end(`Left ${this.id}, which has ended.`);
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
    else void this.during(() => this.#commands.run(command.act, key));
  }

  #visitTo(id: string): Visit {
    return new Visit(id, {
      ...this.#options,
      hints: { leave: 'Ctrl+B d leaves.', take: 'Ctrl+B t takes it.' },
      size: () => this.size,
      hasHand: () => this.people.hasHand,
      say: (message) => this.say(message),
      report: (error) => this.report(error),
    });
  }

  #lost(terminal: WatchedTerminal, error: unknown): void {
    if (terminal !== this.#current) return;
    if (isT4aError(error) && error.code === 'terminal_not_found') this.end(`${terminal.id} is gone.`);
    else this.#options.onError(error);
  }
}

/** Frames say that a terminal has ended or the daemon has gone; a mouse outside of what the program wants is ignored. */
const QUIET_ERRORS: ReadonlySet<string> = new Set([
  'terminal_exited',
  'input_interrupted',
  'connection_lost',
  'mouse_off',
  'cell_outside',
  'focus_off',
]);

export function isQuiet({ code }: T4aError): boolean {
  return QUIET_ERRORS.has(code);
}
