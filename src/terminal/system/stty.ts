/**
 * Runs `stty` in one helper process that lives as long as the daemon: starting a program copies the page tables of the
 * parent, which for a daemon with many screens is tens of milliseconds in which nothing else happens.
 *
 * One question at a time; equal questions share one answer; and with many waiting it rests three times as long as it
 * worked, since watching fifty terminals must not use up a processor.
 */
import type { Disposable } from '../../base/lifetime.js';
import { SttyProcess } from './stty-process.js';

export type SttyFormat = '-a' | '-g';

const REST_FACTOR = 3;
const MAX_REST_MS = 50;

export class Stty implements Disposable {
  #helper: SttyProcess | undefined;
  readonly #pending = new Map<string, Promise<string | undefined>>();
  #last: Promise<unknown> = Promise.resolve();
  #disposed = false;

  /** @param device path of the slave side @returns undefined if the device or stty is missing */
  ask(format: SttyFormat, device: string): Promise<string | undefined> {
    const question = `${process.platform === 'linux' ? '-F' : '-f'} ${device} ${format}`;
    const asked = this.#pending.get(question);
    if (asked !== undefined) return asked;
    const answer = this.#last.then(() => {
      // From here on the answer may be older than another question like it.
      this.#pending.delete(question);
      return this.#ask(question);
    });
    this.#pending.set(question, answer);
    const startMs = performance.now();
    this.#last = answer.then(() => (this.#pending.size > 0 ? rest(performance.now() - startMs) : undefined));
    return answer;
  }

  /** Ends the process. Later questions have no answer. */
  dispose(): void {
    this.#disposed = true;
    this.#helper?.dispose();
  }

  async #ask(question: string): Promise<string | undefined> {
    if (this.#disposed) return undefined;
    try {
      if (this.#helper === undefined || this.#helper.ended) this.#helper = new SttyProcess();
      return await this.#helper.ask(question);
    } catch {
      // The system has no process or descriptor left for the helper.
      return undefined;
    }
  }
}

function rest(workedMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.min(workedMs * REST_FACTOR, MAX_REST_MS)).unref();
  });
}
