/**
 * Text to an agent as its turn, for daemons without the command `deliver`: pasted once it reads and its screen is quiet, then Enter in a
 * write of its own, only while no question is open and no other input has come. `sent` says that Enter went out, not that the agent took it.
 */
import type { Client } from '../client/client.js';
import { systemClock } from '../base/clock.js';
import { isT4aError } from '../protocol/errors.js';
import type { Reply } from '../protocol/registry.js';
import type { Delivery, DeliveryOptions, DeliveryOutcome } from './delivery.js';
import { openEntries, openQuestion, type Question } from './state.js';

const TIMEOUT_MS = 30_000;
/** An agent that starts draws in pieces. */
const QUIET_MS = 1000;
const READER_MS = 500;
/** Some agents draw for ever. */
const MAX_QUIET_MS = 5000;
/** After the echo: an Enter right behind a paste is a line break to some. */
const ECHO_QUIET_MS = 250;
const ECHO_MS = 5000;

type Status = Reply<'status'>;

export class TypedTurn {
  readonly #client: Client;
  readonly #id: string;
  readonly #composer: string | undefined;
  readonly #deadlineMs: number;
  readonly #options: { readonly signal?: AbortSignal };
  #pasted = false;

  constructor(client: Client, id: string, { timeoutMs = TIMEOUT_MS, composer, signal }: DeliveryOptions) {
    this.#client = client;
    this.#id = id;
    this.#composer = composer;
    this.#deadlineMs = systemClock.now() + timeoutMs;
    this.#options = signal === undefined ? {} : { signal };
  }

  async deliver(text: string): Promise<Delivery> {
    try {
      return await this.#deliver(text);
    } catch (error) {
      const outcome = isT4aError(error) ? ENDS[error.code] : undefined;
      if (outcome === undefined) throw error;
      return this.#ended(outcome);
    }
  }

  async #deliver(text: string): Promise<Delivery> {
    const status = await this.#ready();
    if ('outcome' in status) return status;
    if (/[\r\n]/.test(text) && status.modes['bracketed_paste'] !== true) return this.#ended('no_paste');
    const pasted = await this.#client.call(
      'paste',
      {
        id: this.#id,
        text,
        ...ifInputs(status),
        wait: { until: { changed_since: status.rev }, timeout_ms: Math.min(ECHO_MS, this.#leftMs()) },
      },
      this.#options,
    );
    this.#pasted = true;
    if (pasted.wait?.outcome !== 'matched')
      return this.#ended(pasted.wait?.outcome === 'exited' ? 'exited' : 'no_echo');
    await this.#settled(ECHO_QUIET_MS);
    const question = await this.#question();
    if (question !== undefined) return this.#ended('question', question);
    await this.#client.call('press', { id: this.#id, keys: ['Enter'], ...ifInputs(pasted) }, this.#options);
    this.#pasted = false;
    return { outcome: 'sent', pasted: false, question: undefined, tail: [] };
  }

  /** The agent reads, and its screen, which is not blank, is quiet. */
  async #ready(): Promise<Status | Delivery> {
    while (this.#leftMs() > 1) {
      if (this.#composer !== undefined && !(await this.#until({ regex: this.#composer }))) break;
      // Of a program that draws for ever it never comes true: the status says below whether it reads.
      if (KNOWS_READERS) await this.#until({ awaiting_input: true }, READER_MS);
      await this.#settled(QUIET_MS);
      const question = await this.#question();
      if (question !== undefined) return this.#ended('question', question);
      const status = await this.#client.call('status', { id: this.#id }, this.#options);
      if (status.state !== 'running') return this.#ended('exited');
      const { awaiting_input: reader } = status;
      if (reader?.kind === 'password') return this.#ended('not_ready');
      const isReading = !KNOWS_READERS || reader !== null;
      // A program that draws by itself reads before it has drawn its box, and loses what comes by then.
      if (isReading && (reader?.kind === 'line' || !(await this.#isBlank()))) return status;
    }
    const { alive } = await this.#client.call('status', { id: this.#id }, this.#options);
    return this.#ended(alive ? 'not_ready' : 'exited');
  }

  async #until(
    condition: { readonly regex: string } | { readonly awaiting_input: true },
    mostMs = this.#leftMs(),
  ): Promise<boolean> {
    const { outcome } = await this.#client.call(
      'wait',
      { id: this.#id, until: condition, timeout_ms: Math.min(mostMs, this.#leftMs()), tail: 0 },
      this.#options,
    );
    return outcome === 'matched';
  }

  async #settled(ms: number): Promise<void> {
    await this.#client.call(
      'wait',
      { id: this.#id, until: { settled_ms: ms }, timeout_ms: Math.min(this.#leftMs(), MAX_QUIET_MS), tail: 0 },
      this.#options,
    );
  }

  async #question(): Promise<Question | undefined> {
    return openQuestion(await openEntries(this.#client, this.#id, this.#options));
  }

  async #isBlank(): Promise<boolean> {
    const { lines } = await this.#client.call('text', { id: this.#id, trim: true }, this.#options);
    return lines.every((line) => line === '');
  }

  async #ended(outcome: DeliveryOutcome, question?: Question): Promise<Delivery> {
    return { outcome, pasted: this.#pasted, question, tail: await this.#tail() };
  }

  async #tail(): Promise<readonly string[]> {
    try {
      const { lines } = await this.#client.call('text', { id: this.#id, last: TAIL_LINES, trim: true }, this.#options);
      return lines;
    } catch (error) {
      if (isT4aError(error)) return [];
      throw error;
    }
  }

  #leftMs(): number {
    return Math.max(1, Math.ceil(this.#deadlineMs - systemClock.now()));
  }
}

const TAIL_LINES = 10;

/** Which program waits for input, the daemon knows on Linux alone. */
const KNOWS_READERS = process.platform === 'linux';

const ENDS: Readonly<Record<string, DeliveryOutcome | undefined>> = {
  others_typed: 'others_typed',
  control_held: 'control_held',
  not_holder: 'control_held',
  terminal_exited: 'exited',
  terminal_not_found: 'exited',
};

/** An older daemon does not count inputs. */
function ifInputs({ inputs }: { readonly inputs?: number | undefined }): { readonly if_inputs?: number } {
  return inputs === undefined ? {} : { if_inputs: inputs };
}
