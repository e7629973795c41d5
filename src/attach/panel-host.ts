/** The panel that has the keyboard, if any: opens, gets keys, closes. */
import { keysOf } from './keyboard.js';
import type { Panel } from './panel.js';

/** The wheel scrolls the scrollback by so many. */
const WHEEL_ROWS = 3;

export class PanelHost {
  #panel: Panel | undefined;

  get panel(): Panel | undefined {
    return this.#panel;
  }

  open(panel: Panel): void {
    this.#panel = panel;
  }

  /** @param panel undefined for any */
  close(panel = this.#panel): void {
    if (this.#panel === panel) this.#panel = undefined;
  }

  /** @returns what came after the key that closed it */
  take(bytes: string): string {
    const panel = this.#panel;
    if (panel === undefined) return bytes;
    let taken = 0;
    for (const key of keysOf(bytes)) {
      taken += key.length;
      // Before it acts: an answer may open another one.
      this.#panel = undefined;
      if (panel.take(key)) break;
      this.#panel ??= panel;
    }
    return bytes.slice(taken);
  }

  /** What is pasted is one line, and closes nothing. Without a panel it is dropped. */
  paste(bytes: string): void {
    this.take(bytes.replaceAll(/[\r\n]+(?=[^\r\n])/g, ' ').replaceAll(/[\r\n]/g, ''));
  }

  /** @returns false if there is nothing to scroll */
  scroll(direction: string | undefined): boolean {
    const panel = this.#panel;
    if (panel?.rows === undefined) return false;
    for (let i = 0; i < WHEEL_ROWS; i++) panel.take(direction === 'down' ? '\x1b[B' : '\x1b[A');
    return true;
  }
}
