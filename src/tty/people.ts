/**
 * Questions of agents to the person, first those about the terminal that is shown, then those about others and about none:
 * each is announced once, and answered or declined by the person. None opens by itself, or takes the keyboard away: a key meant for the program is never an answer.
 */
import type { DaemonConnection } from '../client/connection.js';
import { EventStream } from '../client/event-stream.js';
import type { Route } from '../client/route.js';
import { notification, OUTER } from '../mirror/outer-sequences.js';
import { isT4aError } from '../protocol/errors.js';
import type { ParamsInput } from '../protocol/registry.js';
import { askCard, oneLine, type OpenAsk } from './ask-card.js';
import type { PromptOptions } from './prompt.js';
import type { TtyApp } from './tty-app.js';

export interface PeopleOptions {
  readonly connection: DaemonConnection;
  /** Whether it can be answered without asking anew. */
  readonly canAnswer: boolean;
  /** Whether a question about another terminal, or about none, concerns this one: the others are not announced. Default: all. */
  concerns?(ask: OpenAsk): boolean;
  readonly app: Pick<TtyApp, 'ask' | 'during' | 'report' | 'say' | 'visit'>;
  /** Shows another terminal. */
  show(id: string): Promise<void>;
  draw(): void;
  /** Sequences for the person's terminal. */
  alert(sequences: string): void;
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
  /** Open questions as of the last list. */
  #all: readonly OpenAsk[] = [];
  /** Events say when others begin and end. */
  #followsAll = false;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  get #app(): PeopleOptions['app'] {
    return this.#options.app;
  }

  /** Questions in their order. */
  get questions(): { readonly asks: readonly OpenAsk[]; readonly elsewhere: number } {
    return { asks: this.#open, elsewhere: this.#elsewhere.length };
  }

  /** All that are open, as of the last event. */
  get all(): readonly OpenAsk[] {
    return this.#all;
  }

  /** Until the signal, on a connection of its own. @param route to a daemon of another host */
  async followAll(signal: AbortSignal, route?: Route): Promise<void> {
    const { socketPath, envelope } = this.#options.connection;
    const open = route === undefined ? undefined : async () => (await route.open({ signal })).stream;
    const stream = new EventStream(socketPath, { types: ['asked', 'answered'] }, signal, () => envelope, open);
    await stream.subscribed;
    this.#followsAll = true;
    await this.#load();
    for await (const _event of stream) await this.#load();
  }

  /** The first key accepts a hand: it is answered by giving back, not by a pause. */
  get hasHand(): boolean {
    return this.#open.some(({ kind }) => kind === 'hand');
  }

  /** After each frame. @param numbers of the open questions about the terminal */
  follow(id: string, numbers: readonly number[]): void {
    if (id === this.#id && numbers.join() === this.#numbers.join()) return;
    const before = this.#open;
    this.#id = id;
    this.#numbers = numbers;
    this.#changed(before);
    if (numbers.some((number) => !this.#open.some(({ ask }) => ask === number)))
      this.#load().catch((error: unknown) => this.#app.report(error));
  }

  /** @param number default: the first one */
  answer(number?: number): void {
    const first = number === undefined ? this.#first : this.#all.find(({ ask }) => ask === number);
    if (first === undefined) this.#app.say('There is no question to answer.');
    else if (!this.#options.canAnswer) this.#app.say('Read only.');
    else this.#answer(first);
  }

  decline(): void {
    const first = this.#first;
    if (first === undefined) return this.#app.say('There is no question to decline.');
    if (!this.#options.canAnswer) return this.#app.say('Read only.');
    this.#prompt(
      first,
      { label: `Decline question ${first.ask} of ${first.as}? (y/n)`, isOneKey: true },
      async (key) => {
        if (key === 'y') await this.#send({ ask: first.ask, decline: true });
      },
    );
  }

  /** Questions about the terminal that is shown, by its last frame. */
  get #open(): readonly OpenAsk[] {
    return this.#all.filter(({ id, ask }) => id === this.#id && this.#numbers.includes(ask));
  }

  /** Questions about other terminals, and about none. */
  get #elsewhere(): readonly OpenAsk[] {
    return this.#all.filter(({ id }) => id !== this.#id);
  }

  get #first(): OpenAsk | undefined {
    return this.#open[0] ?? this.#elsewhere[0];
  }

  async #load(): Promise<void> {
    const { asks } = await this.#options.connection.call('asks');
    const before = this.#open;
    this.#all = this.#followsAll ? asks : asks.filter(({ id }) => id === this.#id);
    for (const ask of this.#elsewhere) if (this.#options.concerns?.(ask) !== false) this.#announce(ask);
    this.#changed(before);
  }

  /** @param before that were open about the terminal that was shown */
  #changed(before: readonly OpenAsk[]): void {
    const fresh = this.#open.filter((one) => !before.some(({ ask }) => ask === one.ask));
    for (const ask of fresh) this.#announce(ask);
    if (fresh.some(({ kind }) => kind === 'hand')) void this.#app.during(async () => this.#app.visit?.keepForHand());
    this.#options.draw();
  }

  #announce({ ask, as, question, id }: OpenAsk): void {
    if (this.#announced.has(ask)) return;
    this.#announced.add(ask);
    const text = oneLine(`${id === null ? '' : ` ${id}`}: ${as} asks: ${question}`);
    this.#options.alert(`${OUTER.bell.on}${notification(text, MAX_ALERT_LENGTH)}`);
  }

  #answer(asked: OpenAsk): void {
    const { ask, as, kind, choices = [], id } = asked;
    switch (kind) {
      case 'hand':
        // The person sees a terminal before they take its keyboard.
        return void this.#app.during(async () =>
          id === null || id === this.#id ? this.#app.visit?.take() : this.#options.show(id),
        );
      case 'confirm':
        return this.#prompt(asked, { label: `Yes or no, to ${as}? (y/n)`, isOneKey: true }, async (key) => {
          const word = WORDS[key.toLowerCase()];
          if (word === undefined) this.#app.say('Not answered: y is yes, and n is no.');
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
        return this.#prompt(asked, { label: `Secret, typed into ${id}:`, isSecret: true }, (text) =>
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
    this.#app.ask({ ...options, card: (rows, cols) => askCard(asked, rows, cols) }, then);
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
        else this.#app.say('Not typed.');
      });
    }
  }

  async #send(params: ParamsInput<'answer'>): Promise<void> {
    const { outcome } = await this.#options.connection.call('answer', params);
    // Before the frame that says so: the next command is for the next question.
    this.#all = this.#all.filter(({ ask }) => ask !== params.ask);
    this.#app.say(`Question ${params.ask} is ${outcome}.`);
  }
}
