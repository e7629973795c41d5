/** Where the daemon's log goes: standard error, kept small when that is a file beside the socket. */
import { fstatSync, ftruncateSync, writeSync } from 'node:fs';
import type { LogSink } from '../base/log.js';

const STDERR = 2;
/** Some ten thousand entries: days of ordinary service. */
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

/** Undefined where standard error is no plain file. */
function fileSize(): number | undefined {
  try {
    const stat = fstatSync(STDERR);
    return stat.isFile() ? stat.size : undefined;
  } catch {
    return undefined;
  }
}
