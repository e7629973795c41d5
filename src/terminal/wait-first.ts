/**
 * A wait that comes first in its request. What is true already counts once all output that had arrived is parsed; events
 * that are published until then count, too. A `fresh` wait begins at once, as that of a command that acts does.
 */
import type { TerminalEvent } from '../protocol/events.js';
import type { WaitParams, WaitReply } from '../protocol/conditions.js';
import type { Call } from '../rpc/service.js';
import type { Work } from '../search/work.js';
import type { Terminal } from './terminal.js';

/** @param isFirst the request has made the terminal @param onOutcome see `Waits.start` @throws T4aError too_many_waits, invalid_field, unsupported */
export async function waitFirst<T>(
  terminal: Terminal,
  params: WaitParams,
  {
    signal,
    as,
    connection,
    restriction,
  }: Pick<Call, 'signal' | 'as' | 'restriction'> & Partial<Pick<Call, 'connection'>>,
  onOutcome: (outcome: WaitReply) => T,
  isFirst = false,
): Promise<T> {
  const start = (published: readonly TerminalEvent[]): Promise<T> =>
    terminal.waits.start({ params, isFirst, signal, published, as, connection, reach: restriction?.reach }, onOutcome);
  return params.fresh === true ? start([]) : settled(terminal, start, signal);
}

/** @param start has the first event of each type that was published before it is called */
async function settled<T>(
  terminal: Terminal,
  start: (published: readonly TerminalEvent[]) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const first = new Map<TerminalEvent['event'], TerminalEvent>();
  const listening = terminal.detectors.onEvent((event) => {
    if (!first.has(event.event)) first.set(event.event, event);
  });
  try {
    await terminal.settle();
    // Many that were waiting for the same output would all arm their conditions now: they share the time of searches.
    return await terminal.detectors.work.finish(armed(), signal);
  } finally {
    listening.dispose();
  }

  // oxlint-disable-next-line require-yield -- It is short; many of them are not.
  function* armed(): Work<Promise<T>> {
    listening.dispose();
    return start([...first.values()]);
  }
}
