/**
 * The size of the terminal that is shown: that of the room that the shell has for it, from when it is shown, after each change of the
 * person's terminal, and, where another has given it a size since, from the next key. Never while another name has control.
 */
import type { App } from '../app.js';
import type { ShownTerminal } from '../watched-terminal.js';
import type { DaemonConnection } from '../../client/connection.js';
import type { Hold } from '../../mirror/hold.js';
import { isT4aError } from '../../protocol/errors.js';

/** While a window is being dragged, the program is not made to draw for each step. */
const DEBOUNCE_MS = 100;

export interface ViewportOptions {
  readonly connection: DaemonConnection;
  readonly terminal: ShownTerminal;
  readonly hold: Hold;
  readonly app: App;
}

export class Viewport {
  readonly #options: ViewportOptions;
  /** The size is still to be set. */
  #isOwed = true;
  #isResizing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ViewportOptions) {
    this.#options = options;
  }

  /** After each frame. */
  follow(): void {
    if (this.#timer === undefined) this.#settle();
  }

  /** The person's terminal has another size. */
  resized(): void {
    this.#isOwed = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#settle();
    }, DEBOUNCE_MS);
  }

  /** The person has typed: of two shells, this one counts. */
  typed(): void {
    if (this.#isRight) return;
    this.#isOwed = true;
    this.follow();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#isOwed = false;
  }

  get #isRight(): boolean {
    const { app, terminal } = this.#options;
    const { cols, rows } = app.size;
    return terminal.mirror.state.cols === cols && terminal.mirror.rows.length === rows;
  }

  #settle(): void {
    const { app, terminal, hold } = this.#options;
    const { state } = terminal.mirror;
    if (!this.#isOwed || this.#isResizing || state.cols === 0 || !state.alive || hold.isOthers) return;
    this.#isOwed = false;
    if (this.#isRight) return;
    this.#isResizing = true;
    this.#resize()
      .catch((error: unknown) => {
        // Another has taken control before the frame that shows it: once it is given back, a frame comes.
        if (isT4aError(error) && error.code === 'control_held') this.#isOwed = true;
        else app.report(error);
      })
      .finally(() => {
        this.#isResizing = false;
      });
  }

  async #resize(): Promise<void> {
    const { app, connection, terminal } = this.#options;
    await connection.call('resize', { id: terminal.id, ...app.size });
  }
}
