/** The terminals of the daemon, as the commands of a person need them. */
import type { DaemonConnection } from '../../client/connection.js';
import { doingWord } from '../../mirror/doing-word.js';
import { endWord } from '../../protocol/end-words.js';
import { titleThatWasSet } from '../../protocol/program-title.js';
import { oneLine } from '../ask-card.js';
import type { Choice } from '../picker.js';

export class TerminalChoices {
  readonly #connection: DaemonConnection;
  readonly #own: string | undefined;

  /** @param own the terminal that attach runs in: it is never shown */
  constructor(connection: DaemonConnection, own: string | undefined) {
    this.#connection = connection;
    this.#own = own;
  }

  /** Terminals in the order of the names, ended ones too. */
  async choices(): Promise<readonly Choice[]> {
    const [{ terminals }, { asks }] = await Promise.all([
      this.#connection.call('list'),
      // A daemon without questions has none to mark.
      this.#connection.call('asks').catch(() => ({ asks: [] })),
    ]);
    const asked = new Map(asks.toReversed().map(({ id, as, question }) => [id, `? ${as}: ${oneLine(question)}  `]));
    const collator = new Intl.Collator('en', { numeric: true });
    return terminals
      .filter(({ id }) => id !== this.#own)
      .toSorted((a, b) => collator.compare(a.id, b.id))
      .map(({ id, alive, cols, rows, cmd, title, doing, exit_code, signal }) => ({
        id,
        about: `${asked.get(id) ?? ''}${spaced(doingWord(doing))}${alive ? `${cols}x${rows}` : endWord({ exit_code, signal })}  ${titleThatWasSet({ title, cmd }) || cmd.join(' ')}`,
      }));
  }

  /** Undefined if there is no other one. */
  async neighbour(of: string, by: 1 | -1): Promise<string | undefined> {
    const ids = (await this.choices()).map(({ id }) => id);
    const at = ids.indexOf(of);
    // One that is gone has its neighbour all the same.
    const next = ids[(Math.max(at, by === 1 ? -1 : 0) + by + ids.length) % ids.length];
    return next === of ? undefined : next;
  }
}

function spaced(word: string): string {
  return word === '' ? '' : `${word}  `;
}
