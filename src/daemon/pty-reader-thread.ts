/** Entry of the reader thread: one for all PTYs, so that reading, which waits for the kernel, overlaps with parsing. */
import { parentPort } from 'node:worker_threads';
import { PtyReader } from './pty-reader.js';
import type { ReaderReport, ReaderRequest } from './pty-reader-messages.js';

const readers = new Map<number, PtyReader>();

function report(message: ReaderReport, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transferred);
}

parentPort?.on('message', (request: ReaderRequest) => {
  const { fd } = request;
  switch (request.kind) {
    case 'open':
      readers.set(fd, new PtyReader(fd, (bytes) => report({ kind: 'data', fd, bytes }, [bytes.buffer])));
      break;
    case 'acknowledge':
      readers.get(fd)?.acknowledge(request.bytes);
      break;
    case 'finish':
      readers.get(fd)?.finish();
      readers.delete(fd);
      report({ kind: 'finished', fd });
      break;
  }
});
