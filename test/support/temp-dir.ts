/** A directory of a test's or a file's own, removed when that is over. Its path is short enough for any socket's. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AtEnd } from './of-file.js';

export interface TempDir {
  readonly path: string;
  readonly socketPath: string;
  readonly join: (...names: string[]) => string;
}

export function tempDir(atEnd: AtEnd = onTestFinished): TempDir {
  // Not os.tmpdir(): TMPDIR may be long, and a socket's path has at most 103 bytes on macOS.
  const path = mkdtempSync('/tmp/t4a-test-');
  // What a program that is ending still writes is removed by the next try.
  atEnd(() => rmSync(path, { recursive: true, force: true, maxRetries: 20 }));
  return { path, socketPath: join(path, 's'), join: (...names) => join(path, ...names) };
}
