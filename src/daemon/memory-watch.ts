/** Says in the log when memory gets short, and when it no longer is: before `create` is refused for it. */
import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/lifetime.js';
import type { Log } from '../base/log.js';
import type { MemoryFigures } from './memory.js';

const INTERVAL_MS = 5000;

export class MemoryWatch implements Disposable {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #figures: () => MemoryFigures;
  #pressure: MemoryFigures['pressure'] = 'none';
  #timer: Disposable | undefined;

  constructor(clock: Clock, log: Log, figures: () => MemoryFigures) {
    this.#clock = clock;
    this.#log = log;
    this.#figures = figures;
    this.#arm();
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #arm(): void {
    this.#timer = this.#clock.after(INTERVAL_MS, () => {
      this.#look();
      this.#arm();
    });
  }

  #look(): void {
    const { pressure, rss, limit, heap_used: heapUsed, heap_limit: heapLimit } = this.#figures();
    if (pressure === this.#pressure) return;
    this.#pressure = pressure;
    const figures = `${mega(rss)} of ${mega(limit)} MB resident, ${mega(heapUsed)} of ${mega(heapLimit)} MB of heap`;
    if (pressure === 'none') this.#log.info(`memory is not short any more: ${figures}`);
    else this.#log.warn(`memory pressure is ${pressure}: ${figures}; "t4a stats --terminals" tells where it is`);
  }
}

function mega(bytes: number): number {
  return Math.round(bytes / 1e6);
}
