/**
 * Which firings of triggers led to an event, as chains: a trigger whose action fires another is its cause, also in another
 * terminal. A program that answers the keys of a trigger is no link of its own: a dialogue may last as long as it likes.
 */
import { PartKey } from '../../base/parts.js';
import type { Clock } from '../../base/clock.js';
import type { EventBus } from '../../events/bus.js';
import type { PublishedEvent } from '../../protocol/events.js';
import { EFFECT_MS } from '../../protocol/triggers.js';
import { identityOf } from '../../terminal/identity.js';
import type { Terminal } from '../../terminal/terminal.js';

export interface Link {
  readonly terminal: Terminal;
  /** For sentences. */
  readonly title: string;
}

/** The oldest first. */
export type Chain = readonly Link[];

/** Events that a program cannot cause: requests and triggers alone do. */
const OF_ACTIONS: ReadonlySet<string> = new Set(['published', 'triggered', 'labelled', 'restarted']);

const NONE: Chain = [];

/** What a trigger has done to a terminal last. */
const ACTED = new PartKey<{ readonly chain: Chain; readonly untilMs: number } | undefined>(() => undefined);

/** The chain of the command of a trigger that has made a terminal, or has made the one that did. */
const ORIGIN = new PartKey<Chain | undefined>(() => undefined);

/** By the ids of terminals. */
type FrozenChain = readonly { readonly terminal: string; readonly title: string }[];

export interface FrozenCause {
  readonly origin: FrozenChain | undefined;
  readonly acted: { readonly chain: FrozenChain; readonly leftMs: number } | undefined;
}

export interface CausesOptions {
  readonly bus: EventBus;
  readonly clock: Clock;
  /** A terminal by its id. */
  readonly find: (id: string) => Terminal | undefined;
}

export class Causes {
  readonly #options: CausesOptions;

  constructor(options: CausesOptions) {
    this.#options = options;
  }

  /** Undefined if no trigger has to do with it. */
  freeze(terminal: Terminal): FrozenCause | undefined {
    const origin = terminal.part(ORIGIN).value;
    const acted = terminal.part(ACTED).value;
    if (origin === undefined && acted === undefined) return undefined;
    const leftMs = (acted?.untilMs ?? 0) - this.#options.clock.now();
    return { origin: origin && frozenChain(origin), acted: acted && { chain: frozenChain(acted.chain), leftMs } };
  }

  restore(terminal: Terminal, { origin, acted }: FrozenCause): void {
    const { clock, find } = this.#options;
    // A terminal that is gone fires nothing any more.
    const thawed = (chain: FrozenChain): Chain =>
      chain.flatMap(({ terminal: id, title }) => {
        const own = find(id);
        return own === undefined ? [] : [{ terminal: own, title }];
      });
    terminal.part(ORIGIN).value = origin && thawed(origin);
    terminal.part(ACTED).value = acted && { chain: thawed(acted.chain), untilMs: clock.now() + acted.leftMs };
  }

  /** To be called before its triggers begin. */
  originate(terminal: Terminal): void {
    const { parent } = identityOf(terminal);
    const maker = parent === null ? undefined : this.#options.find(parent);
    const chain = maker === undefined || maker === terminal ? NONE : this.#in(maker);
    if (chain.length > 0) terminal.part(ORIGIN).value ??= chain;
  }

  /** The trigger of the last link acts on its terminal. */
  acts(chain: Chain): void {
    const terminal = chain.at(-1)?.terminal;
    const untilMs = this.#options.clock.now() + EFFECT_MS;
    if (terminal !== undefined) terminal.part(ACTED).value = { chain, untilMs };
  }

  /** @param event that it fires at, if it is one */
  chainOf(link: Link, event: PublishedEvent | undefined): Chain {
    if (event?.event === 'published')
      return [...((this.#options.bus.causeOf(event) as Chain | undefined) ?? NONE), link];
    const before = this.#in(link.terminal);
    const isAnswer = before.at(-1)?.terminal === link.terminal && !OF_ACTIONS.has(event?.event ?? '');
    return [...(isAnswer ? before.slice(0, -1) : before), link];
  }

  /** What led to whatever happens in a terminal now. */
  #in(terminal: Terminal): Chain {
    const acted = terminal.part(ACTED).value;
    if (acted !== undefined && this.#options.clock.now() <= acted.untilMs) return acted.chain;
    return terminal.part(ORIGIN).value ?? NONE;
  }
}

function frozenChain(chain: Chain): FrozenChain {
  return chain.map(({ terminal: { id }, title }) => ({ terminal: id, title }));
}
