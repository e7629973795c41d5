/** The source of the thread that reads recordings; see recording/thread-program.ts. */
import { readFileSync } from 'node:fs';

/** For the daemon's sources, as tests run them. */
export function threadProgram(): string {
  return readFileSync(new URL('../../../dist/reading-thread.cjs', import.meta.url), 'utf8');
}
