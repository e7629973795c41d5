/** All triggers of a daemon, by number. */
import { T4aError } from '../../protocol/errors.js';
import { MAX_TRIGGERS, MAX_TRIGGERS_IN_ALL } from '../../protocol/triggers.js';
import type { Terminal } from '../../terminal/terminal.js';
import { Causes, type CausesOptions } from './causes.js';
import { Trigger, type TriggerOptions } from './trigger.js';

export type NewTrigger = Pick<
  TriggerOptions,
  'terminal' | 'params' | 'as' | 'act' | 'connection' | 'isRequested' | 'openEntry'
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
    const { terminal, connection, isRequested } = given;
    if (this.of(terminal).length >= MAX_TRIGGERS) {
      throw tooMany(`Terminal "${terminal.id}" has ${MAX_TRIGGERS} triggers, the limit.`, ` ${terminal.id}`);
    }
    if (isRequested && this.of().filter((one) => one.isRequested).length >= MAX_TRIGGERS_IN_ALL) {
      throw tooMany(`There are ${MAX_TRIGGERS_IN_ALL} triggers that requests have made, the limit.`);
    }
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

function tooMany(message: string, of = ''): T4aError {
  const hint = `t4a triggers${of} lists them; t4a untrigger NUMBER removes one.`;
  return new T4aError('too_many_triggers', message, { hint });
}
