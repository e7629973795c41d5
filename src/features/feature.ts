/** What a feature of the daemon is: its commands, what it observes of terminals and what it keeps stand in one folder. */
import type { CommandName } from '../protocol/registry.js';
import type { Handler, Handlers } from '../rpc/service.js';
import type { TerminalObserver } from '../terminal/feed.js';
import type { FrozenTerminal } from '../terminal/frozen-terminal.js';
import type { Terminal } from '../terminal/terminal.js';

export interface Feature<Name extends CommandName = never> {
  readonly handlers: Pick<Handlers, Name>;
  /**
   * Called with each terminal. What it returns is added to the terminal's feed.
   * @param isNew false for one of the daemon before: what the feature has of it comes with `thaw`
   */
  observe?(terminal: Terminal, isNew: boolean): TerminalObserver | undefined;
  /** What it has that another daemon would not get, in words for people; nothing if it has none. */
  keeps?(): readonly string[];
  /** Ends what it has begun and does in steps, as it would have ended by itself: `freeze` follows. */
  settle?(): void;
  /** All that it has, for another daemon: plain values, maps, sets and bytes. Undefined if it has nothing. It changes nothing. */
  freeze?(): unknown;
  /** Goes on with what it had in the daemon before. All terminals are there; nothing is parsed and no timer runs until this one takes over. */
  thaw?(state: never): unknown;
  /** A terminal of the daemon before that this feature alone makes, as an opened recording. */
  thawTerminal?(frozen: FrozenTerminal): Terminal | Promise<Terminal | undefined>;
  /** Another daemon goes on with what it has: it does nothing any more. */
  leave?(): void;
  /** Resolves once all that it has given to files is in them. */
  written?(): Promise<void>;
  /** Called when memory is short. */
  dropCaches?(): void;
  /** Called once all terminals have ended. */
  dispose?(): unknown;
}

/** Loaded once, with its first use. */
export class Later<T> {
  readonly #import: () => Promise<T>;
  #loading: Promise<T> | undefined;
  #value: T | undefined;

  constructor(load: () => Promise<T>) {
    this.#import = load;
  }

  /** Undefined until it is loaded. */
  get value(): T | undefined {
    return this.#value;
  }

  get isAsked(): boolean {
    return this.#loading !== undefined;
  }

  load(): Promise<T> {
    this.#loading ??= this.#import().then((value) => (this.#value = value));
    return this.#loading;
  }
}

export interface LaterFeatureOptions<Name extends CommandName, F> {
  readonly commands: readonly Name[];
  readonly load: () => Promise<F>;
  /** Whether new terminals are observed although no command has asked for the feature, as a file of the owner may want. */
  readonly isWanted?: () => boolean;
  /** That it could not observe a terminal. */
  readonly onError: (error: unknown) => void;
}

/** A feature that is loaded with the first request for one of its commands. */
export class LaterFeature<Name extends CommandName, F extends Feature<Name>> extends Later<F> implements Feature<Name> {
  readonly handlers: Pick<Handlers, Name>;
  readonly #isWanted: () => boolean;
  readonly #onError: (error: unknown) => void;

  constructor({ commands, load, isWanted = () => false, onError }: LaterFeatureOptions<Name, F>) {
    super(load);
    this.#isWanted = isWanted;
    this.#onError = onError;
    const handlers = commands.map((name) => [name, this.#handler(name)] as const);
    this.handlers = Object.fromEntries(handlers) as unknown as Pick<Handlers, Name>;
  }

  /** A moment later, once requests can find the terminal: the feature adds its own observer. */
  observe(terminal: Terminal, isNew: boolean): undefined {
    if (this.isAsked || (isNew && this.#isWanted())) this.#observe(terminal, isNew).catch(this.#onError);
  }

  keeps(): readonly string[] {
    return this.value?.keeps?.() ?? [];
  }

  settle(): void {
    this.value?.settle?.();
  }

  leave(): void {
    this.value?.leave?.();
  }

  async written(): Promise<void> {
    await this.value?.written?.();
  }

  freeze(): unknown {
    return this.value?.freeze?.();
  }

  async thaw(state: never): Promise<void> {
    await (await this.load()).thaw?.(state);
  }

  async thawTerminal(frozen: FrozenTerminal): Promise<Terminal | undefined> {
    return (await this.load()).thawTerminal?.(frozen);
  }

  dropCaches(): void {
    this.value?.dropCaches?.();
  }

  async dispose(): Promise<void> {
    if (this.isAsked) await (await this.load()).dispose?.();
  }

  async #observe(terminal: Terminal, isNew: boolean): Promise<void> {
    const feature = await this.load();
    if (terminal.state.kind === 'removed') return;
    const observer = feature.observe?.(terminal, isNew);
    if (observer !== undefined) terminal.feed.add(observer);
  }

  /** Requests that come after its first one begin after it: see `load` of a handler. */
  #handler(name: Name): Handler<Name> {
    const handler: Handler<Name> = async (params, call) => (await this.load()).handlers[name](params, call);
    return Object.assign(handler, { load: () => (this.value === undefined ? this.load() : undefined) });
  }
}
