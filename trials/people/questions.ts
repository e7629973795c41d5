/** Questions of a walk, and what became of each. */
import type { Client } from '../../src/client/index.js';
import type { ClickNote } from './browser-notes.js';
import type { Random } from '../support/random.js';

interface Question {
  readonly ask: number;
  readonly kind: 'confirm' | 'choice' | 'text';
}

/** At most four are open of one name. */
const MOST_OPEN = 4;

export class Questions {
  readonly #client: Client;
  readonly #random: Random;
  readonly #open = new Map<number, Question>();
  #asked = 0;

  /** @param client of its own: it asks by the name that it has */
  constructor(client: Client, random: Random) {
    this.#client = client;
    this.#random = random;
  }

  get open(): readonly Question[] {
    return [...this.#open.values()];
  }

  async ask(id: string | undefined): Promise<void> {
    if (this.#open.size >= MOST_OPEN) return this.end();
    const kind = this.#random.pick(['confirm', 'confirm', 'choice', 'text'] as const);
    const words = `Question ${++this.#asked}? ${'long '.repeat(this.#random.below(40))}`;
    const { ask } = await this.#client.call('ask', {
      ...(id === undefined ? {} : { id }),
      question: words,
      kind,
      ...(kind === 'choice' ? { choices: ['one', 'two', 'three'] } : {}),
      timeout_ms: 0,
    });
    this.#open.set(ask, { ask, kind });
  }

  /** One is withdrawn, or answered elsewhere. */
  async end(): Promise<void> {
    const all = this.open;
    if (all.length === 0) return;
    const { ask, kind } = this.#random.pick(all);
    this.#open.delete(ask);
    if (this.#random.chance(0.5)) await this.#client.call('ask', { withdraw: ask });
    else
      await this.#client.call('answer', { ask, text: kind === 'confirm' ? 'no' : kind === 'choice' ? 'two' : 'else' });
  }

  /**
   * Those that the page has answered since the last call.
   * @param clicks since then @returns what is wrong: an answer that no click on its button explains
   */
  async wrongAnswer(clicks: readonly ClickNote[], hasSent: boolean): Promise<string | undefined> {
    const { asks } = await this.#client.call('asks');
    const still = new Set(asks.map(({ ask }) => ask));
    for (const { ask } of this.open) {
      if (still.has(ask)) continue;
      this.#open.delete(ask);
      const result = await this.#client.call('ask', { resume: ask, timeout_ms: 0 }).catch(() => undefined);
      const answer = result?.outcome === 'declined' ? 'Decline' : wordOf(result?.answer);
      const isMeant = clicks.some(({ before }) => {
        const [, , of, ...label] = before.split(' ');
        return before.startsWith('ask ') && Number(of) === ask && (answer === undefined || label.join(' ') === answer);
      });
      if (!isMeant && !hasSent) return `question ${ask} was answered ${answer}, after ${JSON.stringify(clicks)}`;
    }
    return undefined;
  }
}

function wordOf(answer: unknown): string | undefined {
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  return typeof answer === 'string' ? answer : undefined;
}
