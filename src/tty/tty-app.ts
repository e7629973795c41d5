/** An application in the terminal of a person: its keys in their order, the panel that has them, its message, and its frames. */
import type { DaemonConnection } from '../client/connection.js';
import { FrameWriter, type OuterFrame } from '../mirror/frame-writer.js';
import { type T4aError, isT4aError } from '../protocol/errors.js';
import type { App } from './app.js';
import type { Clipboard } from './clipboard.js';
import { KeySource } from './key-source.js';
import type { KeyboardToken } from './keyboard.js';
import { Message } from './message.js';
import type { OuterModes } from './outer-modes.js';
import type { OuterTty } from './outer-tty.js';
import type { Panel } from './panel.js';
import { PanelHost } from './panel-host.js';
import { Prompt, type PromptOptions } from './prompt.js';
import { type Opening, Scrollback } from './scrollback.js';
import type { Size } from '../mirror/fit.js';
import type { Visit } from './visit.js';

export interface TtyAppOptions {
  readonly tty: OuterTty;
  /** A control character. */
  readonly leader: string;
  /** A command that waits for none that is running. */
  readonly isWayOut: (key: string) => boolean;
  readonly onError: (error: unknown) => void;
}

const TICK_MS = 1000;

export abstract class TtyApp implements App {
  readonly panels = new PanelHost();
  protected readonly message = new Message();
  protected readonly source: KeySource;
  readonly #tty: OuterTty;
  readonly #onError: (error: unknown) => void;
  readonly #writer = new FrameWriter();
  readonly #clock = setInterval(() => this.tick(), TICK_MS);
  /** A paste began while the keyboard was the application's own. */
  #pastesHere = false;

  constructor({ tty, onError, ...keys }: TtyAppOptions) {
    this.#tty = tty;
    this.#onError = onError;
    this.source = new KeySource((token) => this.take(token), keys);
  }

  /** Room for the screen. */
  abstract get size(): Size;

  /** The terminal that is shown. */
  abstract get visit(): Visit | undefined;

  /** Whether keys are for the application itself. */
  abstract get hasKeyboard(): boolean;

  /** @param more goes out with the frame */
  abstract draw(more?: string): Promise<void>;

  protected abstract take(token: KeyboardToken): void;

  /** Once a second. */
  protected abstract tick(): void;

  async dispose(): Promise<void> {
    this.source.dispose();
    clearInterval(this.#clock);
  }

  /** @param bytes characters of latin1 */
  keys(bytes: string): void {
    this.source.push(bytes);
  }

  /** After a change of the person's terminal. */
  redraw(): void {
    this.forget();
    this.resized();
    void this.draw();
  }

  open(panel: Panel): void {
    this.panels.open(panel);
    void this.draw();
  }

  ask(asked: Omit<PromptOptions, 'onAnswer'>, then: (answer: string) => Promise<void>): void {
    this.open(new Prompt({ ...asked, onAnswer: (answer) => void this.during(() => then(answer)) }));
  }

  /** The lines above the screen of the shown terminal, read, searched and copied. */
  readAbove(connection: DaemonConnection, clipboard: Clipboard, opening: Opening): void {
    const { visit } = this;
    if (visit === undefined) return this.say('No terminal is shown.');
    const { id, mirror } = visit.terminal;
    const panel: Scrollback = new Scrollback({
      connection,
      id,
      mirror,
      clipboard,
      opening,
      window: () => this.size,
      onChange: () => void this.draw(),
      onEnd: (notice) => {
        this.panels.close(panel);
        this.say(notice);
      },
      onError: (error) => {
        this.panels.close(panel);
        this.report(error);
      },
    });
    this.open(panel);
  }

  /** Keys wait until it is done. Its error is shown. */
  during(act: () => Promise<void>): Promise<void> {
    return this.source.during(act).catch((error: unknown) => this.report(error));
  }

  say(message: string): void {
    this.message.say(message);
    void this.draw();
  }

  report(error: unknown): void {
    if (!isT4aError(error)) this.#onError(error);
    else if (!isQuiet(error)) this.say(error.message);
  }

  protected abstract resized(): void;

  /** The next frame draws all rows. */
  protected forget(): void {
    this.#writer.forget();
  }

  protected write(frame: OuterFrame, more: string, ...modes: Parameters<OuterModes['follow']>): Promise<void> {
    return this.#tty.write(`${this.#tty.modes.follow(...modes)}${this.#writer.write(frame)}${more}`);
  }

  /** An answer of the person's terminal. */
  protected answered(reply: string): void {
    const tty = this.#tty;
    if (reply.endsWith('u')) void tty.write(tty.modes.useKitty()).then(() => this.draw());
    else if (reply.endsWith('c')) {
      this.source.answered();
      tty.answered();
    }
  }

  protected pasted({ bytes, begins }: Extract<KeyboardToken, { kind: 'paste' }>): void {
    if (begins) this.#pastesHere = this.hasKeyboard;
    if (this.#pastesHere) this.#pastesHere = begins;
    else if (begins) this.visit?.beginPaste(bytes);
    else this.visit?.endPaste(bytes);
  }

  /** @returns whether they were for a panel, or pasted where none is */
  protected typed(bytes: string): boolean {
    this.message.clear();
    if (this.#pastesHere) this.panels.paste(bytes);
    else if (this.panels.panel === undefined) return false;
    else {
      // Keys after the one that closes it are for what comes then.
      const rest = this.panels.take(bytes);
      if (rest !== '') this.source.pass([{ kind: 'input', bytes: rest }]);
    }
    return true;
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

function isQuiet({ code }: T4aError): boolean {
  return QUIET_ERRORS.has(code);
}
