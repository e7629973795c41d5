/** A search in the lines of a terminal: the match that is shown, and all that are seen. */
import type { DaemonConnection } from '../client/connection.js';
import type { Mirror } from '../mirror/mirror.js';
import { matchesIn, type PlacedMatch } from './row-places.js';
import type { RowsPage, ScrollbackRows } from './scrollback-rows.js';
import { MAX_WORDS, type Match, type Place, ScrollbackSearch, type SteppedMatch } from './scrollback-search.js';

export interface FinderOptions {
  readonly connection: DaemonConnection;
  readonly id: string;
  readonly mirror: Mirror;
  readonly rows: ScrollbackRows;
}

export type SearchDirection = 'down' | 'up';

export class Finder {
  readonly #options: FinderOptions;
  #search: ScrollbackSearch | undefined;
  #found: SteppedMatch | undefined;
  #direction: SearchDirection = 'down';
  #placed: { readonly page: RowsPage; readonly words: string; readonly matches: readonly PlacedMatch[] } | undefined;

  constructor(options: FinderOptions) {
    this.#options = options;
  }

  get search(): ScrollbackSearch | undefined {
    return this.#search;
  }

  /** The match that is shown. */
  get found(): SteppedMatch | undefined {
    return this.#found;
  }

  forget(): void {
    this.#search = undefined;
    this.#found = undefined;
  }

  /** @param words empty for those of the search before @returns undefined if there are none @throws T4aError */
  async begin(words: string, from: Place, direction: SearchDirection): Promise<Match | undefined> {
    const wanted = words === '' ? this.#search?.words : words.slice(0, MAX_WORDS);
    this.#direction = direction;
    return wanted === undefined ? undefined : this.#find(wanted, from, direction);
  }

  /** The next one, in the direction of the search or against it. @throws T4aError */
  async again(isForward: boolean): Promise<Match | undefined> {
    if (this.#search === undefined || this.#found === undefined) return undefined;
    const direction = isForward === (this.#direction === 'down') ? 'down' : 'up';
    return this.#find(this.#search.words, this.#found.match, direction);
  }

  /** Matches in the rows that are read. */
  get matches(): readonly PlacedMatch[] {
    const { page } = this.#options.rows;
    const words = this.#search?.words ?? '';
    if (words === '') return [];
    if (this.#placed?.page !== page || this.#placed.words !== words) {
      this.#placed = { page, words, matches: matchesIn(page.rows, this.#options.mirror.state.cols, words) };
    }
    return this.#placed.matches;
  }

  /** The cells of the match that is shown, if its rows are read. */
  get current(): PlacedMatch | undefined {
    if (this.#found === undefined) return undefined;
    const { line, nth } = this.#found.match;
    const { from } = this.#options.rows.page;
    return this.matches.find((placed) => placed.line + from === line && placed.nth === nth);
  }

  async #find(words: string, from: Place, direction: SearchDirection): Promise<Match | undefined> {
    const { connection, id, mirror } = this.#options;
    // What has been printed since is searched, too.
    const isKnown = this.#search?.words === words && this.#search.rev === mirror.rev;
    if (!isKnown) this.#search = await ScrollbackSearch.of(connection, id, words, mirror.state.cols);
    this.#found = this.#search?.step(from, direction);
    return this.#found?.match;
  }
}
