/**
 * Questions of `ask` that the client shows, too. In the daemon they stand as ever, for persons: the first answer counts, and
 * what the client declines or never answers stays open there. An answer of the client is not known to be a person's.
 *
 * Up to 2025-11-25 the server asks the client while the call waits, and cancels that when the question ends. Since
 * 2026-07-28 the call is answered with what is needed, and the client calls again: there nothing can be cancelled.
 */
import type { Client } from '../client/client.js';
import type { CallOptions } from '../client/connection.js';
import { hasFeature } from '../client/envelope.js';
import type { ASK_KINDS } from '../protocol/commands/ask.js';
import { T4aError, isT4aError } from '../protocol/errors.js';
import { MAX_TIMEOUT_MS } from '../protocol/limits.js';
import type { ParamsInput, Reply } from '../protocol/registry.js';

type Fields = ParamsInput<'ask'>;

/** Form that the client shows, with one field. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: 'object';
    readonly properties: { readonly answer: FormField };
    readonly required: ['answer'];
  };
}

type FormField = { readonly type: 'string'; readonly title: string; readonly enum?: string[] };

/** Answer that the client was given; undefined, or malformed: nothing. */
export type Show = (form: Form, signal: AbortSignal) => Promise<unknown>;

/** Thrown in place of an answer: the client has to show the form, and to call again with `state`. */
export class AnswerNeeded extends Error {
  readonly form: Form;
  readonly state: string;

  constructor(form: Form, state: string) {
    super('The client has to show a question.');
    this.form = form;
    this.state = state;
  }
}

const KINDS: readonly ((typeof ASK_KINDS)[number] | undefined)[] = [undefined, 'text', 'choice'];

/** An author may have four open questions: one is left for a call that is not given up. */
const MAX_UNANSWERED = 3;

/** The server ends by then, whether or not a question could be withdrawn. */
const WITHDRAWAL_MS = 1000;

interface Asked {
  readonly client: Client;
  readonly number: number;
}

export class Elicitation {
  /** Questions that a client has to show before it calls again, the oldest first. */
  readonly #unanswered: Asked[] = [];
  readonly #withdrawals = new Set<Promise<void>>();

  /** Whether the client may be asked that. */
  takes(client: Client, { kind, question, resume, withdraw }: Fields): boolean {
    const isNew = question !== undefined && resume === undefined && withdraw === undefined;
    return isNew && KINDS.includes(kind) && hasFeature(client.daemon, 'elicited');
  }

  /** Asks the client while it waits. */
  async askBoth(client: Client, fields: Fields, options: CallOptions, show: Show): Promise<Reply<'ask'>> {
    const asked = await open(client, fields, options);
    void this.#show(asked, show);
    return this.#answerTo(asked, fields, options);
  }

  /** @throws AnswerNeeded */
  async askFirst(client: Client, fields: Fields, options: CallOptions): Promise<never> {
    const asked = await open(client, fields, options);
    const form = await formOf(asked);
    if (options.signal?.aborted === true) {
      this.#withdraw(asked);
      throw options.signal.reason;
    }
    if (this.#unanswered.push(asked) > MAX_UNANSWERED) this.#withdraw(this.#unanswered.shift());
    throw new AnswerNeeded(form, JSON.stringify({ ask: asked.number, daemon: nameOf(client.daemon) }));
  }

  /** After {@link askFirst}. @param state from the client, which may send anything @throws T4aError `ask_not_found` */
  async askAgain(
    client: Client,
    { fields, state, response }: { readonly fields: Fields; readonly state: string; readonly response: unknown },
    options: CallOptions,
  ): Promise<Reply<'ask'>> {
    const asked = { client, number: await numberOf(client, state) };
    const index = this.#unanswered.findIndex((one) => one.client === client && one.number === asked.number);
    if (index >= 0) this.#unanswered.splice(index, 1);
    const text = textOf(response);
    if (text !== undefined) await give(asked, text);
    return this.#answerTo(asked, fields, options);
  }

  /** No call comes any more. */
  async close(): Promise<void> {
    for (const asked of this.#unanswered.splice(0)) this.#withdraw(asked);
    await Promise.all(this.#withdrawals);
  }

  /** Never rejects. */
  async #show(asked: Asked, show: Show): Promise<void> {
    const ended = new AbortController();
    const { client, number } = asked;
    const end = (): void => ended.abort();
    // Also when the daemon goes.
    const watch = client.call('ask', { resume: number, timeout_ms: MAX_TIMEOUT_MS }, { signal: ended.signal });
    void watch.then(end, end);
    try {
      const text = textOf(await show(await formOf(asked), ended.signal));
      if (text !== undefined && !ended.signal.aborted) await give(asked, text);
    } catch {
      // The question is open in the daemon, or has ended.
    } finally {
      end();
    }
  }

  async #answerTo({ client, number }: Asked, fields: Fields, options: CallOptions): Promise<Reply<'ask'>> {
    const { timeout_ms, observe } = fields;
    const more = { ...(timeout_ms !== undefined && { timeout_ms }), ...(observe !== undefined && { observe }) };
    try {
      return await client.call('ask', { resume: number, ...more }, options);
    } catch (error) {
      // The model never learns the number, so it cannot resume.
      this.#withdraw({ client, number });
      throw error;
    }
  }

  #withdraw(asked: Asked | undefined): void {
    if (asked === undefined) return;
    const done = withdraw(asked).finally(() => this.#withdrawals.delete(done));
    this.#withdrawals.add(done);
  }
}

/** Opens without the signal: a question of which nothing is known could not be withdrawn. */
async function open(client: Client, fields: Fields, { traceparent }: CallOptions): Promise<Asked> {
  const { observe: _observe, ...question } = fields;
  const { ask: number } = await client.call('ask', { ...question, timeout_ms: 0 }, { traceparent });
  return { client, number };
}

/** Form as persons see it: without controls. */
async function formOf({ client, number }: Asked): Promise<Form> {
  const { asks } = await client.call('asks');
  const asked = asks.find(({ ask }) => ask === number);
  if (asked === undefined) throw lost(number);
  const { id, foreground, question, choices } = asked;
  const place = foreground === null ? `About terminal ${id}` : `About terminal ${id} (${foreground})`;
  const answer: FormField = { type: 'string', title: 'Answer', ...(choices && { enum: [...new Set(choices)] }) };
  return {
    message: id === null ? question : `${place}:\n${question}`,
    requestedSchema: { type: 'object', properties: { answer }, required: ['answer'] },
  };
}

/** A daemon behind a gateway may be older. */
const REFUSED: readonly string[] = ['invalid_field', 'unknown_field'];

/** Gives an answer. Text that does not fit the question is none: it stays open. */
async function give({ client, number }: Asked, elicited: string): Promise<void> {
  try {
    await client.call('ask', { resume: number, elicited, timeout_ms: 0 });
  } catch (error) {
    if (!isT4aError(error) || !REFUSED.includes(error.code)) throw error;
  }
}

async function withdraw({ client, number }: Asked): Promise<void> {
  try {
    await client.call('ask', { withdraw: number }, { signal: AbortSignal.timeout(WITHDRAWAL_MS) });
  } catch {
    // It has ended, or its daemon has.
  }
}

/** Text of a result of `elicitation/create` that accepts; undefined also if it is malformed. */
function textOf(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  const { action, content } = result as { action?: unknown; content?: { answer?: unknown } | null };
  const answer = action === 'accept' ? content?.answer : undefined;
  return typeof answer === 'string' ? answer : undefined;
}

/** Numbers of another daemon are those of other questions. */
async function numberOf(client: Client, state: string): Promise<number> {
  const { ask, daemon } = parsed(state);
  if (typeof ask !== 'number' || !Number.isSafeInteger(ask) || ask < 1) throw lost(state.slice(0, 40));
  if (nameOf(await client.reach()) !== daemon) throw lost(ask);
  return ask;
}

/** Name of a daemon. A successor has the same. */
function nameOf({ instance, pid }: Client['daemon']): string | number {
  return instance ?? pid;
}

function parsed(state: string): { readonly ask?: unknown; readonly daemon?: unknown } {
  try {
    return Object(JSON.parse(state)) as object;
  } catch {
    return {};
  }
}

function lost(question: number | string): T4aError {
  return new T4aError('ask_not_found', `There is no question ${question} any more.`, { hint: 'Ask again.' });
}
