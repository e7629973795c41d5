/** Text to an agent as its turn, by the command `deliver`: `submitted` has a proof. `sent` says that Enter went out, and nothing more. */
import type { Client } from '../client/client.js';
import { systemClock } from '../base/clock.js';
import { isT4aError } from '../protocol/errors.js';
import type { Reply } from '../protocol/registry.js';
import type { Delivery, DeliveryOptions, DeliveryOutcome } from './delivery.js';

const TIMEOUT_MS = 30_000;

export async function deliver(
  client: Client,
  id: string,
  text: string,
  options: DeliveryOptions = {},
): Promise<Delivery> {
  const { timeoutMs = TIMEOUT_MS, composer, signal, waits = false } = options;
  const within = signal === undefined ? {} : { signal };
  const deadlineMs = systemClock.now() + timeoutMs;
  try {
    if (composer !== undefined) {
      const until = { regex: composer };
      await client.call('wait', { id, until, timeout_ms: timeoutMs, tail: 0 }, within);
    }
    const leftMs = Math.max(1, Math.ceil(deadlineMs - systemClock.now()));
    const onQuestion = waits ? 'wait' : 'fail';
    return deliveryOf(await client.call('deliver', { id, text, timeout_ms: leftMs, on_question: onQuestion }, within));
  } catch (error) {
    const outcome = isT4aError(error) ? ENDS[error.code] : undefined;
    if (outcome === undefined) throw error;
    const tail = outcome === 'exited' ? await lastLinesOf(client, id, within) : [];
    return { outcome, pasted: false, entered: false, whileWorking: false, question: undefined, tail };
  }
}

/** What a program that has ended before the call has printed last. None if its terminal has gone, too. */
async function lastLinesOf(client: Client, id: string, within: { signal?: AbortSignal }): Promise<readonly string[]> {
  try {
    return (await client.call('wait', { id, until: { event: 'exit' }, timeout_ms: 5000 }, within)).tail ?? [];
  } catch (error) {
    if (isT4aError(error)) return [];
    throw error;
  }
}

function deliveryOf(receipt: Reply<'deliver'>): Delivery {
  const { outcome, delivered, written, question, tail, while_working: whileWorking } = receipt;
  // Without a rule for its box Enter goes out once, and nothing can prove more.
  const isUnproved = outcome === 'not_submitted' && delivered.tries === 1;
  return {
    outcome: isUnproved ? 'sent' : outcome,
    pasted: written && delivered.submitted_ms === null,
    entered: delivered.submitted_ms !== null,
    whileWorking: whileWorking === true,
    question,
    tail,
  };
}

const ENDS: Readonly<Record<string, DeliveryOutcome | undefined>> = {
  control_held: 'control_held',
  terminal_exited: 'exited',
  terminal_not_found: 'exited',
};
