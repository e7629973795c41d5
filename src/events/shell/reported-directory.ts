/**
 * When a directory that a shell tells is told on. bash and zsh tell it at their prompt, fish 4 and other hooks within the
 * command that changes it, just before its end: it is kept back until that end, so that the order is the same for all.
 * Only for a while, for who tells it may be a program that goes on.
 */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';

/** How long the end of a command may be on its way on a busy machine. */
const END_LIMIT_MS = 1000;

export class ToldDirectory<Notice> implements Disposable {
  readonly #clock: Clock;
  readonly #tell: (notice: Notice) => void;
  #kept: { notice: Notice; readonly timer: Disposable } | undefined;

  constructor(clock: Clock, tell: (notice: Notice) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  onNotice(notice: Notice, { isRunning }: { isRunning: boolean }): void {
    if (!isRunning) {
      this.flush();
      this.#tell(notice);
    } else if (this.#kept === undefined) {
      this.#kept = { notice, timer: this.#clock.after(END_LIMIT_MS, () => this.flush()) };
    } else this.#kept.notice = notice;
  }

  /** A command has ended. */
  flush(): void {
    const kept = this.#kept;
    if (kept === undefined) return;
    this.#kept = undefined;
    kept.timer.dispose();
    this.#tell(kept.notice);
  }

  dispose(): void {
    this.#kept?.timer.dispose();
    this.#kept = undefined;
  }
}
