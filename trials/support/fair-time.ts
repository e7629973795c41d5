/** Time that has passed for processes, without that in which they waited for a processor: beside load it goes on more slowly. */
import { readFileSync } from 'node:fs';

export class FairTime {
  readonly #pids: readonly number[];
  readonly #fromMs = performance.now();
  readonly #waitedMs: number;

  /** @param pids that take turns: none works while another one does */
  constructor(pids: readonly number[]) {
    this.#pids = pids;
    this.#waitedMs = this.#waited();
  }

  get ms(): number {
    return performance.now() - this.#fromMs - (this.#waited() - this.#waitedMs);
  }

  #waited(): number {
    return this.#pids.reduce((sum, pid) => sum + waitedMs(pid), 0);
  }
}

/** Of its main thread: sched-stats.rst has nanoseconds on a processor, and on a run queue. 0 where the kernel does not say. */
function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1] ?? 0) / 1e6;
  } catch {
    return 0; // ENOENT, ESRCH: it is gone.
  }
}
