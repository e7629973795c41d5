/**
 * Whether the foreground program has run since input was sent to it, and has read the answers to its queries. Input
 * passes through a queue of the kernel: on a busy machine the reader may still appear asleep in the read that the input
 * is about to end.
 */
import { readFileSync } from 'node:fs';
import type { Clock } from '../../../base/clock.js';
import { readStat } from '../processes.js';
import { threadStatus } from './thread-status.js';

/** Input that wakes no process (half a line, in canonical mode) counts as delivered after this. */
const DELIVERY_LIMIT_MS = 500;

interface SwitchCounts {
  /** By process. */
  readonly switches: ReadonlyMap<number, number>;
  readonly atMs: number;
}

interface Answered {
  readonly pid: number;
  /** Its total of read bytes once it has read the answers. */
  readonly bytesRead: number;
  readonly atMs: number;
}

export class ProgressSinceInput {
  readonly #leader: number;
  readonly #clock: Clock;
  #baseline: SwitchCounts | undefined;
  #answered: Answered | undefined;
  /** The process that was last found waiting: it need not lead its group. */
  #lastFound: number | undefined;

  /** @param leader the process that leads the terminal's session */
  constructor(leader: number, clock: Clock) {
    this.#leader = leader;
    this.#clock = clock;
  }

  /** Call it before input is written: it reads a few small files of /proc, in some 50 µs. */
  onInput(): void {
    const leader = readStat(this.#leader)?.foregroundGroup ?? 0;
    const switches = new Map<number, number>();
    for (const pid of new Set([leader, this.#lastFound ?? 0])) {
      const count = pid > 0 ? threadStatus(pid, pid)?.switches : undefined;
      if (count !== undefined) switches.set(pid, count);
    }
    this.#baseline = { switches, atMs: this.#clock.now() };
  }

  /**
   * Call it before answers are written. A program that asks may run on until then, and be seen asleep afterwards: a
   * shell that asks at its prompt reads typed-ahead input only after that.
   */
  onAnswers(bytes: number): void {
    this.onInput();
    const pid = readStat(this.#leader)?.foregroundGroup ?? 0;
    const before = bytesRead(pid);
    const due = this.#answered?.pid === pid ? this.#answered.bytesRead : 0;
    const atMs = this.#clock.now();
    this.#answered = before === undefined ? undefined : { pid, bytesRead: Math.max(before, due) + bytes, atMs };
  }

  /**
   * False while the process has not run since the input. Only the leader of the foreground group and the last waiting
   * process are tracked.
   */
  hasRun(pid: number): boolean {
    if (this.#awaitsAnswers(pid)) return false;
    const before = this.#baseline?.switches.get(pid);
    if (this.#baseline === undefined || before === undefined) return true;
    if (this.#clock.now() - this.#baseline.atMs >= DELIVERY_LIMIT_MS) return true;
    return threadStatus(pid, pid)?.switches !== before;
  }

  onFound(pid: number): void {
    this.#lastFound = pid;
  }

  #awaitsAnswers(pid: number): boolean {
    if (this.#answered?.pid !== pid) return false;
    const isOver =
      this.#clock.now() - this.#answered.atMs >= DELIVERY_LIMIT_MS ||
      (bytesRead(pid) ?? Infinity) >= this.#answered.bytesRead;
    if (isOver) this.#answered = undefined;
    return !isOver;
  }
}

/**
 * Bytes that a process has read, from any file: /proc/PID/io (proc_pid_io(5)). Undefined if the process is gone or
 * another user's, and if the kernel does not count.
 */
export function bytesRead(pid: number): number | undefined {
  let counts: string;
  try {
    counts = readFileSync(`/proc/${pid}/io`, 'latin1');
  } catch {
    return undefined;
  }
  const [, count] = /^rchar: (\d+)$/m.exec(counts) ?? [];
  return count === undefined ? undefined : Number(count);
}
