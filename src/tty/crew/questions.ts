/** Questions of members that wait for somebody: looked for once for each question. */
import type { DaemonConnection } from '../../client/connection.js';
import type { Member } from '../../crew/members.js';
import { type Question, questionOf, questionOnScreen } from '../../crew/question.js';

interface Found {
  /** Key of the time at which it was looked for. */
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
    const asking = members.filter(({ need }) => need !== null);
    for (const id of this.#found.keys()) if (!asking.some((one) => one.id === id)) this.#found.delete(id);
    await Promise.all(
      asking.map(async ({ id, terminal }) => {
        const key = JSON.stringify([terminal.doing?.since, terminal.doing?.evidence]);
        if (this.#found.get(id)?.key === key) return;
        this.#found.set(id, { key, question: await questionOf(this.#connection, terminal) });
      }),
    );
  }

  /** Question that stands on the screen at this moment; undefined if none does, or the terminal has gone. */
  now(id: string): Promise<Question | undefined> {
    return questionOnScreen(this.#connection, id);
  }
}
