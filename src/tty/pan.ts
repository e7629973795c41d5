/** The part of a screen that a smaller terminal shows: it moves as little as the cursor needs. */
import type { Mirror } from '../mirror/mirror.js';

export class Pan {
  #left = 0;
  #top = 0;

  follow(
    { rows, cursor, state }: Pick<Mirror, 'rows' | 'cursor' | 'state'>,
    window: { readonly cols: number; readonly rows: number },
  ): { readonly left: number; readonly top: number } {
    if (cursor.visible) {
      this.#left = moved(this.#left, cursor.col, window.cols);
      this.#top = moved(this.#top, cursor.row, window.rows);
    }
    this.#left = Math.max(0, Math.min(this.#left, state.cols - window.cols));
    this.#top = Math.max(0, Math.min(this.#top, rows.length - window.rows));
    return { left: this.#left, top: this.#top };
  }
}

function moved(first: number, cell: number, cells: number): number {
  return Math.max(Math.min(first, cell), cell - cells + 1);
}
