/** The memory governor's view of a terminal: how much it holds, and ways to reduce that. */
import type { ByteTail } from '../base/tail.js';
import type { Screen } from '../vt/screen.js';
import { forgetBlocks } from '../vt/block-cache.js';
import type { MemoryHolder } from './system/memory-holder.js';
import type { PtyPart } from './pty/pty.js';

/** Below this many lines the whole scrollback is dropped. */
const WORTH_KEEPING_LINES = 100;

export class TerminalMemory implements MemoryHolder {
  readonly id: string;
  readonly #screen: Screen;
  readonly #pty: PtyPart;
  readonly #output: ByteTail;
  #historyBytes = (): number => 0;

  constructor(id: string, screen: Screen, pty: PtyPart, output: ByteTail) {
    this.#output = output;
    this.id = id;
    this.#screen = screen;
    this.#pty = pty;
  }

  get parsedBytes(): number {
    return this.#screen.parsedBytes;
  }

  get scrollbackLines(): number {
    return this.#screen.normalScrollbackLines;
  }

  get scrollbackLimit(): number {
    return this.#screen.scrollbackLimit;
  }

  get outputPaused(): boolean {
    return this.#pty.paused;
  }

  weigh(): number {
    return this.#screen.weigh() + this.#output.allocatedBytes + this.#historyBytes();
  }

  /** Of a terminal that has a history. */
  countHistory(bytes: () => number): void {
    this.#historyBytes = bytes;
  }

  halveScrollback(): number {
    if (this.scrollbackLines === 0) return 0;
    const half = Math.floor(this.scrollbackLines / 2);
    forgetBlocks(this.#screen);
    return this.#screen.limitScrollback(half < WORTH_KEEPING_LINES ? 0 : half);
  }

  pauseOutput(): void {
    this.#pty.paused = true;
    this.#screen.limitScrollback(this.scrollbackLines);
  }

  resumeOutput(): void {
    this.#pty.paused = false;
  }

  /** While true, little more output is read, and the program soon blocks in its writes. */
  holdBack(on: boolean): void {
    this.#pty.holdBack(on);
  }
}
