/** Who sent what to a terminal: the latest inputs, never their content. */
import type { Clock } from '../../base/clock.js';
import { Ring } from '../../base/ring.js';
import type { InputSender } from './input-gate.js';

export interface SentInput {
  readonly as: string | null;
  readonly cmd: string;
  /** Milliseconds since the Unix epoch. */
  readonly ts: number;
  /** Null for a secret. */
  bytes: number | null;
}

/** Inputs that are kept of a terminal. */
const MAX_SENT = 200;

export class SentInputs {
  readonly #clock: Clock;
  readonly #sent = new Ring<SentInput>(MAX_SENT);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Oldest first. */
  get shown(): { readonly inputs: readonly SentInput[]; readonly dropped: number } {
    return { inputs: [...this.#sent], dropped: this.#sent.dropped };
  }

  /** Inputs of another process come before the first of this one. */
  restore(inputs: readonly SentInput[]): void {
    for (const each of inputs) this.#sent.push({ ...each });
  }

  keep({ as, cmd, secret = false }: InputSender): SentInput {
    const sent: SentInput = { as: as ?? null, cmd, ts: this.#clock.wallNow(), bytes: secret ? null : 0 };
    this.#sent.push(sent);
    return sent;
  }
}

export function countBytes(sent: SentInput | undefined, { length }: Uint8Array): void {
  if (sent !== undefined && sent.bytes !== null) sent.bytes += length;
}
