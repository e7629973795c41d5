/**
 * Questions of agents to the person about the terminal that is shown: each is announced once, and answered or declined by
 * the person. None opens by itself, or takes the keyboard away: a key meant for the program is never an answer.
 */
import type { DaemonConnection } from '../client/connection.js';
import { safeText } from '../mirror/safe-text.js';
import { isT4aError } from '../protocol/errors.js';
import type { ParamsInput } from '../protocol/registry.js';
import { askCard, oneLine, type OpenAsk } from './ask-card.js';
import { Prompt, type PromptOptions } from './prompt.js';

export interface PeopleOptions {
  readonly connection: DaemonConnection;
  /** Without asking anew. */
  readonly canAnswer: boolean;
  open(panel: Prompt): void;
  say(message: string): void;
  /** Keys wait until it is done. */
  during(act: () => Promise<void>): Promise<void>;
  /** Takes the keyboard until it is given back. */
  take(): Promise<void>;
  /** A hand is asked for. */
  onHand(): void;
  draw(): void;
  /** Sequences for the person's terminal. */
  alert(sequences: string): void;
  report(error: unknown): void;
}

const MAX_ALERT_LENGTH = 200;

/** Answered by one key. */
const MAX_KEYED_CHOICES = 9;

const WORDS: Readonly<Record<string, string>> = { y: 'yes', n: 'no' };

export class People {
  readonly #options: PeopleOptions;
  readonly #announced = new Set<number>();
  #id = '';
  #numbers: readonly number[] = [];
  #open: readonly OpenAsk[] = [];

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  /** In their order. */
  get open(): readonly OpenAsk[] {
    return this.#open;
  }

  /** The first key accepts a hand: it is answered by giving back, not by a pause. */
  get hasHand(): boolean {
    return this.#open.some(({ kind }) => kind === 'hand');
  }

  /** After each frame. @param numbers of the open questions about the terminal */
  follow(id: string, numbers: readonly number[]): void {
    if (id === this.#id && numbers.join() === this.#numbers.join()) return;
    this.#open = id === this.#id ? this.#open.filter(({ ask }) => numbers.includes(ask)) : [];
    this.#id = id;
    this.#numbers = numbers;
    if (numbers.every((number) => this.#open.some(({ ask }) => ask === number))) return;
    this.#load(id).catch((error: unknown) => this.#options.report(error));
  }

  answer(): void {
    const [first] = this.#open;
    if (first === undefined) this.#options.say('There is no question to answer.');
    else if (!this.#options.canAnswer) this.#options.say('Read only.');
    else this.#answer(first);
  }

  decline(): void {
    const [first] = this.#open;
    if (first === undefined) return this.#options.say('There is no question to decline.');
    if (!this.#options.canAnswer) return this.#options.say('Read only.');
    this.#prompt(
      first,
      { label: `Decline question ${first.ask} of ${first.as}? (y/n)`, isOneKey: true },
      async (key) => {
        if (key === 'y') await this.#send({ ask: first.ask, decline: true });
      },
    );
  }

  async #load(id: string): Promise<void> {
    const { asks } = await this.#options.connection.call('asks');
    if (id !== this.#id) return;
    this.#open = asks.filter((ask) => ask.id === id && this.#numbers.includes(ask.ask));
    for (const ask of this.#open) this.#announce(ask);
    this.#options.draw();
  }

  #announce({ ask, as, kind, question, id }: OpenAsk): void {
    if (this.#announced.has(ask)) return;
    this.#announced.add(ask);
    // The first word is fixed: some terminals take a number there for a command.
    const text = safeText(oneLine(`t4a ${id}: ${as} asks: ${question}`));
    this.#options.alert(`\x07\x1b]9;${Array.from(text).slice(0, MAX_ALERT_LENGTH).join('')}\x07`);
    if (kind === 'hand') this.#options.onHand();
  }

  #answer(asked: OpenAsk): void {
    const { ask, as, kind, choices = [] } = asked;
    switch (kind) {
      case 'hand':
        return void this.#options.during(() => this.#options.take());
      case 'confirm':
        return this.#prompt(asked, { label: `Yes or no, to ${as}? (y/n)`, isOneKey: true }, async (key) => {
          const word = WORDS[key.toLowerCase()];
          if (word === undefined) this.#options.say('Not answered: y is yes, and n is no.');
          else await this.#send({ ask, text: word });
        });
      case 'choice':
        return this.#prompt(
          asked,
          { label: `Number of the choice, to ${as}:`, isOneKey: choices.length <= MAX_KEYED_CHOICES },
          // By its place: a choice may be the number of another one.
          (text) => this.#send({ ask, text: choices[Number(text) - 1] ?? text }),
        );
      case 'secret':
        return this.#prompt(asked, { label: `Secret, typed into ${this.#id}:`, isSecret: true }, (text) =>
          this.#sendSecret(asked, text),
        );
      default:
        return this.#prompt(asked, { label: `Answer to ${as}:` }, (text) => this.#send({ ask, text }));
    }
  }

  #prompt(
    asked: OpenAsk,
    options: Pick<PromptOptions, 'label' | 'isOneKey' | 'isSecret'>,
    then: (answer: string) => Promise<void>,
  ): void {
    // It stays until the person closes it, even if the question ends: the rest of a secret must not become keys.
    const onAnswer = (answer: string): void => void this.#options.during(() => then(answer));
    this.#options.open(new Prompt({ ...options, onAnswer, card: (rows, cols) => askCard(asked, rows, cols) }));
  }

  async #sendSecret(asked: OpenAsk, text: string): Promise<void> {
    const { ask } = asked;
    try {
      await this.#send({ ask, text });
    } catch (error) {
      if (!isT4aError(error) || error.code !== 'would_echo') throw error;
      const label = 'The terminal may show the secret. Type it all the same? (y/n)';
      this.#prompt(asked, { label, isOneKey: true }, async (key) => {
        if (key === 'y') await this.#send({ ask, text, even_if_shown: true });
        else this.#options.say('Not typed.');
      });
    }
  }

  async #send(params: ParamsInput<'answer'>): Promise<void> {
    const { outcome } = await this.#options.connection.call('answer', params);
    // Before the frame that says so: the next command is for the next question.
    this.#open = this.#open.filter(({ ask }) => ask !== params.ask);
    this.#options.say(`Question ${params.ask} is ${outcome}.`);
  }
}
