/**
 * A wait that comes first in its request. What is true already counts once all output that had arrived is parsed; events
 * that are published until then count, too. A `fresh` wait begins at once, as that of a command that acts does.
 */
import type { TerminalEvent } from '../protocol/events.js';
import type { WaitParams, WaitReply } from '../protocol/conditions.js';
import type { Call } from '../rpc/service.js';
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
  const published = params.fresh === true ? [] : await settleAndListen(terminal);
  return terminal.waits.start(
    { params, isFirst, signal, published, as, connection, reach: restriction?.reach },
    onOutcome,
  );
}

/** @returns the first event of each type that was published before the screen was settled */
async function settleAndListen(terminal: Terminal): Promise<TerminalEvent[]> {
  const first = new Map<TerminalEvent['event'], TerminalEvent>();
  const listening = terminal.detectors.onEvent((event) => {
    if (!first.has(event.event)) first.set(event.event, event);
  });
  await terminal.settle();
  listening.dispose();
  return [...first.values()];
}
