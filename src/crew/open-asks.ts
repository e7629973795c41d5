/**
 * Questions to persons whose answers come after the call that asked. The daemon keeps a question, and this process waits for the answer:
 * if it ends before, the question stays open, and nothing acts on the answer.
 */
import type { Client } from '../client/client.js';
import { isT4aError } from '../protocol/errors.js';
import type { Reply } from '../protocol/registry.js';

export interface NewAsk {
  readonly kind: 'text' | 'confirm';
  readonly question: string;
  /** Terminal that it is about. */
  readonly id?: string | undefined;
}

export type AskEnd = Pick<Reply<'ask'>, 'outcome' | 'answer' | 'note'>;

/** One wait for an answer; then it waits on. */
const WAIT_MS = 600_000;

export class OpenAsks {
  readonly #signal: AbortSignal;
  /** Numbers of open questions, by what they are about. */
  readonly #open = new Map<string, Promise<number>>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** @returns the number of the question, once persons see it @throws T4aError of `ask` */
  async open(
    client: Client,
    { kind, question, id }: NewAsk,
    onEnd: (ask: number, end: AskEnd) => void,
  ): Promise<number> {
    const { ask } = await client.call(
      'ask',
      { kind, question, timeout_ms: 0, ...(id === undefined ? {} : { id }) },
      { signal: this.#signal },
    );
    void this.#wait(client, ask, onEnd);
    return ask;
  }

  /** As {@link open}; while a question of the key is open, its number is that. */
  once(client: Client, key: string, ask: NewAsk, onEnd: (end: AskEnd) => void): Promise<number> {
    const asked = this.#open.get(key);
    if (asked !== undefined) return asked;
    const opened = this.open(client, ask, (_ask, end) => {
      this.#open.delete(key);
      onEnd(end);
    });
    this.#open.set(key, opened);
    opened.catch(() => this.#open.delete(key));
    return opened;
  }

  async #wait(client: Client, ask: number, onEnd: (ask: number, end: AskEnd) => void): Promise<void> {
    try {
      for (;;) {
        const end = await client.call('ask', { resume: ask, timeout_ms: WAIT_MS }, { signal: this.#signal });
        if (end.outcome !== 'open') return onEnd(ask, end);
      }
    } catch (error) {
      if (this.#signal.aborted) return;
      // The daemon, or the question in it, has gone.
      onEnd(ask, { outcome: 'withdrawn' });
      if (!isT4aError(error)) throw error;
    }
  }
}
