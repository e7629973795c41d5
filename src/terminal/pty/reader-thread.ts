/**
 * Entry file of the reader thread: one for all PTYs, so that reading, which waits for the kernel, overlaps with
 * parsing.
 *
 * The thread must not end by an error: libuv would close every descriptor that it reads, and the kernel would hang up
 * on every program. So each error is caught and reported.
 */
import { parentPort } from 'node:worker_threads';
import { BurstBuffers } from './burst-buffers.js';
import { MasterSource } from './output-source.js';
import { PtyReader } from './reader.js';
import type { ReaderReport, ReaderRequest } from './reader-messages.js';

const readers = new Map<number, PtyReader>();
const buffers = new BurstBuffers();

process.on('uncaughtException', (error) => report({ kind: 'fault', reason: describe(error) }));

parentPort?.on('message', (request: ReaderRequest) => {
  const { pty } = request;
  switch (request.kind) {
    case 'open': {
      const reader = new PtyReader(new MasterSource(request.fd), request.windowBytes, buffers, {
        deliver: (bytes) => report({ kind: 'data', pty, bytes }, [bytes.buffer]),
        failed: (error) => report({ kind: 'failed', pty, reason: describe(error) }),
      });
      readers.set(pty, reader);
      if (request.isHeld) reader.hold();
      reader.start();
      break;
    }
    case 'acknowledge':
      for (const buffer of request.buffers) buffers.giveBack(buffer);
      readers.get(pty)?.acknowledge(request.bytes);
      break;
    case 'catch_up':
      readers.get(pty)?.catchUp();
      report({ kind: 'caught_up', pty });
      break;
    case 'hold':
      readers.get(pty)?.hold();
      // A source that was resumed in this turn begins to read behind it, whatever came since.
      setImmediate(() => {
        const reader = readers.get(pty);
        if (reader?.isHeld === true) reader.hold();
        report({ kind: 'held', pty });
      });
      break;
    case 'resume':
      readers.get(pty)?.resume();
      break;
    case 'finish':
    case 'release':
      try {
        if (request.kind === 'finish') readers.get(pty)?.finish();
        else readers.get(pty)?.release();
      } finally {
        // Reported even if closing failed: the terminal's end must not wait for a report that never comes.
        readers.delete(pty);
        report({ kind: 'finished', pty });
      }
      break;
  }
});

function report(message: ReaderReport, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
