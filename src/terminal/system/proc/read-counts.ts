/** How much the program in front has read since a moment, by the counts of the kernel. */
import { innermostForeground } from './foreground.js';
import { bytesRead } from './progress-since-input.js';

export class ReadCounts {
  /** By process, of those that could be the reader. */
  readonly #before: ReadonlyMap<number, number>;

  /**
   * Call it before the input is written. It walks through the processes of the terminal, in a millisecond or so.
   *
   * @param leader the process that leads the terminal's session @param device path of the terminal
   */
  constructor(leader: number, device: string) {
    const readers = new Set(innermostForeground(leader, device).threads.map(({ pid }) => pid));
    const counts = Array.from(readers, (pid) => [pid, bytesRead(pid)] as const);
    this.#before = new Map(counts.filter((entry): entry is [number, number] => entry[1] !== undefined));
  }

  /**
   * The most that one of them has read since then, from any file. Undefined if none can be counted (any more): without
   * /proc, of another user, ended.
   */
  get bytes(): number | undefined {
    let most: number | undefined;
    for (const [pid, before] of this.#before) {
      const now = bytesRead(pid);
      if (now !== undefined) most = Math.max(most ?? 0, now - before);
    }
    return most;
  }
}
