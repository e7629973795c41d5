/** Rows of one terminal by their lasting numbers: those around the place where the person reads, and no others. */
import type { DaemonConnection } from '../client/connection.js';
import { mirrorRow, type MirrorRow } from '../mirror/mirror.js';

/** Rows that are kept above and below those that the person sees: a step of the wheel has them already. */
const MARGIN_ROWS = 50;

export interface RowsPage {
  /** Lasting number of the first one. */
  readonly from: number;
  readonly rows: readonly MirrorRow[];
}

export class ScrollbackRows {
  readonly #connection: DaemonConnection;
  readonly #id: string;
  #page: RowsPage;
  #hasEnd = true;
  #oldest = 0;
  #wanted: { readonly top: number; readonly count: number } | undefined;
  #reading: Promise<void> | undefined;

  /** @param page the screen, as the person sees it at the beginning */
  constructor(connection: DaemonConnection, id: string, page: RowsPage) {
    this.#connection = connection;
    this.#id = id;
    this.#page = page;
  }

  /** The last that was read. A new one is another object. */
  get page(): RowsPage {
    return this.#page;
  }

  /** Lasting number of the first row that the terminal still has. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Whether these rows are there, as far as the terminal has them. */
  covers(top: number, count: number): boolean {
    const { from, rows } = this.#page;
    return from <= top && (this.#hasEnd || top + count <= from + rows.length);
  }

  /** One question at a time, and then one for the last place that is wanted by then. Resolves once nothing is wanted. */
  read(top: number, count: number): Promise<void> {
    this.#wanted = { top, count };
    this.#reading ??= this.#readAll();
    return this.#reading;
  }

  /** Other rows than those around the place. @throws T4aError */
  async pageAt(from: number, count: number): Promise<RowsPage> {
    const range = { from_line: Math.max(0, from), max_lines: count };
    const reply = await this.#connection.call('text', { id: this.#id, format: 'runs', ...range });
    this.#oldest = reply.first_line - (reply.total_lines - reply.end);
    return { from: reply.first_line, rows: (reply.rows ?? []).map(mirrorRow) };
  }

  async #readAll(): Promise<void> {
    try {
      for (let wanted = this.#wanted; wanted !== undefined; wanted = this.#wanted) {
        this.#wanted = undefined;
        const count = wanted.count + 2 * MARGIN_ROWS;
        const page = await this.pageAt(wanted.top - MARGIN_ROWS, count);
        this.#page = page;
        this.#hasEnd = page.rows.length < count;
      }
    } finally {
      // In the step of the last look: what is wanted next begins anew.
      this.#wanted = undefined;
      this.#reading = undefined;
    }
  }
}
