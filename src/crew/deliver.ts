/** Text to an agent as its turn, by the command `deliver`: `submitted` has a proof. `sent` says that Enter went out, and nothing more. */
import type { Client } from '../client/client.js';
import { systemClock } from '../base/clock.js';
import { isT4aError } from '../protocol/errors.js';
import type { Reply } from '../protocol/registry.js';
import type { Delivery, DeliveryOptions, DeliveryOutcome } from './delivery.js';
import { TypedTurn } from './typed-turn.js';

const TIMEOUT_MS = 30_000;

export async function deliver(
  client: Client,
  id: string,
  text: string,
  options: DeliveryOptions = {},
): Promise<Delivery> {
  const { timeoutMs = TIMEOUT_MS, composer, signal } = options;
  const within = signal === undefined ? {} : { signal };
  const deadlineMs = systemClock.now() + timeoutMs;
  try {
    if (composer !== undefined) {
      const until = { regex: composer };
      await client.call('wait', { id, until, timeout_ms: timeoutMs, tail: 0 }, within);
    }
    const leftMs = Math.max(1, Math.ceil(deadlineMs - systemClock.now()));
    return deliveryOf(await client.call('deliver', { id, text, timeout_ms: leftMs }, within));
  } catch (error) {
    if (isT4aError(error) && error.code === 'unknown_cmd') return new TypedTurn(client, id, options).deliver(text);
    const outcome = isT4aError(error) ? ENDS[error.code] : undefined;
    if (outcome === undefined) throw error;
    return { outcome, pasted: false, question: undefined, tail: [] };
  }
}

function deliveryOf({ outcome, delivered, written, question, tail }: Reply<'deliver'>): Delivery {
  // Without a rule for its box Enter goes out once, and nothing can prove more.
  const isUnproved = outcome === 'not_submitted' && delivered.tries === 1;
  return {
    outcome: isUnproved ? 'sent' : outcome,
    pasted: written && delivered.submitted_ms === null,
    question: question === undefined || question.entry === null ? undefined : { ...question, entry: question.entry },
    tail,
  };
}

const ENDS: Readonly<Record<string, DeliveryOutcome | undefined>> = {
  control_held: 'control_held',
  terminal_exited: 'exited',
  terminal_not_found: 'exited',
};
