/**
 * The last screens of the past that were rebuilt, of all terminals of a daemon: a moment shortly after one of theirs needs little
 * work.
 */
import type { Place } from '../../history/find-place.js';
import type { LogChunk } from '../../history/log-chunk.js';
import type { Replay } from '../../history/replay.js';
import type { TerminalLog } from '../../history/terminal-log.js';

export interface Rebuilt {
  readonly log: TerminalLog;
  /** That the replay began with. */
  readonly first: LogChunk;
  /** Lines that it keeps above the viewport, at most. */
  readonly scrollback: number;
  readonly replay: Replay;
}

const KEPT_SCREENS = 4;

export class PastScreens {
  #kept: readonly Rebuilt[] = [];

  get size(): number {
    return this.#kept.length;
  }

  /** It is the caller's from now on. @returns undefined if none is on the way to the place */
  take(first: LogChunk, place: Place, scrollback: number): Rebuilt | undefined {
    const isFit = (one: Rebuilt): boolean => one.first === first && one.scrollback >= scrollback;
    const found = this.#kept.find((one) => isFit(one) && one.replay.reaches(place));
    this.#kept = this.#kept.filter((one) => one !== found);
    return found;
  }

  /** The oldest goes for it. One whose first chunk has gone, as with its terminal, is of no use to anybody. */
  keep(screen: Rebuilt): void {
    if (!screen.log.chunks.includes(screen.first)) return screen.replay.dispose();
    this.#kept = [...this.#kept, screen];
    this.#release(this.#kept.slice(0, -KEPT_SCREENS));
  }

  drop(log: TerminalLog): void {
    this.#release(this.#kept.filter((one) => one.log === log));
  }

  clear(): void {
    this.#release(this.#kept);
  }

  #release(screens: readonly Rebuilt[]): void {
    this.#kept = this.#kept.filter((one) => !screens.includes(one));
    for (const { replay } of screens) replay.dispose();
  }
}
