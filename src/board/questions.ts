/** What the dialogues on the screens of members ask: looked for once for each of them. */
import type { DaemonConnection } from '../client/connection.js';
import type { Member } from '../crew/members.js';
import { openQuestion, type Question, QUESTION_KINDS } from '../crew/state.js';
import { isT4aError } from '../protocol/errors.js';
import { needsPerson } from './needs.js';

interface Found {
  /** Of the time at which it was looked for. */
  readonly key: string;
  readonly question: Question | undefined;
}

export class Questions {
  readonly #connection: DaemonConnection;
  readonly #found = new Map<string, Found>();

  constructor(connection: DaemonConnection) {
    this.#connection = connection;
  }

  textOf(id: string): string {
    return this.#found.get(id)?.question?.text ?? '';
  }

  /** After each list of members. */
  async load(members: readonly Member[]): Promise<void> {
    const asking = members.filter((one) => needsPerson(one) && one.terminal.doing?.source === 'rules');
    for (const id of this.#found.keys()) if (!asking.some((one) => one.id === id)) this.#found.delete(id);
    await Promise.all(
      asking.map(async ({ id, terminal: { doing } }) => {
        const key = JSON.stringify([doing?.since, doing?.evidence]);
        if (this.#found.get(id)?.key === key) return;
        this.#found.set(id, { key, question: await this.now(id) });
      }),
    );
  }

  /** As it stands on the screen at this moment; undefined if none does, or the terminal has gone. */
  async now(id: string): Promise<Question | undefined> {
    try {
      const { entries } = await this.#connection.call('entries', { id, kinds: [...QUESTION_KINDS], open: true });
      return openQuestion(entries);
    } catch (error) {
      if (isT4aError(error) && error.code === 'terminal_not_found') return undefined;
      throw error;
    }
  }
}
