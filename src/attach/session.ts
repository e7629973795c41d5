/** A person at a terminal: keys in, frames out, commands after the leader. */
import type { DaemonConnection } from '../client/connection.js';
import { isT4aError, T4aError } from '../protocol/errors.js';
import type { ParamsInput } from '../protocol/registry.js';
import { FrameWriter } from '../mirror/frame-writer.js';
import { InputLine } from './input-line.js';
import { Keyboard, LEADER, type KeyboardToken } from './keyboard.js';
import { helpLines, leaderKey, type LeaderKey } from './leader-keys.js';
import type { OuterTty } from './outer-tty.js';
import { Picture } from './picture.js';
import { Prompt } from './prompt.js';
import { endedLine, factsLine, type StatusLine } from './status-line.js';
import { WatchedTerminal } from './watched-terminal.js';

export interface SessionOptions {
  readonly connection: DaemonConnection;
  readonly tty: OuterTty;
  readonly isReadOnly: boolean;
  /** The terminal that attach runs in, if it is one of the same daemon. */
  readonly ownTerminal: string | undefined;
  newTerminal(fields: { readonly name: string; readonly cols: number; readonly rows: number }): ParamsInput<'create'>;
  /** Called once. @param note for the person, on the terminal that was left */
  onEnd(note: string): void;
  onError(error: unknown): void;
}

/** A sequence that was cut comes within this time, or was no sequence. */
const CUT_MS = 50;
const MINUTE_MS = 60_000;

export class Session {
  readonly #options: SessionOptions;
  readonly #keyboard = new Keyboard();
  readonly #writer = new FrameWriter();
  readonly #input: InputLine;
  #picture = new Picture();
  #current: WatchedTerminal | undefined;
  #prompt: { readonly prompt: Prompt; readonly onAnswer: (answer: string) => Promise<void> } | undefined;
  #message: string | undefined;
  #isLeaderPending = false;
  #showsHelp = false;
  #flush: NodeJS.Timeout | undefined;
  readonly #clock: NodeJS.Timeout;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#keyboard.expectsReply = true;
    this.#input = new InputLine({
      send: (bytes) => this.#send(bytes),
      onError: (error) => this.#report(error),
    });
    this.#clock = setInterval(() => void this.draw(), MINUTE_MS);
  }

  /** Shows another terminal. */
  show(id: string): void {
    this.#current?.leave();
    this.#input.dispose();
    this.#picture = new Picture();
    const current = new WatchedTerminal(this.#options.connection, id);
    this.#current = current;
    const onFrame = ({ bells }: { bells: number }): Promise<void> => this.draw(bells > 0 ? '\x07' : '');
    void current.follow(onFrame).catch((error: unknown) => this.#lost(current, error));
  }

  dispose(): void {
    this.#current?.leave();
    this.#input.dispose();
    clearTimeout(this.#flush);
    clearInterval(this.#clock);
  }

  redraw(): void {
    this.#writer.forget();
    void this.draw();
  }

  /** @param more goes out with the frame */
  draw(more = ''): Promise<void> {
    const { tty } = this.#options;
    const mirror = this.#current?.mirror;
    // Before the first frame there is nothing to show.
    if (mirror === undefined || mirror.rows.length === 0) return Promise.resolve();
    const frame = this.#picture.compose({
      mirror,
      cols: tty.cols,
      rows: tty.rows,
      status: this.#status(),
      promptCol: this.#prompt && this.#prompt.prompt.label.length + Array.from(this.#prompt.prompt.text).length + 2,
      overlay: this.#showsHelp ? helpLines() : [],
    });
    const modes = this.#hasKeyboard || this.#options.isReadOnly ? {} : mirror.state.modes;
    return tty.write(`${tty.modes.follow(modes, mirror.cursor)}${this.#writer.write(frame)}${more}`);
  }

  /** @param bytes characters of latin1 */
  keys(bytes: string): void {
    clearTimeout(this.#flush);
    this.#take(this.#keyboard.push(bytes));
    if (!this.#keyboard.isHolding) return;
    this.#flush = setTimeout(() => this.#take(this.#keyboard.flush()), CUT_MS);
  }

  /** Whether keys are for attach itself. */
  get #hasKeyboard(): boolean {
    return this.#isLeaderPending || this.#prompt !== undefined || this.#showsHelp || this.#current?.end !== undefined;
  }

  #status(): StatusLine {
    const current = this.#current;
    if (this.#prompt !== undefined) {
      const { label, text } = this.#prompt.prompt;
      return { left: ` ${label} ${text}`, right: 'Esc: cancel ', look: 'message' };
    }
    if (this.#message !== undefined) return { left: ` ${this.#message}`, right: '', look: 'message' };
    if (this.#isLeaderPending) return { left: ' Ctrl+B', right: '? help ', look: 'message' };
    if (current?.end !== undefined) return endedLine(current.id, current.end);
    const { state, rows } = (current as WatchedTerminal).mirror;
    return factsLine({
      id: current?.id ?? '',
      title: state.title,
      size: `${state.cols}x${rows.length}`,
      isReadOnly: this.#options.isReadOnly,
      time: new Date().toTimeString().slice(0, 5),
    });
  }

  #take(tokens: readonly KeyboardToken[]): void {
    for (const token of tokens) {
      switch (token.kind) {
        case 'reply':
          this.#answer(token.bytes);
          break;
        case 'leader':
          this.#isLeaderPending = true;
          this.#prompt = undefined;
          this.#message = undefined;
          this.#showsHelp = false;
          break;
        case 'command':
          this.#isLeaderPending = false;
          this.#command(token.key);
          break;
        case 'paste':
          if (!this.#hasKeyboard && this.#current?.mirror.state.modes['bracketed_paste'] === true) {
            this.#type(token.bytes);
          }
          break;
        default:
          this.#typed(token.bytes);
      }
    }
    if (tokens.length > 0) void this.#drawUnlessTyping(tokens);
  }

  /** What is typed changes nothing until the program answers. */
  #drawUnlessTyping(tokens: readonly KeyboardToken[]): Promise<void> {
    const isTyping = tokens.every(({ kind }) => kind === 'input') && !this.#needsDrawing;
    this.#needsDrawing = false;
    return isTyping ? Promise.resolve() : this.draw();
  }

  #needsDrawing = false;

  #typed(bytes: string): void {
    const wasShown = this.#message !== undefined || this.#showsHelp || this.#prompt !== undefined;
    this.#needsDrawing ||= wasShown;
    this.#message = undefined;
    if (this.#showsHelp) this.#showsHelp = false;
    else if (this.#prompt !== undefined) this.#answerPrompt(bytes);
    else if (this.#current?.end !== undefined) {
      if (/[q\r]/.test(bytes)) this.#options.onEnd(`Left ${this.#current.id}, which has ended.`);
    } else this.#type(bytes);
  }

  #type(bytes: string): void {
    if (this.#options.isReadOnly) this.#say('Read only. Ctrl+B d leaves.');
    else if (!this.#input.push(bytes)) this.#say('The program does not read its input: the last keys were dropped.');
  }

  async #send(bytes: Buffer): Promise<void> {
    const id = this.#current?.id;
    if (id === undefined) return;
    await this.#options.connection.call('send', { id, input_base64: bytes.toString('base64') });
  }

  #answer(reply: string): void {
    const { tty } = this.#options;
    if (reply.endsWith('u')) void tty.write(tty.modes.useKitty());
    else if (reply.endsWith('c')) {
      this.#keyboard.expectsReply = false;
      tty.answered();
    }
  }

  #answerPrompt(bytes: string): void {
    const asked = this.#prompt;
    const outcome = asked?.prompt.take(bytes);
    if (asked === undefined || outcome === undefined) return;
    this.#prompt = undefined;
    if (outcome === 'cancelled') return;
    void asked.onAnswer(outcome.answer).catch((error: unknown) => this.#report(error));
  }

  #command(key: string): void {
    const command = leaderKey(key);
    if (command === undefined) this.#say('No such command. Ctrl+B ? lists them.');
    else void this.#act(command.act).catch((error: unknown) => this.#report(error));
  }

  async #act(act: LeaderKey['act']): Promise<void> {
    const id = this.#current?.id ?? '';
    switch (act) {
      case 'detach':
        return this.#options.onEnd(`Detached from ${id}.`);
      case 'help':
        this.#showsHelp = true;
        return;
      case 'literal':
        return this.#type(LEADER);
      case 'create':
        return this.#ask(new Prompt('Name of the new terminal:'), (name) => this.#create(name));
      case 'kill':
        return this.#ask(new Prompt(`Kill ${id}? (y/n)`, { isOneKey: true }), async (answer) => {
          if (answer === 'y') await this.#kill(id);
        });
      case 'next':
        return this.#step(1);
      default:
        return this.#step(-1);
    }
  }

  #ask(prompt: Prompt, onAnswer: (answer: string) => Promise<void>): void {
    this.#prompt = { prompt, onAnswer };
  }

  async #create(name: string): Promise<void> {
    const { tty, connection } = this.#options;
    if (name === '') return;
    const fields = this.#options.newTerminal({ name, cols: tty.cols, rows: Math.max(1, tty.rows - 1) });
    const { id } = await connection.call('create', fields);
    this.show(id);
  }

  async #kill(id: string): Promise<void> {
    const next = await this.#neighbour(1);
    if (this.#current?.id === id) this.#current.leave();
    await this.#options.connection.call('kill', { id });
    if (next === undefined) return this.#options.onEnd(`Killed ${id}.`);
    this.#message = `Killed ${id}.`;
    this.show(next);
  }

  async #step(by: 1 | -1): Promise<void> {
    const next = await this.#neighbour(by);
    if (next === undefined) this.#say('There is no other terminal.');
    else this.show(next);
  }

  /** In the order of the names, ended ones too. */
  async #neighbour(by: 1 | -1): Promise<string | undefined> {
    const { terminals } = await this.#options.connection.call('list');
    const current = this.#current?.id ?? '';
    const collator = new Intl.Collator('en', { numeric: true });
    const ids = terminals
      .map(({ id }) => id)
      .filter((id) => id !== this.#options.ownTerminal || id === current)
      .toSorted((a, b) => collator.compare(a, b));
    const next = ids[(ids.indexOf(current) + by + ids.length) % ids.length];
    return next === current ? undefined : next;
  }

  #lost(terminal: WatchedTerminal, error: unknown): void {
    if (terminal !== this.#current) return;
    if (isT4aError(error) && error.code === 'terminal_not_found') this.#options.onEnd(`${terminal.id} is gone.`);
    else this.#options.onError(error);
  }

  #report(error: unknown): void {
    if (!(error instanceof T4aError)) this.#options.onError(error);
    // Frames say that a terminal has ended, or that the daemon has gone.
    else if (!['terminal_exited', 'input_interrupted', 'connection_lost'].includes(error.code))
      this.#say(error.message);
  }

  #say(message: string): void {
    this.#message = message;
    void this.draw();
  }
}
