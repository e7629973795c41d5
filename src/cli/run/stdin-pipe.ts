/** The caller's standard input as that of a program of the daemon: through a FIFO in a directory of its own, 0700. */
import { constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import path from 'node:path';
import { errnoOf } from '../../base/errno.js';
import type { Disposable } from '../../base/lifetime.js';
import type { Host } from '../host.js';
import { readable } from '../prepare/stdin.js';
import { T4aError } from '../../protocol/errors.js';

/** Between two looks whether the program has opened its end: opening the FIFO to wait for it would block a thread. */
const OPEN_AGAIN_MS = 5;

/** Its modules of Node are loaded when they are used, so that no other command pays for them. */
export class StdinPipe implements Disposable {
  readonly path: string;
  readonly #dir: string;
  #disposed = false;

  /** @throws T4aError usage if there can be no FIFO */
  constructor(env: Host['env']) {
    this.#dir = newDirectory(env);
    this.path = path.join(this.#dir, 'stdin');
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const made = spawnSync('mkfifo', ['-m', '600', this.path], { encoding: 'utf8' });
    if (made.status === 0) return;
    this.dispose();
    throw noFifo((made.error?.message ?? made.stderr).trim());
  }

  /** Settles once all has been passed on, or the program reads no more. */
  async feed(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const pipe = await this.#open();
    if (pipe === undefined) return;
    let isClosed = false;
    // A program that ends without having read everything is no failure.
    pipe.on('error', () => {});
    pipe.once('close', () => (isClosed = true));
    try {
      for await (const chunk of readable(chunks)) {
        if (!pipe.write(chunk))
          await new Promise<void>((resolve) => void pipe.once('drain', resolve).once('close', resolve));
        if (isClosed) return;
      }
    } finally {
      // Also of what cannot be read: the program reads to its end.
      pipe.end();
    }
  }

  dispose(): void {
    this.#disposed = true;
    rmSync(this.#dir, { recursive: true, force: true });
  }

  /** Undefined if it is disposed before the program has opened its end. */
  async #open(): Promise<Socket | undefined> {
    while (!this.#disposed) {
      try {
        const fd = openSync(this.path, constants.O_WRONLY | constants.O_NONBLOCK);
        return new Socket({ fd, readable: false, writable: true });
      } catch (error) {
        if (errnoOf(error) !== 'ENXIO') return undefined;
        await process.getBuiltinModule('node:timers/promises').setTimeout(OPEN_AGAIN_MS);
      }
    }
    return undefined;
  }
}

function newDirectory(env: Host['env']): string {
  try {
    // As Node chooses it, of the caller.
    return mkdtempSync(path.join(env['TMPDIR'] || env['TMP'] || env['TEMP'] || '/tmp', 't4a-run-'));
  } catch (error) {
    throw noFifo((error as Error).message);
  }
}

function noFifo(reason: string): T4aError {
  return new T4aError('usage', `No FIFO can be made for --stdin: ${reason}`, {
    hint: 'TMPDIR has to be a directory where files can be made.',
  });
}
