/** A person at a terminal: keys in, frames out. */
import type { DaemonConnection } from '../../client/connection.js';
import { BELL } from '../../mirror/frame-writer.js';
import { AttachCommands, type CommandOptions } from './commands.js';
import { type KeyboardToken, LEADER } from '../keyboard.js';
import { leaderKey } from './leader-keys.js';
import { OuterMouse } from '../outer-mouse.js';
import type { OuterTty } from '../outer-tty.js';
import type { Size } from '../../mirror/fit.js';
import { People } from '../people.js';
import { Picture } from '../picture.js';
import { type StatusLine, statusOf } from '../status-line.js';
import { TmuxSession } from './tmux-session.js';
import { TtyApp } from '../tty-app.js';
import { Visit } from '../visit.js';
import type { ShownTerminal } from '../watched-terminal.js';

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

export class Session extends TtyApp {
  readonly #options: SessionOptions;
  readonly #connection: DaemonConnection;
  readonly #commands: AttachCommands;
  readonly people: People;
  readonly mouse: OuterMouse;
  readonly tmux: TmuxSession;
  #picture = new Picture();
  #visit: Visit;
  /** Minute of the last tick. */
  #minute = 0;
  #isLeaderPending = false;

  constructor(id: string, options: SessionOptions) {
    super({ ...options, leader: LEADER, isWayOut: (key) => leaderKey(key)?.act === 'detach' });
    this.#options = options;
    this.#connection = options.connection;
    this.tmux = new TmuxSession(this.#connection);
    this.#visit = this.#visitTo(id);
    this.#commands = new AttachCommands(this, options);
    this.people = new People({
      connection: this.#connection,
      canAnswer: !options.isReadOnly,
      app: this,
      show: (id) => this.show(id),
      draw: () => void this.draw(),
      alert: (sequences) => {
        this.message.clear();
        void options.tty.write(sequences);
      },
    });
    this.mouse = new OuterMouse({
      panels: this.panels,
      isReadOnly: options.isReadOnly,
      state: () => this.#current.mirror.state,
      hasKeyboard: () => this.hasKeyboard,
      origin: () => this.#picture.origin,
      scrollBack: (opening) => this.#commands.scrollBack(opening),
      send: (report) => this.#visit.mouse(this.#picture.placed(report, this.#current.mirror, this.size)),
      type: (bytes) => this.#visit.type(bytes),
    });
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
    const onFrame = async (bells: number): Promise<void> => {
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
    visit.follow(
      onFrame,
      () => this.end(`${terminal.id} is gone.`),
      (error) => this.#options.onError(error),
    );
  }

  /** Shows another terminal. */
  async show(id: string): Promise<void> {
    await this.#commands.leave(this.#visit);
    this.panels.close();
    this.#picture = new Picture();
    this.#visit = this.#visitTo(id);
    this.start();
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    await this.#visit.end();
  }

  end(note: string): void {
    this.#options.onEnd(note);
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
      panel: this.panels.panel,
    });
    return this.write(frame, more, this.mouse.modes, mirror.cursor);
  }

  get #current(): ShownTerminal {
    return this.#visit.terminal;
  }

  /** Whether keys are for attach itself. */
  get hasKeyboard(): boolean {
    return this.#isLeaderPending || this.panels.panel !== undefined || this.#current.end !== undefined;
  }

  protected resized(): void {
    this.#visit.resized();
  }

  protected tick(): void {
    const minute = new Date().getMinutes();
    // Of a terminal without a holder only the minutes pass.
    const isSame = minute === this.#minute && (this.#visit.hold.control ?? null) === null;
    if (!this.message.tick() && isSame) return;
    this.#minute = minute;
    void this.draw();
  }

  #status(): StatusLine {
    const { id: bare, end, mirror, hold } = this.#current;
    const { host } = this.#options;
    const id = host === undefined ? bare : `${host}/${bare}`;
    return statusOf({
      panel: this.panels.panel?.status,
      message: this.message.text,
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

  protected take(token: KeyboardToken): void {
    // What is typed changes nothing here until the program answers.
    const isTyped = token.kind === 'input' && !this.hasKeyboard && this.message.text === undefined;
    this.#takeOne(token);
    if (!isTyped && token.kind !== 'mouse' && token.kind !== 'reply') void this.draw();
  }

  #takeOne(token: KeyboardToken): void {
    switch (token.kind) {
      case 'reply':
        return this.answered(token.bytes);
      case 'leader':
        this.#isLeaderPending = true;
        this.panels.close();
        this.message.clear();
        return;
      case 'command':
        this.#isLeaderPending = false;
        return this.#command(token.key);
      case 'paste':
        this.#isLeaderPending = false;
        return this.pasted(token);
      case 'mouse':
        return void (this.mouse.take(token.bytes) && this.draw());
      default:
        return this.#input(token.bytes);
    }
  }

  #input(bytes: string): void {
    if (this.typed(bytes)) return;
    if (this.#current.end === undefined) this.#visit.type(bytes);
    else if (/[q\r]/.test(bytes)) this.end(`Left ${this.id}, which has ended.`);
  }

  #command(key: string): void {
    const command = leaderKey(key);
    if (command === undefined) this.say('No such command. Ctrl+B ? lists them.');
    else void this.during(() => this.#commands.run(command.act, key));
  }

  #visitTo(id: string): Visit {
    return new Visit(id, {
      ...this.#options,
      hints: { leave: 'Ctrl+B d leaves.', take: 'Ctrl+B t takes it.', give: '. Ctrl+B g gives it back.' },
      hasHand: () => this.people.hasHand,
      app: this,
    });
  }
}
