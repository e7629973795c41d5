/**
 * Frames of many terminals, twice a second each: one question at a time to each daemon, for the tiles in view alone. A daemon that
 * is slow is asked less often.
 */
import { Mirror } from '../mirror/mirror.js';
import { RequestError } from './daemon-link.js';
import type { DaemonState } from './daemon-state.js';

/** Between two frames of a tile. */
const FRAME_MS = 500;
/** Between looks for something to ask. */
const LOOK_MS = 100;

export interface Tile {
  readonly daemon: DaemonState;
  readonly id: string;
  readonly isInView: () => boolean;
  readonly draw: (mirror: Mirror) => void;
}

interface Place {
  readonly tile: Tile;
  mirror: Mirror;
  /** When it was asked for last. */
  askedMs: number;
}

export class WallFrames {
  readonly #places = new Map<Tile, Place>();
  readonly #running = new Set<DaemonState>();
  #isLeft = false;

  add(tile: Tile): void {
    this.#places.set(tile, { tile, mirror: new Mirror(), askedMs: -Infinity });
    if (this.#running.has(tile.daemon)) return;
    this.#running.add(tile.daemon);
    void this.#run(tile.daemon);
  }

  delete(tile: Tile): void {
    this.#places.delete(tile);
  }

  /** What it has is drawn again: in other colors, or in another size. */
  redraw(tile: Tile): void {
    const place = this.#places.get(tile);
    if (place?.mirror.rev !== undefined) tile.draw(place.mirror);
  }

  leave(): void {
    this.#isLeft = true;
    this.#places.clear();
  }

  async #run(daemon: DaemonState): Promise<void> {
    while (!this.#isLeft) {
      const place = document.hidden || !daemon.isOpen ? undefined : this.#next(daemon);
      if (place === undefined) await delay(LOOK_MS);
      else await this.#ask(place);
    }
  }

  /** The tile in view that has waited longest, once it is its time. */
  #next(daemon: DaemonState): Place | undefined {
    const due = performance.now() - FRAME_MS;
    let next: Place | undefined;
    for (const place of this.#places.values()) {
      if (place.tile.daemon !== daemon || place.askedMs > due || !place.tile.isInView()) continue;
      if (next === undefined || place.askedMs < next.askedMs) next = place;
    }
    return next;
  }

  async #ask(place: Place): Promise<void> {
    const { tile } = place;
    place.askedMs = performance.now();
    try {
      const { rev } = place.mirror;
      const frame = await tile.daemon.link.ask('watch', { id: tile.id, ...place.mirror.question, timeout_ms: 0 });
      if (this.#places.get(tile) !== place) return;
      place.mirror.apply(frame);
      if (place.mirror.rev !== rev) tile.draw(place.mirror);
    } catch (error) {
      // Removed, or lost: the list says so, and a new connection begins with a whole frame.
      if (!(error instanceof RequestError)) throw error;
      place.mirror = new Mirror();
    }
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
