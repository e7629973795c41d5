/**
 * A turn of a command that reads: it waits if requested, then reads and observes in the very instant in which the wait
 * ended. What is true already counts, unless the wait is `fresh`.
 */
import type { Call } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import type { Terminal } from '../terminal/terminal.js';
import { answerOf, checkObserve, type Seen, observeScreen, type TurnAnswer, type TurnParams } from './turn.js';
import { waitFirst } from './wait-first.js';

export interface Reading<T> {
  readonly value: T;
  /** The outcome of the wait and the observation, for the reply; a picture is drawn only now. */
  readonly turn: () => Promise<TurnAnswer>;
}

/** @param read in one step, without a pause @throws the error of a refused wait; the errors of `read` */
export async function readInTurn<T>(
  daemon: Daemon,
  terminal: Terminal,
  { wait, observe }: TurnParams,
  read: () => T,
  call: Call,
): Promise<Reading<T>> {
  const readAndObserve = (outcome: Seen['wait']): { value: T; seen: Seen } => ({
    value: read(),
    seen: observeScreen(terminal, observe, outcome),
  });
  const readNow = async (): Promise<{ value: T; seen: Seen }> => {
    await terminal.settle();
    return readAndObserve(undefined);
  };
  if (wait !== undefined) checkObserve(daemon, observe);
  const { value, seen } = await (wait === undefined ? readNow() : waitFirst(terminal, wait, call, readAndObserve));
  return { value, turn: () => answerOf(daemon, terminal, seen, call) };
}
