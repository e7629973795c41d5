/** Entry of the reader thread: one for all PTYs, so that reading, which waits for the kernel, overlaps with parsing. */
import { parentPort } from 'node:worker_threads';
import { PtyReader } from './pty-reader.js';
import type { ReaderReport, ReaderRequest } from './pty-reader-messages.js';

const readers = new Map<number, PtyReader>();

function report(message: ReaderReport, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}

parentPort?.on('message', (request: ReaderRequest) => {
  const { pty } = request;
  switch (request.kind) {
    case 'open':
      readers.set(
        pty,
        new PtyReader(request.fd, request.windowBytes, (bytes) => report({ kind: 'data', pty, bytes }, [bytes.buffer])),
      );
      break;
    case 'acknowledge':
      readers.get(pty)?.acknowledge(request.bytes);
      break;
    case 'finish':
      readers.get(pty)?.finish();
      readers.delete(pty);
      report({ kind: 'finished', pty });
      break;
  }
});
