/** `why`, or `sink LENGTH…`: what a daemon says on standard error, lines of so many bytes. */
import { reportStartFailure, stderrSink } from '../../../src/daemon/log-file.js';

const [what, ...lengths] = process.argv.slice(2);
if (what === 'why') reportStartFailure('why\n');
else {
  const sink = stderrSink();
  for (const [i, length] of lengths.entries()) sink(`${String(i).repeat(Number(length) - 1)}\n`);
}
