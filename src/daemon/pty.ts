/**
 * One pseudoterminal and the process in it: the only file that knows node-pty.
 *
 * It uses that package's native part and reads the master side itself, for one reason: no byte may be lost at the end.
 * libuv takes a hang-up on a descriptor as the end of the stream when its last read was short, and a PTY gives at most
 * 4 KB a read, so whatever the kernel still held was gone. Here the slave side is held open until the process has been
 * reaped; then the rest is read synchronously until the kernel says that there is no more (EAGAIN, which Linux answers
 * only after it has flushed its own buffers), and only then is the slave closed.
 */
import { constants, closeSync, existsSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ReadStream } from 'node:tty';
import { Emitter } from '../base/emitter.js';
import { type Abandonable, PtyWriter } from './pty-writer.js';

export interface PtyOptions {
  /** Absolute path of the program. */
  readonly file: string;
  /** Arguments after the program's own name. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cols: number;
  readonly rows: number;
}

export interface PtyExit {
  /** Exit code; null when a signal ended the process. */
  readonly code: number | null;
  /** Signal number; null when the process ended by itself. */
  readonly signal: number | null;
}

/** The kernel holds at most about 70 KB of a dead process; more can only come from others that go on printing. */
const MAX_DRAIN_BYTES = 1024 * 1024;

/** A millisecond each: the kernel holds 68 KB of input and hands on 4 KB at a time. */
const DISCARD_ROUNDS = 30;

export class Pty {
  readonly pid: number;
  /** Path of the slave device, for example /dev/pts/3. */
  readonly device: string;
  readonly onData = new Emitter<Uint8Array>();
  /** After the last `onData`. */
  readonly onExit = new Emitter<PtyExit>();
  readonly #fd: number;
  readonly #stream: ReadStream;
  readonly #writer: PtyWriter;
  #slaveFd: number | undefined;
  #closed = false;

  /** @throws Error when the system refuses a PTY or a process */
  constructor(options: PtyOptions) {
    const { native, helperPath } = loadNative();
    const child = native.fork(
      options.file,
      [...options.args],
      Object.entries(options.env).map(([name, value]) => `${name}=${value}`),
      options.cwd,
      options.cols,
      options.rows,
      -1,
      -1,
      true,
      helperPath,
      (code, signal) => this.#reaped({ code: signal > 0 ? null : code, signal: signal > 0 ? signal : null }),
    );
    this.pid = child.pid;
    this.device = child.pty;
    this.#fd = child.fd;
    this.#slaveFd = openSlave(child.pty);
    // Half-open, so that an early end of the stream does not close the descriptor that the drain still reads.
    this.#stream = new ReadStream(child.fd, { allowHalfOpen: true });
    this.#stream.on('data', (chunk: Buffer) => this.onData.emit(chunk));
    // EIO is how a PTY without a slave says "end"; the process's exit is told by its reaping, not by this.
    this.#stream.on('error', () => {});
    this.#writer = new PtyWriter(child.fd);
  }

  get closed(): boolean {
    return this.#closed;
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    if (!this.#closed) this.#stream.resume();
  }

  /** Bytes accepted but not yet taken by the kernel. */
  get pendingInputBytes(): number {
    return this.#writer.pendingBytes;
  }

  /**
   * Resolves once the kernel has all of `bytes`.
   * @throws InputBlockedError when the program does not read and the kernel's buffer stays full
   * @throws InputInterruptedError when it may be abandoned and an interrupt came
   */
  write(bytes: Uint8Array, abandonable?: Abandonable): Promise<void> {
    return this.#writer.write(bytes, abandonable);
  }

  /** Before everything that is queued, which is given up where it may be. */
  interrupt(bytes: Uint8Array): Promise<void> {
    return this.#writer.interrupt(bytes);
  }

  /** Gives up what is queued and may be given up. */
  abandonInput(): void {
    this.#writer.abandon();
  }

  /**
   * Takes back what the kernel holds for a program that does not read: whole lines in cooked mode, else everything. The
   * kernel does the same when it acts on Ctrl+C, but it cannot see that one behind a full buffer.
   */
  async discardKernelInput(): Promise<void> {
    let fd: number;
    try {
      fd = openSync(this.device, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
    } catch {
      return; // ENOENT, EIO: the terminal is going.
    }
    try {
      // The kernel moves input on from one buffer to the next behind our back: once empty is not yet empty.
      for (let round = 0; round < DISCARD_ROUNDS; round++) {
        readToEnd(fd);
        await new Promise((resolve) => {
          setTimeout(resolve, 1);
        });
      }
    } finally {
      closeSync(fd);
    }
  }

  resize(cols: number, rows: number, pixels: { width: number; height: number }): void {
    if (!this.#closed) loadNative().native.resize(this.#fd, cols, rows, pixels.width, pixels.height);
  }

  /** Name of the foreground process as the system tells it, where /proc does not. */
  foregroundName(): string | undefined {
    return this.#closed ? undefined : loadNative().native.process(this.#fd, this.device);
  }

  #reaped(exit: PtyExit): void {
    this.#stream.pause();
    this.#drain();
    this.#closed = true;
    this.#writer.dispose();
    if (this.#slaveFd !== undefined) closeSync(this.#slaveFd);
    this.#slaveFd = undefined;
    this.#stream.removeAllListeners('data');
    this.#stream.destroy();
    this.onExit.emit(exit);
  }

  #drain(): void {
    // What the paused stream has read ahead comes first.
    for (let ahead = this.#stream.read(); ahead !== null; ahead = this.#stream.read()) {
      // `read` also emits `data`, which has delivered it.
      void ahead;
    }
    const buffer = Buffer.allocUnsafe(64 * 1024);
    for (let total = 0; total < MAX_DRAIN_BYTES;) {
      let count: number;
      try {
        count = readSync(this.#fd, buffer, 0, buffer.length, null);
      } catch {
        return; // EAGAIN: nothing left. EIO: nothing left, and nobody holds the slave.
      }
      if (count === 0) return;
      total += count;
      this.onData.emit(Buffer.from(buffer.subarray(0, count)));
    }
  }
}

/** Reads until the kernel has nothing more at once. */
function readToEnd(fd: number): void {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  try {
    for (let total = 0; total < MAX_DRAIN_BYTES;)
      total += readSync(fd, buffer, 0, buffer.length, null) || MAX_DRAIN_BYTES;
  } catch {
    // EAGAIN: nothing left. EIO: nobody holds the other side.
  }
}

/** Absent where the device cannot be opened: the end of the output is then as safe as the platform makes it. */
function openSlave(device: string): number | undefined {
  try {
    return openSync(device, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}

/** The native part of node-pty 1.2.0-beta.15, which is pinned exactly because this surface is not declared stable. */
interface NativePty {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, cols: number, rows: number, widthPixels: number, heightPixels: number): void;
  process(fd: number, device: string): string | undefined;
}

let loaded: { native: NativePty; helperPath: string } | undefined;

/** Loaded by the first terminal, not by the daemon's start. */
function loadNative(): { native: NativePty; helperPath: string } {
  if (loaded !== undefined) return loaded;
  const require = createRequire(import.meta.url);
  const { native } = require('node-pty') as { native: NativePty };
  const root = path.dirname(require.resolve('node-pty/package.json'));
  const candidates = ['build/Release', `prebuilds/${process.platform}-${process.arch}`];
  // Only macOS spawns through the helper; elsewhere the path is passed on and ignored.
  const helpers = candidates.map((folder) => path.join(root, folder, 'spawn-helper'));
  loaded = { native, helperPath: helpers.find((file) => existsSync(file)) ?? helpers[0] ?? '' };
  return loaded;
}
