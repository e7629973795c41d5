/** A turn that was given to an agent, and how that went. `sent` says that Enter went out, and nothing more. */
import { DELIVERY_OUTCOMES as OUTCOMES } from '../protocol/delivery.js';
import type { Question } from './question.js';

export const DELIVERY_OUTCOMES = [...OUTCOMES, 'sent', 'control_held'] as const;

export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export interface Delivery {
  readonly outcome: DeliveryOutcome;
  /** Whether the text stands in the agent's box, without Enter. */
  readonly pasted: boolean;
  /** Enter was pressed: without a proof the text may have arrived, or arrives later. */
  readonly entered: boolean;
  /** The agent was at work as Enter was pressed, so it queues the prompt. */
  readonly whileWorking: boolean;
  readonly question: Question | undefined;
  /** Last lines of the screen. */
  readonly tail: readonly string[];
}

export interface DeliveryOptions {
  readonly timeoutMs?: number;
  /** A question is waited for, and is no outcome. */
  readonly waits?: boolean;
  /** Pattern of a line: it is there while the agent takes a prompt. */
  readonly composer?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** In UTF-8, and so in characters too. */
export const MAX_TURN_BYTES = 64 * 1024;

/** @returns why no agent can be given the text; said before one is started for it */
export function whyNoTurn(text: string): string | undefined {
  if (/\p{Surrogate}/u.test(text)) return 'is no Unicode text';
  const bytes = Buffer.byteLength(text, 'utf8');
  if (bytes > MAX_TURN_BYTES) return `has ${bytes} bytes; at most ${MAX_TURN_BYTES} go at once`;
  return /[^\s\p{C}]/u.test(text) ? undefined : 'has no character that a box could show';
}

/** Enter went out, with or without a proof. */
export function isSent(outcome: DeliveryOutcome): boolean {
  return outcome === 'submitted' || outcome === 'sent';
}

/** A prompt that was not sent, in words. Behind Enter it may arrive later: nothing denies that it was delivered. */
export function sayDelivery({ outcome, entered }: Pick<Delivery, 'outcome' | 'entered'>): {
  readonly code: 'not_delivered' | 'delivery_unknown';
  readonly words: string;
  readonly look: string;
} {
  if (!entered) {
    return { code: 'not_delivered', words: `the prompt was not delivered (${outcome})`, look: 'Look at its screen.' };
  }
  return {
    code: 'delivery_unknown',
    words: `whether the prompt was delivered is unknown (${outcome}): Enter was pressed, without a proof`,
    look: 'It may arrive later: look at its screen before you send it again.',
  };
}
