/** All triggers of a daemon, by number. */
import { type ShareOwner, Shares } from '../../base/shares.js';
import { T4aError } from '../../protocol/errors.js';
import type { FrozenConnection, LeftConnections } from '../../rpc/left-connections.js';
import type { CallConnection } from '../../rpc/service.js';
import { MAX_TRIGGERS, MAX_TRIGGERS_IN_ALL } from '../../protocol/triggers.js';
import type { Terminal } from '../../terminal/terminal.js';
import { Causes, type CausesOptions, type FrozenCause } from './causes.js';
import { type FrozenTrigger, Trigger, type TriggerOptions } from './trigger.js';

export type NewTrigger = Pick<
  TriggerOptions,
  'terminal' | 'params' | 'as' | 'act' | 'connection' | 'scope' | 'takers' | 'isRequested' | 'openEntry'
>;

export interface FrozenTriggers {
  readonly next: number;
  readonly triggers: readonly (FrozenTrigger & FrozenTie)[];
  /** By the id of the terminal. */
  readonly causes: ReadonlyMap<string, FrozenCause>;
}

/** To the connection that made it. */
interface FrozenTie {
  /** Absent: it was made by the file of the owner, or before a daemon of an older version. */
  readonly connection?: FrozenConnection;
  /** It ends with the connection. */
  readonly isWith?: boolean;
}

/** Of a trigger that no connection has made: it has no end. */
const NONE: CallConnection = { onGone: () => ({ dispose: () => {} }) };

export class Triggers {
  readonly #find: CausesOptions['find'];
  readonly #bus: CausesOptions['bus'];
  readonly #left: LeftConnections;
  readonly #causes: Causes;
  readonly #byNumber = new Map<number, Trigger>();
  /** Numbers of those that end with the connection that made them. */
  readonly #withConnection = new Set<number>();
  readonly #followed = new WeakSet<Terminal>();
  #next = 1;

  constructor(options: CausesOptions & { readonly left: LeftConnections }) {
    this.#bus = options.bus;
    this.#left = options.left;
    this.#find = options.find;
    this.#causes = new Causes(options);
  }

  of(terminal?: Terminal): Trigger[] {
    const all = [...this.#byNumber.values()];
    return terminal === undefined ? all : all.filter((trigger) => trigger.terminal === terminal);
  }

  /**
   * @param withConnection it ends with the connection that made it
   * @throws T4aError too_many_triggers, bad_regex, unsupported, invalid_field
   */
  add(given: NewTrigger, withConnection = false): Trigger {
    const { terminal, connection, isRequested, takers } = given;
    assertRoom(this.of(terminal), MAX_TRIGGERS, `of terminal "${terminal.id}"`, takers, ` ${terminal.id}`);
    const requested = this.of().filter((one) => one.isRequested);
    if (isRequested) assertRoom(requested, MAX_TRIGGERS_IN_ALL, 'that requests have made', takers);
    if (!this.#followed.has(terminal)) this.#causes.originate(terminal);
    const number = this.#next;
    const trigger = this.#newTrigger(given, number);
    if (withConnection) this.#withConnection.add(number);
    try {
      trigger.begin();
    } catch (error) {
      this.#drop(number);
      throw error;
    }
    this.#next++;
    if (withConnection) connection.onGone(() => this.#drop(number));
    this.#follow(terminal);
    return trigger;
  }

  /** @param terminals all of them */
  freeze(terminals: readonly Terminal[]): FrozenTriggers {
    return {
      next: this.#next,
      triggers: this.of().map((one) => ({
        ...one.freeze(),
        ...(one.isRequested ? { connection: this.#left.freeze(one.connection, one.scope) } : {}),
        isWith: this.#withConnection.has(one.number),
      })),
      causes: new Map(
        terminals.flatMap((terminal) => {
          const cause = this.#causes.freeze(terminal);
          return cause === undefined ? [] : [[terminal.id, cause] as const];
        }),
      ),
    };
  }

  restore({ next, triggers, causes }: FrozenTriggers, act: NewTrigger['act']): void {
    this.#next = next;
    for (const [id, cause] of causes) {
      const terminal = this.#find(id);
      if (terminal !== undefined) this.#causes.restore(terminal, cause);
    }
    for (const frozen of triggers) {
      const terminal = this.#find(frozen.terminal);
      if (terminal === undefined) continue;
      const { number, params, as, isRequested, isWith = false } = frozen;
      const scope = frozen.connection?.scope;
      const connection = frozen.connection === undefined ? NONE : this.#left.thaw(frozen.connection);
      const given = { terminal, params, as, act, isRequested, connection, scope, takers: undefined };
      if (isWith) this.#withConnection.add(number);
      this.#newTrigger(given, number).resume(frozen, this.#find);
      if (isWith) connection.onGone(() => this.#drop(number));
      this.#follow(terminal);
    }
  }

  #newTrigger(given: NewTrigger, number: number): Trigger {
    const bus = this.#bus;
    const terminal = given.terminal.id;
    const trigger = new Trigger({
      ...given,
      number,
      bus,
      causes: this.#causes,
      warn: (message) => bus.announce({ event: 'warning', code: 'trigger', message, terminal }),
      onEnd: () => this.#drop(number),
    });
    this.#byNumber.set(number, trigger);
    return trigger;
  }

  remove(number: number): void {
    this.#drop(number);
  }

  removeAll(): void {
    for (const number of this.#byNumber.keys()) this.#drop(number);
  }

  /** @throws T4aError trigger_not_found */
  find(number: number): Trigger {
    const trigger = this.#byNumber.get(number);
    if (trigger !== undefined) return trigger;
    throw new T4aError('trigger_not_found', `There is no trigger ${number}.`, {
      field: 'trigger',
      hint: 't4a triggers',
    });
  }

  #drop(number: number): boolean {
    this.#byNumber.get(number)?.dispose();
    this.#withConnection.delete(number);
    return this.#byNumber.delete(number);
  }

  #follow(terminal: Terminal): void {
    if (this.#followed.has(terminal)) return;
    this.#followed.add(terminal);
    terminal.feed.add({
      onEvent: ({ event }) => {
        if (event === 'removed') for (const { number } of this.of(terminal)) this.#drop(number);
      },
    });
  }
}

/** @throws T4aError too_many_triggers */
function assertRoom(made: readonly Trigger[], most: number, which: string, takers: ShareOwner, listed = ''): void {
  const lack = new Shares(
    most,
    made.map((one) => one.takers),
  ).lack(takers);
  if (lack === undefined) return;
  const bound = lack === 'all' ? 'the limit' : `and one client may have ${most / 2}`;
  throw new T4aError('too_many_triggers', `There are ${made.length} triggers ${which}, ${bound}.`, {
    hint: `t4a triggers${listed} lists them; t4a untrigger NUMBER removes one.`,
  });
}
