/** What the changes of size of one recording may cost: each lays all lines out anew, whatever the length of the file. */
import { quote, T4aError } from '../../protocol/errors.js';
import type { RecordedGrid } from '../../history/recording/recording-event.js';

/** Minutes of dragging the edge of a window. */
export const MAX_SIZE_CHANGES = 10_000;

/** The largest screen 100 times, in some 5 s of work; one of 200x50 as often as the other bound allows. */
export const MAX_CHANGED_CELLS = 100_000_000;

export class SizeChanges {
  #changes = 0;
  #cells = 0;

  /** Another change of the recording at `path`, to this size. @throws T4aError recording_invalid */
  count(path: string, { cols, rows }: RecordedGrid): void {
    this.#changes++;
    this.#cells += cols * rows;
    const what =
      this.#changes > MAX_SIZE_CHANGES
        ? `more than ${MAX_SIZE_CHANGES} times`
        : this.#cells > MAX_CHANGED_CELLS
          ? `to more than ${MAX_CHANGED_CELLS} cells in all`
          : undefined;
    if (what === undefined) return;
    throw new T4aError('recording_invalid', `${quote(path)} changes its size ${what}.`, {
      field: 'path',
      hint: 't4a play shows it.',
    });
  }
}
