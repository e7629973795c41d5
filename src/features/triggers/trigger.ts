/** One trigger: its conditions from appearance to appearance, the bound on its firings, and what it did. */
import type { ShareOwner } from '../../base/shares.js';
import { type Disposable, DisposableScope } from '../../base/lifetime.js';
import type { EventBus } from '../../events/bus.js';
import { isT4aError } from '../../protocol/errors.js';
import type { Params } from '../../protocol/registry.js';
import type { CallConnection } from '../../rpc/service.js';
import { MAX_CHAIN, MAX_FIRINGS_A_SECOND, MAX_RESTARTS_A_MINUTE } from '../../protocol/triggers.js';
import type { AwaitingInput } from '../../events/awaiting-input.js';
import type { Terminal } from '../../terminal/terminal.js';
import { type Appearance, type FrozenWatching, type OpenEntry, watchAppearances, type Watching } from './appearance.js';
import { type FrozenQuestion, QuestionAtCursor } from './question-at-cursor.js';
import type { Causes, Chain } from './causes.js';

export type TriggerParams = Omit<Params<'trigger'>, 'id' | 'with_connection'>;

export interface Firing {
  /** Text that matched, if the condition has one. */
  readonly text: string | null;
  /** Number of the line of that text, if it was looked for on the screen. */
  readonly line: number | undefined;
  /** Of the firings of the trigger. */
  readonly count: number;
  /** Set if the program is known to wait for input. */
  readonly found: AwaitingInput | undefined;
  /** The connection that made the trigger is gone: then no name that has control holds up an end. */
  readonly isGone: boolean;
  /** The firings that led to it, and it. */
  readonly chain: Chain;
}

export interface TriggerOptions {
  readonly number: number;
  readonly terminal: Terminal;
  readonly bus: EventBus;
  readonly causes: Causes;
  /** Made by a request, and not by the owner's file. */
  readonly isRequested: boolean;
  /** That made it. */
  readonly connection: CallConnection;
  /** Of its request. */
  readonly scope?: string | undefined;
  /** Whose share of all triggers it takes. */
  readonly takers: ShareOwner;
  readonly params: TriggerParams;
  readonly as: string | undefined;
  /** Of the terminal; needed for conditions on entries. */
  readonly openEntry?: OpenEntry | undefined;
  /** Does its actions. */
  readonly act: (trigger: Trigger, firing: Firing) => Promise<void>;
  /** For the operator. */
  readonly warn: (message: string) => void;
  /** It has fired for the last time. */
  readonly onEnd: () => void;
}

export interface FrozenTrigger {
  readonly number: number;
  readonly terminal: string;
  readonly params: TriggerParams;
  readonly as: string | undefined;
  readonly isRequested: boolean;
  readonly state: Trigger['state'];
  readonly fired: number;
  readonly lastTs: number | null;
  readonly lastError: string | null;
  /** In the order of its conditions. */
  readonly watching: readonly FrozenWatching[];
  readonly question: FrozenQuestion;
  /** Ids of its terminals. */
  readonly runs: readonly string[];
  /** Since each of the last firings. */
  readonly recentAgoMs: readonly number[];
  readonly pending: Appearance | undefined;
  readonly mayAnswer: boolean;
}

/** Firings of a trigger; beyond, it is stopped. */
interface Bound {
  readonly firings: number;
  readonly withinMs: number;
  readonly within: string;
}

const FIRINGS: Bound = { firings: MAX_FIRINGS_A_SECOND, withinMs: 1000, within: 'a second' };
const RESTARTS: Bound = { firings: MAX_RESTARTS_A_MINUTE, withinMs: 60_000, within: 'a minute' };

export class Trigger implements Disposable {
  readonly number: number;
  readonly terminal: Terminal;
  readonly params: TriggerParams;
  readonly as: string | undefined;
  state: 'armed' | 'stopped' | 'spent' = 'armed';
  fired = 0;
  lastTs: number | null = null;
  lastError: string | null = null;
  readonly #options: TriggerOptions;
  readonly #scope = new DisposableScope();
  readonly #bound: Bound;
  readonly question: QuestionAtCursor;
  /** Terminals of its action `run` whose programs have not ended. */
  readonly runs = new Set<Terminal>();
  /** Times of the firings within the time of the bound. */
  #recent: number[] = [];
  #acting: Promise<void> = Promise.resolve();
  /** Firings whose actions are not done. */
  #underWay = 0;
  #watching: readonly Watching[] = [];
  #conditionsLeft: number;
  /** With `reading`: what has appeared since the last firing. */
  #pending: Appearance | undefined;
  /** With `reading`: there was input since the last firing. */
  #mayAnswer = true;

  constructor(options: TriggerOptions) {
    this.number = options.number;
    this.terminal = options.terminal;
    this.params = options.params;
    this.as = options.as;
    this.#options = options;
    this.#conditionsLeft = options.params.when.length;
    this.question = new QuestionAtCursor(options.params.when);
    this.#bound = options.params.do.some(({ restart }) => restart === true) ? RESTARTS : FIRINGS;
  }

  /** Name or number, for sentences. */
  get title(): string {
    return this.params.name === undefined ? `trigger ${this.number}` : `trigger ${this.number} (${this.params.name})`;
  }

  get isRequested(): boolean {
    return this.#options.isRequested;
  }

  get takers(): ShareOwner {
    return this.#options.takers;
  }

  /** Its actions are under way. */
  get isActing(): boolean {
    return this.#underWay > 0;
  }

  get connection(): CallConnection {
    return this.#options.connection;
  }

  get scope(): string | undefined {
    return this.#options.scope;
  }

  /** Resolves once the actions of all firings so far are done. */
  async acted(): Promise<void> {
    await this.#acting;
  }

  freeze(): FrozenTrigger {
    const { number, terminal, params, as, isRequested, state, fired, lastTs, lastError } = this;
    const nowMs = terminal.clock.now();
    return {
      number,
      terminal: terminal.id,
      params,
      as,
      isRequested,
      state,
      fired,
      lastTs,
      lastError,
      watching: this.#watching.map((one) => one.freeze()),
      question: this.question.freeze(),
      runs: Array.from(this.runs, ({ id }) => id),
      recentAgoMs: this.#recent.map((ms) => nowMs - ms),
      pending: this.#pending,
      mayAnswer: this.#mayAnswer,
    };
  }

  /** Goes on where the other process has left it, in place of {@link begin}. */
  resume(frozen: FrozenTrigger, find: (id: string) => Terminal | undefined): void {
    const nowMs = this.terminal.clock.now();
    this.fired = frozen.fired;
    this.lastTs = frozen.lastTs;
    this.lastError = frozen.lastError;
    this.question.restore(frozen.question);
    this.#recent = frozen.recentAgoMs.map((ms) => nowMs - ms);
    for (const id of frozen.runs) this.follow(find(id));
    if (frozen.state === 'stopped') {
      this.state = 'stopped';
      this.#scope.dispose();
      return;
    }
    this.#begin(frozen);
    this.#pending = frozen.pending;
    this.#mayAnswer = frozen.mayAnswer;
  }

  /** A terminal of its action `run`. */
  follow(run: Terminal | undefined): void {
    if (run?.alive !== true) return;
    this.runs.add(run);
    run.feed.add({ onEvent: ({ event }) => void (ENDS.has(event) && this.runs.delete(run)) });
  }

  /** It may fire before this returns. @throws T4aError bad_regex, unsupported, invalid_field */
  begin(): void {
    this.#begin();
  }

  #begin(frozen?: FrozenTrigger): void {
    const { terminal, as, params } = this;
    try {
      this.#watching = params.when.map((condition, at) =>
        this.#scope.add(
          watchAppearances(condition, {
            frozen: frozen?.watching[at],
            terminal,
            bus: this.#options.bus,
            connection: this.#options.connection,
            as,
            fresh: params.fresh,
            openEntry: this.#options.openEntry,
            onAppear: (appearance) => this.#onAppear(appearance),
            onSpent: () => this.#onSpent(),
            onRevived: () => this.#onRevived(),
          }),
        ),
      );
      if (params.reading) this.#followReading(frozen !== undefined);
    } catch (error) {
      this.#scope.dispose();
      throw error;
    }
  }

  dispose(): void {
    this.#scope.dispose();
  }

  #onSpent(): void {
    this.#conditionsLeft--;
    if (this.#conditionsLeft <= 0 && this.state === 'armed') this.state = 'spent';
  }

  #onRevived(): void {
    this.#conditionsLeft++;
    if (this.state === 'spent') this.state = 'armed';
  }

  #onAppear(appearance: Appearance): void {
    if (this.params.reading) this.#pending = appearance;
    else this.#fire(appearance, undefined);
  }

  #followReading(isResumed: boolean): void {
    const { feed } = this.terminal;
    this.#scope.add(feed.add({ onInput: () => void (this.#mayAnswer = true) }));
    const onFound = (found: AwaitingInput): void => {
      const appearance = this.#pending ?? (this.#mayAnswer ? this.question.find(this.terminal.detectors) : undefined);
      this.#pending = undefined;
      if (appearance === undefined || !this.#mayAnswer) return;
      this.#mayAnswer = false;
      this.#fire(appearance, found);
    };
    const follow = (now: boolean): Disposable => this.terminal.detectors.onAwaitingInput(onFound, { now });
    let following = follow(!this.params.fresh && !isResumed);
    this.#scope.defer(() => following.dispose());
    this.#scope.add(
      feed.add({
        onEvent: ({ event }) => {
          if (event !== 'restarted') return;
          following.dispose();
          this.#mayAnswer = true;
          following = follow(true);
        },
      }),
    );
  }

  #fire({ text, line, event, isGone = false }: Appearance, found: AwaitingInput | undefined): void {
    if (this.state === 'stopped' || this.#scope.disposed) return;
    const { clock } = this.terminal;
    const nowMs = clock.now();
    this.#recent = this.#recent.filter((ms) => nowMs - ms < this.#bound.withinMs);
    if (this.#recent.length >= this.#bound.firings) return this.#stop();
    this.#recent.push(nowMs);
    const { causes } = this.#options;
    const chain = causes.chainOf(this, event);
    if (chain.length > MAX_CHAIN) return this.#cut(chain);
    const count = ++this.fired;
    this.question.onFired(count);
    this.lastTs = clock.wallNow();
    if (this.params.once) this.#scope.dispose();
    causes.acts(chain);
    const words = this.params.do.flatMap(({ notify }) => (notify === undefined ? [] : [notify]));
    this.terminal.publish({
      event: 'triggered',
      terminal: this.terminal.id,
      trigger: this.number,
      name: this.params.name ?? null,
      text: text === null ? null : text.slice(0, MAX_TEXT),
      notify: words.length === 0 ? null : words.join('\n'),
    });
    this.#underWay++;
    this.#acting = this.#acting.then(() => this.#act({ text, line, count, found, isGone, chain }));
  }

  async #act(firing: Firing): Promise<void> {
    try {
      if (this.state !== 'stopped') {
        this.#options.causes.acts(firing.chain);
        await this.#options.act(this, firing);
      }
    } catch (error) {
      this.lastError = isT4aError(error) ? `${error.code}: ${error.message}` : String(error);
      this.#options.warn(`An action of ${this.title} failed: ${this.lastError}`);
    }
    this.#underWay--;
    if (this.params.once) this.#options.onEnd();
  }

  /** What would fire it is an effect of triggers that fire each other. */
  #cut(chain: Chain): void {
    const led = chain.slice(0, -1).map(({ title, terminal }) => `${title} of "${terminal.id}"`);
    this.#options.warn(
      `${this.title} did not fire: each of ${MAX_CHAIN} triggers has fired the next: ${led.join(', ')}.`,
    );
  }

  #stop(): void {
    this.state = 'stopped';
    this.#scope.dispose();
    const { firings, within } = this.#bound;
    this.#options.warn(`${this.title} fired more than ${firings} times within ${within}: it is stopped.`);
  }
}

const ENDS: ReadonlySet<string> = new Set(['exit', 'removed']);

/** Characters of the text that matched, in the event. */
const MAX_TEXT = 256;
