/**
 * A turn of a command that reads: it waits if requested, then reads and observes in the very instant in which the wait
 * ended. What is true already counts, unless the wait is `fresh`.
 */
import type { Call } from '../../rpc/service.js';
import type { LookingCore } from '../pictures/looking-core.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { MomentFacts } from '../past/past-reads.js';
import type { ReadableTerminal } from '../../terminal/readable-terminal.js';
import { answerOf, checkObserve, type Seen, observeScreen, type TurnAnswer, type TurnParams } from './turn.js';
import { waitFirst } from '../../terminal/wait-first.js';

export interface Reading<T> {
  readonly value: T;
  /** The outcome of the wait and the observation, for the reply; a picture is drawn only now. */
  readonly turn: () => Promise<TurnAnswer<{ readonly at?: MomentFacts }>>;
  /** Of the past: lines above the viewport that were not rebuilt. */
  readonly lostLines?: number;
}

export interface ReadParams extends TurnParams {
  readonly at?: string | number | undefined;
}

/** What a read of the past needs beside the viewport. */
export interface PastNeeds {
  /** Lines above it. */
  readonly above?: number;
  readonly since?: string | number | undefined;
  /** The read goes on after `read` has returned. */
  readonly lasting?: boolean;
}

/** @param read in one step, without a pause @throws the error of a refused wait; the errors of `read` */
export async function readInTurn<T>(
  core: LookingCore,
  terminal: Terminal,
  { at, wait, observe }: ReadParams,
  read: (seen: ReadableTerminal) => T,
  call: Call,
  needs: PastNeeds = {},
): Promise<Reading<T>> {
  if (at !== undefined) return readAt(terminal, { at, wait, observe, ...needs }, read, call);
  const readAndObserve = (outcome: Seen['wait']): { value: T; seen: Seen } => ({
    value: read(terminal),
    seen: observeScreen(core, terminal, observe, outcome, call),
  });
  const readNow = async (): Promise<{ value: T; seen: Seen }> => {
    await terminal.settle();
    // Many that were waiting for the same output would all make their replies now.
    await call.caughtUp();
    return readAndObserve(undefined);
  };
  if (wait !== undefined) checkObserve(core, observe);
  const { value, seen } = await (wait === undefined ? readNow() : waitFirst(terminal, wait, call, readAndObserve));
  return { value, turn: () => answerOf(core, terminal, seen, call) };
}

async function readAt<T>(
  terminal: Terminal,
  { at, wait, observe, above = 0, since, lasting = false }: ReadParams & PastNeeds & { readonly at: string | number },
  read: (past: ReadableTerminal) => T,
  call: Call,
): Promise<Reading<T>> {
  const { assertPresent, readPast } = await import('../past/past-reads.js');
  assertPresent({ wait, observe });
  const past = await readPast(terminal, { at, above, since, lasting }, read, call);
  return { value: past.value, lostLines: past.lostLines, turn: async () => ({ reply: { at: past.at } }) };
}
