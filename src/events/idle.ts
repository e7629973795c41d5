/**
 * Silence as an event: `idle` after `timeoutMs` without bytes, `activity` when bytes arrive again. Bytes count whether
 * or not they change the screen; changes of the screen are the settled detector's concern.
 */
import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/lifetime.js';

export interface IdleDetectorOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly onIdle: (afterMs: number) => void;
  readonly onActivity: () => void;
}

/** `quiet`: nothing was ever printed, so neither silence nor its end is reported. */
type IdleState = 'quiet' | 'active' | 'idle';

export interface FrozenIdle {
  readonly state: IdleState;
  /** Since the last bytes. */
  readonly silentMs: number;
  readonly timeoutMs: number;
}

export class IdleDetector implements Disposable {
  readonly #clock: Clock;
  readonly #onIdle: (afterMs: number) => void;
  readonly #onActivity: () => void;
  readonly #createdAtMs: number;
  #timeoutMs: number;
  #state: IdleState = 'quiet';
  #lastBytesAtMs: number;
  #timer: Disposable | undefined;
  #disposed = false;

  constructor({ clock, timeoutMs, onIdle, onActivity }: IdleDetectorOptions) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#onIdle = onIdle;
    this.#onActivity = onActivity;
    this.#createdAtMs = clock.now();
    this.#lastBytesAtMs = this.#createdAtMs;
  }

  /** To be restored in another process, whose clock differs. */
  freeze(): FrozenIdle {
    return { state: this.#state, silentMs: this.idleForMs, timeoutMs: this.#timeoutMs };
  }

  restore({ state, silentMs, timeoutMs }: FrozenIdle): void {
    this.#state = state;
    this.#lastBytesAtMs = this.#clock.now() - silentMs;
    this.#timeoutMs = timeoutMs;
    this.#timer?.dispose();
    if (state === 'active') this.#arm();
  }

  get state(): IdleState {
    return this.#state;
  }

  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  /** Length of the silence so far; before any output, since the detector was created. */
  get idleForMs(): number {
    return this.#clock.now() - this.#lastBytesAtMs;
  }

  onBytes(): void {
    if (this.#disposed) return;
    this.#lastBytesAtMs = this.#clock.now();
    const previous = this.#state;
    this.#state = 'active';
    // The running timer checks again when it is due: re-arming one per chunk would cost more than parsing it.
    this.#timer ??= this.#clock.after(this.#timeoutMs, this.#onDue);
    if (previous === 'idle') this.#onActivity();
  }

  setTimeoutMs(timeoutMs: number): void {
    this.#timeoutMs = timeoutMs;
    if (this.#state !== 'active' || this.#disposed) return;
    this.#timer?.dispose();
    this.#arm();
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #arm(): void {
    this.#timer = this.#clock.after(Math.max(0, this.#timeoutMs - this.idleForMs), this.#onDue);
  }

  readonly #onDue = (): void => {
    if (this.idleForMs < this.#timeoutMs) return this.#arm();
    this.#timer = undefined;
    this.#state = 'idle';
    this.#onIdle(this.#timeoutMs);
  };
}
