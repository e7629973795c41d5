/** The keyboard in the rail: arrows move along its places, Enter goes there. */
import { CANCELLING_KEYS } from '../line-editor.js';
import type { Panel } from '../panel.js';
import type { StatusLine } from '../status-line.js';
import type { RailPlace } from './rail.js';

const UP = new Set(['\x1b[A', '\x1bOA', 'k', '\x10']);
const DOWN = new Set(['\x1b[B', '\x1bOB', 'j', '\x0e', '\t']);
const FIRST = new Set(['\x1b[H', '\x1bOH', '\x1b[1~', 'g']);
const LAST = new Set(['\x1b[F', '\x1bOF', '\x1b[4~', 'G']);

export interface RailWalkOptions {
  /** Places of this moment; members come and go. */
  readonly places: () => readonly RailPlace[];
  readonly go: (place: RailPlace) => void;
}

export class RailWalk implements Panel {
  readonly #options: RailWalkOptions;
  #key: string | undefined;
  /** Last index of a place that is gone. */
  #index = 0;

  /** @param key of the place where it begins */
  constructor(options: RailWalkOptions, key: string | undefined) {
    this.#options = options;
    this.#key = key;
  }

  /** Key of the place that Enter goes to; undefined if the rail is empty. */
  get key(): string | undefined {
    return this.#place?.key;
  }

  get status(): StatusLine {
    const place = this.#place;
    const left = place === undefined ? ' The rail is empty.' : ` Go to ${place.name}`;
    return { left, right: '↑ ↓ │ Enter: go │ Esc: stay ', shortRight: 'Esc ', look: 'message' };
  }

  overlay(): readonly string[] {
    return [];
  }

  take(key: string): boolean {
    const place = this.#place;
    const last = this.#options.places().length - 1;
    if (UP.has(key)) this.#move(this.#index - 1);
    else if (DOWN.has(key)) this.#move(this.#index + 1);
    else if (FIRST.has(key)) this.#move(0);
    else if (LAST.has(key)) this.#move(last);
    else if (key === '\r' || key === '\n') {
      if (place !== undefined) this.#options.go(place);
      return true;
    } else return CANCELLING_KEYS.has(key) || key === 'q';
    return false;
  }

  get #place(): RailPlace | undefined {
    const places = this.#options.places();
    const found = places.findIndex(({ key }) => key === this.#key);
    this.#index = found < 0 ? Math.max(0, Math.min(this.#index, places.length - 1)) : found;
    const place = places[this.#index];
    this.#key = place?.key;
    return place;
  }

  #move(index: number): void {
    const places = this.#options.places();
    this.#index = Math.max(0, Math.min(index, places.length - 1));
    this.#key = places[this.#index]?.key;
  }
}
