/** A scratchpad in place of the screen. */
import type { Panel } from '../panel.js';
import type { Size } from '../../mirror/fit.js';
import type { StatusLine } from '../status-line.js';
import type { MirrorRow } from '../../mirror/mirror.js';
import { fitted } from './cells.js';

const UP = new Set(['\x1b[A', '\x1bOA', 'k']);
const DOWN = new Set(['\x1b[B', '\x1bOB', 'j', '\r']);
const PAGE_UP = '\x1b[5~';
const PAGE_DOWN = new Set(['\x1b[6~', ' ']);
const CLOSING = new Set(['q', '\x1b', '\x03', '\x07']);

export class Reading implements Panel {
  readonly #name: string;
  readonly #lines: readonly string[];
  readonly #size: () => Size;
  #top = 0;

  /** @param size room for it */
  constructor(name: string, lines: readonly string[], size: () => Size) {
    this.#name = name;
    this.#lines = lines;
    this.#size = size;
  }

  get status(): StatusLine {
    const place = `${this.#top + 1}-${Math.min(this.#lines.length, this.#top + this.#size().rows)}/${this.#lines.length}`;
    return { left: ` ${this.#name}`, right: `${place} │ Up, Down │ q: close `, shortRight: 'q ', look: 'message' };
  }

  get rows(): readonly MirrorRow[] {
    return [];
  }

  /** Rows from the top row on: all rows are covered. */
  overlay(rows: number, cols: number): readonly string[] {
    const shown = this.#lines.slice(this.#top, this.#top + rows).map((line) => ` ${fitted(line, cols - 1)}`);
    return [...shown, ...Array.from({ length: rows - shown.length }, () => '')];
  }

  take(key: string): boolean {
    const { rows } = this.#size();
    if (UP.has(key)) this.#top--;
    else if (DOWN.has(key)) this.#top++;
    else if (key === PAGE_UP) this.#top -= rows;
    else if (PAGE_DOWN.has(key)) this.#top += rows;
    this.#top = Math.max(0, Math.min(this.#top, this.#lines.length - rows));
    return CLOSING.has(key);
  }
}
