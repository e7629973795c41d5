/**
 * A turn of a command that reads: it waits if it is asked to, then reads and looks in the very instant in which the wait
 * ended. What holds already counts, unless the wait is for what comes after the request (`fresh`).
 */
import type { Call } from '../../rpc/service.js';
import type { Daemon } from '../daemon.js';
import type { Terminal } from '../terminal/terminal.js';
import { answerOf, type Look, look, type TurnAnswer, type TurnParams } from './turn.js';

export interface Reading<T> {
  readonly value: T;
  /** The outcome of the wait and what was looked at, for the reply; a picture is drawn only now. */
  readonly turn: () => Promise<TurnAnswer>;
}

/** @param read in one step, without a pause @throws what the wait is refused with; what `read` throws */
export async function readInTurn<T>(
  daemon: Daemon,
  terminal: Terminal,
  { wait, observe }: TurnParams,
  read: () => T,
  call: Call,
): Promise<Reading<T>> {
  await terminal.settle();
  const readAndLook = (outcome: Look['wait']): { value: T; seen: Look } => ({
    value: read(),
    seen: look(terminal, observe, outcome),
  });
  const { value, seen } =
    wait === undefined
      ? readAndLook(undefined)
      : await terminal.waits.start({ params: wait, signal: call.signal }, readAndLook);
  return { value, turn: () => answerOf(daemon, terminal, seen, call) };
}
