/**
 * `--on-exit end`: the crew ends with the shell, however that ends. The daemon does it, by a trigger for each root: so it is done after a
 * killed shell or a lost connection, too.
 */
import type { DaemonConnection } from '../../client/connection.js';
import type { Member } from '../../crew/members.js';
import { isT4aError } from '../../protocol/errors.js';

export class EndWith {
  readonly #connection: DaemonConnection;
  readonly #report: (error: unknown) => void;
  /** Triggers by the id of the terminal: a number, once the daemon has it. */
  readonly #triggers = new Map<string, Promise<number | undefined>>();
  #isReleased = false;

  constructor(connection: DaemonConnection, report: (error: unknown) => void) {
    this.#connection = connection;
    this.#report = report;
  }

  /** After each list. @param living members */
  async cover(living: readonly Member[]): Promise<void> {
    if (this.#isReleased) return;
    for (const id of this.#triggers.keys()) if (!living.some((one) => one.id === id)) this.#triggers.delete(id);
    await Promise.all(
      rootsOf(living).map(({ id }) => {
        const made = this.#triggers.get(id) ?? this.#make(id);
        this.#triggers.set(id, made);
        return made;
      }),
    );
  }

  /** The crew goes on. */
  async release(): Promise<void> {
    // A list that comes now makes none anew.
    this.#isReleased = true;
    const made = [...this.#triggers.values()];
    this.#triggers.clear();
    for (const number of await Promise.all(made)) {
      if (number !== undefined) await this.#connection.call('untrigger', { trigger: number });
    }
  }

  async #make(id: string): Promise<number | undefined> {
    try {
      const { trigger } = await this.#connection.call('trigger', {
        id,
        when: { disconnected: true },
        do: [{ kill: { tree: true } }],
        name: 'crew.on-exit',
        once: true,
      });
      return trigger;
    } catch (error) {
      // Another has control of it: tried again with the next list.
      this.#triggers.delete(id);
      const code = isT4aError(error) ? error.code : undefined;
      if (code !== 'control_held' && code !== 'terminal_not_found') this.#report(error);
      return undefined;
    }
  }
}

/** Members that no living member has started. */
export function rootsOf(living: readonly Member[]): readonly Member[] {
  return living.filter(({ parent }) => !living.some(({ id }) => id === parent));
}
