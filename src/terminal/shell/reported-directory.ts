/**
 * When the directory that a shell reports is passed on. bash and zsh report it at their prompt, fish 4 and other hooks
 * within the command that changes it, just before its end: the notice is kept until that end, so that the order is the
 * same for all. Only for a while: the reporter may be a program that goes on.
 */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';

/** How long the end of a command may be on its way on a busy machine. */
const END_LIMIT_MS = 1000;

export class ReportedDirectory<Notice> implements Disposable {
  readonly #clock: Clock;
  readonly #pass: (notice: Notice) => void;
  #kept: { notice: Notice; readonly timer: Disposable } | undefined;

  constructor(clock: Clock, pass: (notice: Notice) => void) {
    this.#clock = clock;
    this.#pass = pass;
  }

  onNotice(notice: Notice, { isRunning }: { isRunning: boolean }): void {
    if (!isRunning) {
      this.flush();
      this.#pass(notice);
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
    this.#pass(kept.notice);
  }

  dispose(): void {
    this.#kept?.timer.dispose();
    this.#kept = undefined;
  }
}
