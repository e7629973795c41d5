/** A terminal that has the size of the person's while they are there, and its own again afterwards. */
import type { DaemonConnection } from '../client/connection.js';
import type { Size } from './size.js';

/** While a window is being dragged, the program is not made to draw for each step. */
const DEBOUNCE_MS = 100;

/** Longest wait for the old size, at the end. */
const RESTORE_MS = 500;

export class Fit {
  readonly #connection: DaemonConnection;
  readonly #id: string;
  readonly #before: Size;
  #set: Size | undefined;
  #resizing: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** @param before the terminal's own size */
  constructor(connection: DaemonConnection, id: string, before: Size) {
    this.#connection = connection;
    this.#id = id;
    this.#before = before;
  }

  async to(size: Size): Promise<void> {
    clearTimeout(this.#timer);
    this.#set = size;
    const resizing = this.#connection.call('resize', { id: this.#id, ...size });
    this.#resizing = resizing.catch(() => {});
    await resizing;
  }

  soonTo(size: Size, onError: (error: unknown) => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.to(size).catch(onError), DEBOUNCE_MS);
  }

  /** The size is no longer this person's to change. */
  forget(): void {
    clearTimeout(this.#timer);
  }

  /** Gives the old size back, unless somebody else has changed it since. */
  async restore(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.#connection.isOpen) return;
    const late = new Promise<void>((resolve) => setTimeout(resolve, RESTORE_MS).unref());
    await Promise.race([this.#restore(), late]).catch(() => {
      // The terminal or its daemon has gone.
    });
  }

  async #restore(): Promise<void> {
    await this.#resizing;
    const { cols, rows } = await this.#connection.call('status', { id: this.#id });
    if (cols !== this.#set?.cols || rows !== this.#set.rows) return;
    await this.#connection.call('resize', { id: this.#id, ...this.#before });
  }
}
