/** A pseudoterminal whose program can be started again once it has ended, in a new one, unseen by those that use it. */
import { Emitter } from '../../base/emitter.js';
import { FIRST_WINDOW_BYTES } from './output-window.js';
import { type AdoptedPty, Pty, type PtyExit, type PtyOptions, type PtyPart } from './pty.js';
import type { PtyReaders } from './readers.js';
import type { Abandonable } from './writer.js';

export class RenewablePty implements PtyPart {
  readonly onData = new Emitter<Uint8Array>();
  readonly onExit = new Emitter<PtyExit>();
  readonly #options: PtyOptions;
  readonly #readers: PtyReaders;
  #pty: Pty;
  #heldBack = false;
  /** Bytes to be acknowledged that it did not deliver. */
  #foreignBytes = 0;

  /**
   * @param adopted in place of one that it opens, and bytes of its output that were read before
   * @throws Error if the system refuses a PTY or a process
   */
  constructor(
    options: PtyOptions,
    readers: PtyReaders,
    adopted?: { readonly pty: AdoptedPty; readonly readBytes: number },
  ) {
    this.#options = options;
    this.#readers = readers;
    this.#foreignBytes = adopted?.readBytes ?? 0;
    this.#pty = this.#start(options, adopted?.pty);
  }

  /** Of the present master. */
  get fd(): number {
    return this.#pty.fd;
  }

  hold(): Promise<void> {
    return this.#pty.hold();
  }

  resume(): void {
    this.#pty.resume();
  }

  release(): void {
    this.#pty.release();
  }

  /**
   * Starts the program again. The last one must have ended.
   * @param foreignBytes the first bytes that will be acknowledged are not its
   * @throws Error if the system refuses
   */
  renew(cols: number, rows: number, foreignBytes: number): void {
    const { paused } = this.#pty;
    this.#pty = this.#start({ ...this.#options, cols, rows });
    this.#foreignBytes = foreignBytes;
    this.#pty.paused = paused;
    this.#pty.holdBack(this.#heldBack);
  }

  #start(options: PtyOptions, adopted?: AdoptedPty): Pty {
    const pty = new Pty({ firstWindowBytes: FIRST_WINDOW_BYTES, ...options }, this.#readers, adopted);
    pty.onData.on((bytes) => this.onData.emit(bytes));
    pty.onExit.on((exit) => this.onExit.emit(exit));
    return pty;
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get device(): string {
    return this.#pty.device;
  }

  get closed(): boolean {
    return this.#pty.closed;
  }

  acknowledge(bytes: number): void {
    const own = Math.max(0, bytes - this.#foreignBytes);
    this.#foreignBytes -= bytes - own;
    this.#pty.acknowledge(own);
  }

  catchUp(): Promise<void> {
    return this.#pty.catchUp();
  }

  get paused(): boolean {
    return this.#pty.paused;
  }

  set paused(paused: boolean) {
    this.#pty.paused = paused;
  }

  holdBack(on: boolean): void {
    this.#heldBack = on;
    this.#pty.holdBack(on);
  }

  get pendingInputBytes(): number {
    return this.#pty.pendingInputBytes;
  }

  write(bytes: Uint8Array, abandonable?: Abandonable): Promise<void> {
    return this.#pty.write(bytes, abandonable);
  }

  interrupt(bytes: Uint8Array): Promise<void> {
    return this.#pty.interrupt(bytes);
  }

  abandonInput(): void {
    this.#pty.abandonInput();
  }

  resize(cols: number, rows: number, pixels: { width: number; height: number }): void {
    this.#pty.resize(cols, rows, pixels);
  }

  hangUp(): void {
    this.#pty.hangUp();
  }
}
