/** Whether the processes of a terminal compute, by the time of the processor that they have used between two looks. */
import type { Clock } from '../../../base/clock.js';
import { readSmallFile } from '../small-file.js';

/** The kernel counts in ticks of 10 ms, whatever it runs at. */
const TICK_MS = 10;
/** Fewer may be the end of what came before the first look. */
const FEW_TICKS = 3;
/** Idle runtimes use up to a hundredth; what computes on a busy machine gets a tenth at least. */
const LEAST_SHARE = 0.05;
/** What begins after a long rest is not measured against that. */
const LONGEST_MS = 8000;
/** In less, what computes on a busy machine may not have had its turn: that it rests is not to be seen. */
const SHORTEST_MS = 1000;

interface Look {
  readonly atMs: number;
  readonly ticks: ReadonlyMap<number, number>;
}

export class ProcessorUse {
  readonly #clock: Clock;
  #first: Look | undefined;
  #last: Look | undefined;
  #wasUsed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The next look is the first one. */
  restart(): void {
    this.#first = undefined;
    this.#last = undefined;
    this.#wasUsed = false;
  }

  /** The last look is the first one. */
  restartAtLastLook(): void {
    this.#first = this.#last;
  }

  /** Looks at them, in some 20 µs for each. @returns whether they have computed since the first look */
  isUsed(processes: readonly number[]): boolean {
    const atMs = this.#clock.now();
    const ticks = new Map<number, number>();
    for (const pid of processes) {
      const used = usedTicks(pid);
      if (used !== undefined) ticks.set(pid, used);
    }
    this.#last = { atMs, ticks };
    this.#first ??= this.#last;
    const { atMs: sinceMs, ticks: before } = this.#first;
    const elapsedMs = atMs - sinceMs;
    let grown = 0;
    for (const [pid, used] of ticks) grown += used - (before.get(pid) ?? 0);
    if (elapsedMs > LONGEST_MS) this.#first = this.#last;
    const isUsed = grown >= FEW_TICKS && grown * TICK_MS >= LEAST_SHARE * elapsedMs;
    this.#wasUsed = isUsed || (this.#wasUsed && elapsedMs < SHORTEST_MS);
    return this.#wasUsed;
  }
}

/** Of all of its threads, and of the children that it has waited for. Undefined if it is gone. */
function usedTicks(pid: number): number | undefined {
  const line = readSmallFile(`/proc/${pid}/stat`);
  if (line === undefined) return undefined;
  // proc_pid_stat(5): utime, stime, cutime and cstime are the fields 14 to 17; the third follows the name in parentheses.
  const used = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ', 15)
    .slice(11);
  return used.reduce((sum, ticks) => sum + Number(ticks), 0);
}
