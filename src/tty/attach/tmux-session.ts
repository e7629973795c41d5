/** The windows and panes of a session of tmux (docs/tmux.md), as the labels of their terminals tell them. */
import type { DaemonConnection } from '../../client/connection.js';

interface Pane {
  readonly id: string;
  readonly door: string;
  readonly session: string;
  readonly index: number;
  readonly name: string;
  readonly number: number;
}

export class TmuxSession {
  readonly #connection: DaemonConnection;
  #panes: readonly Pane[] = [];
  /** Pane that was shown last, by index of a window. */
  readonly #shown = new Map<number, string>();

  constructor(connection: DaemonConnection) {
    this.#connection = connection;
  }

  /** Reads the labels anew. @param id of the terminal that is shown @returns whether that is a pane */
  async look(id: string): Promise<boolean> {
    const { terminals } = await this.#connection.call('list');
    const panes = terminals.flatMap(({ id: of, labels }) => paneOf(of, labels) ?? []);
    const own = panes.find((pane) => pane.id === id);
    this.#panes = panes
      .filter(({ door, session }) => door === own?.door && session === own.session)
      .toSorted((a, b) => a.index - b.index || a.number - b.number);
    if (own !== undefined) this.#shown.set(own.index, id);
    return own !== undefined;
  }

  /** Part of the status line in the place of the terminal's name and title; undefined for a terminal that is no pane. */
  bar(id: string): string | undefined {
    const own = this.#own(id);
    if (own === undefined) return undefined;
    const windows = new Map(this.#panes.map(({ index, name }) => [index, name]));
    const shown = [...windows].map(([index, name]) => `${index}:${name}${index === own.index ? '*' : ''}`).join(' ');
    const beside = this.#beside(own);
    const place = beside.length > 1 ? `  pane ${beside.indexOf(own) + 1} of ${beside.length}` : '';
    return ` [${own.session}] ${shown}${place}`;
  }

  /** A pane of the window with that index. */
  window(index: number): string | undefined {
    const shown = this.#shown.get(index);
    const panes = this.#panes.filter((pane) => pane.index === index);
    return (panes.find((pane) => pane.id === shown) ?? panes[0])?.id;
  }

  /** A pane of the window after or before that of a pane. */
  step(id: string, by: 1 | -1): string | undefined {
    const indexes = [...new Set(this.#panes.map(({ index }) => index))];
    const at = indexes.indexOf(this.#own(id)?.index ?? -1);
    const next = at === -1 ? undefined : indexes.at((at + by) % indexes.length);
    return next === undefined ? undefined : this.window(next);
  }

  /** The pane behind one in its window, around the last one. */
  pane(id: string): string | undefined {
    const own = this.#own(id);
    if (own === undefined) return undefined;
    const beside = this.#beside(own);
    return beside[(beside.indexOf(own) + 1) % beside.length]?.id;
  }

  #own(id: string): Pane | undefined {
    return this.#panes.find((pane) => pane.id === id);
  }

  #beside({ index }: Pane): readonly Pane[] {
    return this.#panes.filter((pane) => pane.index === index);
  }
}

function paneOf(id: string, labels: Readonly<Record<string, string>> = {}): Pane | undefined {
  const { tmux: door, 'tmux.session': session } = labels;
  const window = /^(\d+):(.*)$/.exec(labels['tmux.window'] ?? '');
  const number = /^%(\d+)$/.exec(labels['tmux.pane'] ?? '');
  if (door === undefined || session === undefined || window === null || number === null) return undefined;
  return { id, door, session, index: Number(window[1]), name: window[2] ?? '', number: Number(number[1]) };
}
