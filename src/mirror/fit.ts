/** A terminal that has the size of a person's window while they are there, and its own again afterwards. For browsers too. */
import type { SendRequest } from './watcher.js';

/** Size in cells. */
export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** While a window is being dragged, the program is not made to draw for each step. */
const DEBOUNCE_MS = 100;

export interface FitOptions {
  readonly send: SendRequest;
  readonly id: string;
  /** The terminal's own size. */
  readonly before: Size;
  /** Fields of each request. */
  readonly bond?: () => { readonly if_hold?: number };
}

export class Fit {
  readonly #options: FitOptions;
  #set: Size | undefined;
  #resizing: Promise<unknown> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FitOptions) {
    this.#options = options;
  }

  async to(size: Size): Promise<void> {
    this.forget();
    this.#set = size;
    const resizing = this.#resize(size);
    this.#resizing = resizing.catch(() => {});
    await resizing;
  }

  /** @param size of the window by then */
  soonTo(size: () => Size, onError: (error: unknown) => void): void {
    this.forget();
    this.#timer = setTimeout(() => void this.to(size()).catch(onError), DEBOUNCE_MS);
  }

  /** The size is no longer this person's to change. */
  forget(): void {
    clearTimeout(this.#timer);
  }

  /** Gives the old size back. */
  async restore(): Promise<void> {
    this.forget();
    await this.#resize(this.#options.before);
  }

  /** The same, unless somebody else has changed it since. @param size of the terminal at this moment */
  async restoreOwn(size: () => Promise<Size>): Promise<void> {
    this.forget();
    await this.#resizing;
    const { cols, rows } = await size();
    if (cols === this.#set?.cols && rows === this.#set.rows) await this.restore();
  }

  #resize({ cols, rows }: Size): Promise<unknown> {
    const { send, id, bond } = this.#options;
    return send('resize', { id, cols, rows, ...bond?.() });
  }
}
