/** Questions of a walk, and what became of each. */
import type { Client } from '../../src/client/index.js';
import type { Reply } from '../../src/protocol/registry.js';
import type { ClickNote } from './browser-notes.js';
import type { Random } from '../support/random.js';

interface Question {
  readonly ask: number;
  readonly kind: 'confirm' | 'choice' | 'text' | 'secret';
  /** Undefined as long as it is open. */
  outcome: Reply<'ask'> | undefined;
}

/** At most four are open of one name. */
const MOST_OPEN = 4;

export class Questions {
  readonly #client: Client;
  readonly #random: Random;
  readonly #open = new Map<number, Question>();
  #count = 0;
  /** Of the whole walk: an answer may reach the daemon when its step has been judged. */
  readonly #meant = new Set<string>();

  /** @param client of its own: it asks by the name that it has */
  constructor(client: Client, random: Random) {
    this.#client = client;
    this.#random = random;
  }

  get #asked(): readonly Question[] {
    return [...this.#open.values()];
  }

  async ask(id: string | undefined): Promise<void> {
    if (this.#open.size >= MOST_OPEN) return this.end();
    const kind = this.#random.pick([
      'confirm',
      'confirm',
      'choice',
      'text',
      id === undefined ? 'text' : 'secret',
    ] as const);
    await this.#asking(id, kind);
  }

  /** @returns its number */
  async #asking(id: string | undefined, kind: Question['kind']): Promise<number> {
    const words = `Question ${++this.#count}? ${'long '.repeat(this.#random.below(40))}`;
    const { ask } = await this.#client.call('ask', {
      ...(id === undefined ? {} : { id }),
      question: words,
      kind,
      ...(kind === 'choice' ? { choices: ['one', 'two', 'three'] } : {}),
      timeout_ms: 0,
    });
    const question: Question = { ask, kind, outcome: undefined };
    this.#open.set(ask, question);
    this.#client.call('ask', { resume: ask }).then(
      (outcome) => (question.outcome = outcome),
      () => this.#open.delete(ask), // The walk is over.
    );
    return ask;
  }

  /** One that two pages answer at the same instant, each in its way. @returns its number */
  async askBoth(): Promise<number> {
    const ask = await this.#asking(undefined, 'confirm');
    this.#meant.add(`${ask} Yes`).add(`${ask} No`);
    return ask;
  }

  /** One is withdrawn, or answered elsewhere. */
  async end(): Promise<void> {
    await this.#client.call('asks'); // A fence: the outcomes of those that have ended came before.
    const all = this.#asked.filter(({ outcome }) => outcome === undefined);
    if (all.length === 0) return;
    const { ask, kind } = this.#random.pick(all);
    this.#open.delete(ask);
    // A secret that is answered elsewhere is typed all the same.
    if (kind === 'secret' || this.#random.chance(0.5)) await this.#client.call('ask', { withdraw: ask });
    else
      await this.#client.call('answer', { ask, text: kind === 'confirm' ? 'no' : kind === 'choice' ? 'two' : 'else' });
  }

  /** They have gone with their daemon. */
  forget(): void {
    this.#open.clear();
  }

  /**
   * Looks at those that have ended since the last call.
   * @param clicks since then @param sentTo the card whose text was sent by Enter; empty if none was
   * @returns what is wrong: an answer that neither a click on its button nor Enter explains
   */
  async wrongAnswer(clicks: readonly ClickNote[], sentTo: string): Promise<string | undefined> {
    for (const { before } of clicks) this.#meant.add(before.replace(/^ask \S+ /, ''));
    if (sentTo !== '') this.#meant.add(`${sentTo.split(' ')[1]} Send`);
    // A fence: the outcomes of those that have ended came before this reply.
    await this.#client.call('asks');
    for (const { ask, outcome } of this.#asked) {
      if (outcome === undefined) continue;
      this.#open.delete(ask);
      if (outcome.outcome !== 'answered' && outcome.outcome !== 'declined') continue;
      const answer = outcome.outcome === 'declined' ? 'Decline' : wordOf(outcome.answer);
      if (!this.#meant.has(`${ask} ${answer}`) && !this.#meant.has(`${ask} Send`))
        return `question ${ask} was answered ${answer}, after ${JSON.stringify(clicks)}`;
    }
    return undefined;
  }
}

function wordOf(answer: unknown): string | undefined {
  // The agent does not learn it.
  if (answer === undefined || answer === null) return 'Send';
  if (typeof answer === 'boolean') return answer ? 'Yes' : 'No';
  return typeof answer === 'string' ? answer : undefined;
}
