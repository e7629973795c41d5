/** The panel that has the keyboard, if any: opens, gets keys, closes. */
import { keysOf } from './keyboard.js';
import type { MouseFields } from './mouse-report.js';
import type { Panel } from './panel.js';

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

  /** Pastes one line, which closes nothing. Without a panel it is dropped. */
  paste(bytes: string): void {
    this.take(bytes.replaceAll(/[\r\n]+(?=[^\r\n])/g, ' ').replaceAll(/[\r\n]/g, ''));
  }

  /** @param report with row and column of the person's terminal @returns whether a panel has taken it */
  mouse(report: MouseFields): boolean {
    const panel = this.#panel;
    if (panel?.mouse === undefined) return false;
    if (panel.mouse(report)) this.close(panel);
    return true;
  }
}
