/** The screen of a recording at any of its events. Going back replays from the start, so the screen is the same as before. */
import { VERSION } from '../base/version.js';
import type { RowMask } from '../redaction/row-mask.js';
import { untilParsed } from '../vt/parsing/until-parsed.js';
import type { Snapshot } from '../vt/snapshot.js';
import { Screen } from '../vt/screen.js';
import type { ReportedColors } from '../vt/snapshot.js';
import type { Recording } from './recording.js';

export interface StageOptions {
  readonly colors: ReportedColors;
  /** Lines kept above the viewport. */
  readonly scrollback?: number;
  /** Masks the secrets that a program has drawn in another order than that of their text. */
  readonly mask?: RowMask | undefined;
}

/** Scrollback for changes of size, which take lines from above. */
const DEFAULT_SCROLLBACK = 1000;
/** Between two looks at the signal. */
const PART_BYTES = 1024 * 1024;

export class Stage {
  readonly #recording: Recording;
  readonly #options: StageOptions;
  #screen: Screen;
  #index = 0;

  constructor(recording: Recording, options: StageOptions) {
    this.#recording = recording;
    this.#options = options;
    this.#screen = this.#newScreen();
  }

  /** Events that the screen shows. */
  get index(): number {
    return this.#index;
  }

  get screen(): Screen {
    return this.#screen;
  }

  snapshot(): Snapshot {
    const snapshot = this.#screen.snapshot();
    return this.#options.mask?.snapshot(snapshot).snapshot ?? snapshot;
  }

  /** Shows the first `index` events. @throws the signal's reason, the screen being between two events then */
  async show(index: number, signal?: AbortSignal): Promise<void> {
    if (index < this.#index) {
      this.#screen.dispose();
      this.#screen = this.#newScreen();
      this.#index = 0;
    }
    while (this.#index < index) {
      signal?.throwIfAborted();
      await this.#apply(index);
    }
  }

  dispose(): void {
    this.#screen.dispose();
  }

  async #apply(end: number): Promise<void> {
    const { events } = this.#recording;
    for (let event = events[this.#index]; this.#index < end && event !== undefined; event = events[this.#index]) {
      this.#index++;
      if (event.kind === 'output') this.#screen.write(event.bytes);
      if (event.kind === 'resize') await this.#screen.resize(event.cols, event.rows);
      if (this.#screen.pendingBytes > PART_BYTES) break;
    }
    // Also within a synchronized update: what was printed up to here is shown.
    await untilParsed(this.#screen);
  }

  #newScreen(): Screen {
    const { cols, rows } = this.#recording.start;
    const { colors, scrollback = DEFAULT_SCROLLBACK } = this.#options;
    return new Screen({ cols, rows, scrollback, colors, version: VERSION });
  }
}
