/** Log output on standard error, truncated when it is a file and grows too large. */
import { fstatSync, ftruncateSync, writeSync } from 'node:fs';
import type { LogSink } from '../base/log.js';

const STDOUT = 1;
const STDERR = 2;
/** About ten thousand entries: days of ordinary service. */
const MAX_LOG_BYTES = 1024 * 1024;

export function stderrSink(): LogSink {
  let bytes = fileSize();
  return (line) => {
    try {
      if (bytes !== undefined && bytes > MAX_LOG_BYTES) {
        ftruncateSync(STDERR, 0);
        bytes = 0;
      }
      const written = writeSync(STDERR, line);
      if (bytes !== undefined) bytes += written;
    } catch {
      // ENOSPC, EPIPE, EAGAIN: a log that cannot be written must not end the daemon.
    }
  };
}

/**
 * Reports why the daemon does not start. If standard error takes nothing (a full disk, `ulimit -f`), the line goes to
 * standard output, which the client that starts a daemon reads.
 */
export function reportStartFailure(line: string): void {
  if (!wasWritten(STDERR, line)) wasWritten(STDOUT, line);
}

function wasWritten(fd: number, line: string): boolean {
  try {
    return writeSync(fd, line) === Buffer.byteLength(line);
  } catch {
    return false; // ENOSPC, EFBIG, EPIPE, EBADF: this stream has no reader.
  }
}

/** Undefined if standard error is not a regular file. */
function fileSize(): number | undefined {
  try {
    const stat = fstatSync(STDERR);
    return stat.isFile() ? stat.size : undefined;
  } catch {
    return undefined;
  }
}
