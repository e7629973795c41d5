/** All triggers of a daemon, by number. */
import { type Owner, Shares } from '../../base/shares.js';
import { T4aError } from '../../protocol/errors.js';
import { MAX_TRIGGERS, MAX_TRIGGERS_IN_ALL } from '../../protocol/triggers.js';
import type { Terminal } from '../../terminal/terminal.js';
import { Causes, type CausesOptions } from './causes.js';
import { Trigger, type TriggerOptions } from './trigger.js';

export type NewTrigger = Pick<
  TriggerOptions,
  'terminal' | 'params' | 'as' | 'act' | 'connection' | 'takers' | 'isRequested' | 'openEntry'
>;

export class Triggers {
  readonly #bus: CausesOptions['bus'];
  readonly #causes: Causes;
  readonly #byNumber = new Map<number, Trigger>();
  readonly #followed = new WeakSet<Terminal>();
  #next = 1;

  constructor(options: CausesOptions) {
    this.#bus = options.bus;
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
    const bus = this.#bus;
    if (!this.#followed.has(terminal)) this.#causes.originate(terminal);
    const number = this.#next;
    const trigger = new Trigger({
      ...given,
      number,
      bus,
      causes: this.#causes,
      warn: (message) => bus.announce({ event: 'warning', code: 'trigger', message, terminal: terminal.id }),
      onEnd: () => this.#drop(number),
    });
    this.#byNumber.set(number, trigger);
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

  remove(number: number): void {
    this.#drop(number);
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
function assertRoom(made: readonly Trigger[], most: number, which: string, takers: Owner, listed = ''): void {
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
