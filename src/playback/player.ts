/**
 * Where a playback stands: the state behind the keys, without a terminal. Time is given to it, so that it goes as fast as
 * its owner says.
 */
import type { PlaybackAction } from './keys.js';
import { eventsUntil, type Recording } from './recording.js';

export const MIN_SPEED = 1 / 16;
export const MAX_SPEED = 64;

const SKIP_MS = 5000;
/** Within it, "previous marker" goes to the one before, as players do. */
const JUST_PASSED_MS = 1000;

export class Playback {
  readonly recording: Recording;
  readonly #markers: readonly number[];
  #atMs: number;
  /** Events that are shown. */
  #index: number;
  #playing = true;
  #speed: number;
  #helpShown = false;
  #left = false;

  constructor(recording: Recording, { speed, fromMs = 0 }: { readonly speed: number; readonly fromMs?: number }) {
    this.recording = recording;
    this.#speed = speed;
    this.#atMs = fromMs;
    this.#index = eventsUntil(recording, fromMs);
    this.#markers = recording.events.flatMap((event) => (event.kind === 'marker' ? [event.atMs] : []));
  }

  get atMs(): number {
    return this.#atMs;
  }

  get index(): number {
    return this.#index;
  }

  get playing(): boolean {
    return this.#playing;
  }

  get speed(): number {
    return this.#speed;
  }

  get helpShown(): boolean {
    return this.#helpShown;
  }

  get left(): boolean {
    return this.#left;
  }

  get atEnd(): boolean {
    return this.#index === this.recording.events.length && this.#atMs >= this.recording.durationMs;
  }

  /** Label of the last marker that was passed. */
  get marker(): string | undefined {
    const passed = this.recording.events.slice(0, this.#index).findLast((event) => event.kind === 'marker');
    return passed?.kind === 'marker' ? passed.label : undefined;
  }

  /** Real time until the next event; undefined while nothing moves. */
  get untilNextMs(): number | undefined {
    if (!this.#playing) return undefined;
    const nextMs = this.recording.events[this.#index]?.atMs ?? this.recording.durationMs;
    return Math.max(0, nextMs - this.#atMs) / this.#speed;
  }

  /** @param ms of real time */
  pass(ms: number): void {
    if (!this.#playing) return;
    this.#goTo(this.#atMs + ms * this.#speed);
    if (this.atEnd) this.#playing = false;
  }

  act(action: PlaybackAction): void {
    const { durationMs } = this.recording;
    switch (action) {
      case 'pause':
        if (!this.#playing && this.atEnd) this.#goTo(0);
        this.#playing = !this.#playing;
        break;
      case 'step_on':
        this.#step(1);
        break;
      case 'step_back':
        this.#step(-1);
        break;
      case 'on':
        this.#goTo(this.#atMs + SKIP_MS);
        break;
      case 'back':
        this.#goTo(this.#atMs - SKIP_MS);
        break;
      case 'start':
        this.#goTo(0);
        break;
      case 'end':
        this.#goTo(durationMs);
        break;
      case 'next_marker':
        this.#goTo(this.#markers.find((ms) => ms > this.#atMs) ?? durationMs);
        break;
      case 'previous_marker':
        this.#goTo(this.#markers.findLast((ms) => ms < this.#atMs - this.#justPassedMs) ?? 0);
        break;
      case 'faster':
        this.#speed = Math.min(MAX_SPEED, this.#speed * 2);
        break;
      case 'slower':
        this.#speed = Math.max(MIN_SPEED, this.#speed / 2);
        break;
      case 'normal_speed':
        this.#speed = 1;
        break;
      case 'help':
        this.#helpShown = !this.#helpShown;
        break;
      case 'close':
        if (this.#helpShown) this.#helpShown = false;
        else this.#left = true;
        break;
      case 'leave':
        this.#left = true;
        break;
    }
  }

  get #justPassedMs(): number {
    return this.#playing ? JUST_PASSED_MS * this.#speed : 0;
  }

  #goTo(ms: number): void {
    this.#atMs = Math.min(Math.max(0, ms), this.recording.durationMs);
    this.#index = eventsUntil(this.recording, this.#atMs);
  }

  /** To the next event that shows something, or back before the last one that did. */
  #step(direction: 1 | -1): void {
    this.#playing = false;
    const { events } = this.recording;
    const shows = (index: number): boolean => ['output', 'resize'].includes(events[index]?.kind ?? '');
    if (direction === 1) {
      let next = this.#index;
      while (next < events.length && !shows(next)) next++;
      this.#index = Math.min(next + 1, events.length);
    } else {
      let last = this.#index - 1;
      while (last > 0 && !shows(last)) last--;
      this.#index = Math.max(0, last);
    }
    this.#atMs = events[this.#index - 1]?.atMs ?? 0;
  }
}
