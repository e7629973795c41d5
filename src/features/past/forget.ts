/** Drops a stretch of a terminal's past from memory. */
import type { Terminal } from '../../terminal/terminal.js';
import { loggedOf, placeOf } from './log-of.js';
import { forgetUnpacked } from './packer.js';
import type { MomentFacts } from './past-reads.js';
import { momentOf, oldestOf, rangeOf } from './past-states.js';

export interface Forgotten {
  readonly first: MomentFacts;
  readonly last: MomentFacts;
}

/**
 * The log forgets whole chunks, which hold more than was asked for: half a chunk could not be replayed. The last bytes of output have no
 * times, so all of them go.
 * @param from undefined is the oldest that is kept
 * @throws T4aError moment_lost, moment_unknown, revision_unknown, invalid_field
 */
export async function forget(
  terminal: Terminal,
  { from, to }: { readonly from: string | number | undefined; readonly to: string | number },
): Promise<Forgotten> {
  await terminal.settle();
  const { log, screens } = loggedOf(terminal, 'from');
  const start = from === undefined ? oldestOf(terminal) : placeOf(terminal, from, 'from');
  const end = placeOf(terminal, to, 'to');
  const chunks = rangeOf(terminal, { from: start, to: end });
  const { chunk: firstChunk } = start;
  const { chunk: lastChunk } = end;
  const forgotten = {
    first: momentOf(terminal, { ...firstChunk.start, chunk: firstChunk, end: 0 }),
    last: momentOf(terminal, { ...end, rev: lastChunk.rev, ms: lastChunk.lastMs, seq: lastChunk.seq }),
  };
  log.forget(chunks);
  screens.drop(log);
  forgetUnpacked();
  terminal.output.forget();
  terminal.seen.forget();
  return forgotten;
}
