/**
 * The source of the thread that writes recordings. The bundled daemon has it in itself (scripts/daemon-program.mjs), as it has all that it loads
 * later: a file would be read with the first recording, and by then an update may have put that of another version in its place.
 */
import { readFileSync } from 'node:fs';

/** For the daemon's sources, as tests run them. */
export function threadProgram(): string {
  return readFileSync(new URL('../../../dist/recording-thread.cjs', import.meta.url), 'utf8');
}
