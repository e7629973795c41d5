/** All triggers of a daemon, by number. */
import { T4aError } from '../../protocol/errors.js';
import { MAX_TRIGGERS } from '../../protocol/triggers.js';
import type { EventBus } from '../../events/bus.js';
import type { Terminal } from '../terminal/terminal.js';
import { Trigger, type TriggerOptions } from './trigger.js';

export type NewTrigger = Pick<TriggerOptions, 'terminal' | 'params' | 'as' | 'act' | 'connection'>;

export class Triggers {
  readonly #bus: EventBus;
  readonly #byNumber = new Map<number, Trigger>();
  readonly #followed = new WeakSet<Terminal>();
  #next = 1;

  constructor(bus: EventBus) {
    this.#bus = bus;
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
    const { terminal, connection } = given;
    if (this.of(terminal).length >= MAX_TRIGGERS) {
      throw new T4aError('too_many_triggers', `Terminal "${terminal.id}" has ${MAX_TRIGGERS} triggers, the limit.`, {
        hint: 't4a untrigger',
      });
    }
    const bus = this.#bus;
    const number = this.#next;
    const trigger = new Trigger({
      ...given,
      number,
      bus,
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

  /** @throws T4aError trigger_not_found */
  remove(number: number): void {
    if (this.#drop(number)) return;
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
