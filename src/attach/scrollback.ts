/** The lines above the screen, read by their lasting numbers: what is being read stays while the program prints. */
import type { DaemonConnection } from '../client/connection.js';
import { mirrorRow, type MirrorRow } from '../mirror/mirror.js';
import type { Panel } from './panel.js';
import type { StatusLine } from './status-line.js';

export interface ScrollbackOptions {
  readonly connection: DaemonConnection;
  readonly id: string;
  /** Lasting number of the top row of the screen. */
  readonly firstLine: number;
  /** Rows that the person sees. */
  rows(): number;
  onChange(): void;
  onError(error: unknown): void;
}

type Move = (rows: number) => number;

const MOVES: Readonly<Record<string, Move>> = {
  '\x1b[A': () => -1,
  '\x1bOA': () => -1,
  k: () => -1,
  '\x1b[B': () => 1,
  '\x1bOB': () => 1,
  j: () => 1,
  '\x1b[5~': (rows) => 1 - rows,
  b: (rows) => 1 - rows,
  '\x1b[6~': (rows) => rows - 1,
  ' ': (rows) => rows - 1,
  g: () => Number.NEGATIVE_INFINITY,
  G: () => Number.POSITIVE_INFINITY,
};

const LEAVING = new Set(['q', '\r', '\x03', '\x1b']);

export class Scrollback implements Panel {
  readonly #options: ScrollbackOptions;
  #top: number;
  #rows: readonly MirrorRow[] | undefined;
  #first = 0;
  #isReading = false;
  #isStale = false;

  constructor(options: ScrollbackOptions) {
    this.#options = options;
    this.#top = Math.max(0, options.firstLine - Math.floor(options.rows() / 2));
    this.#read();
  }

  get rows(): readonly MirrorRow[] | undefined {
    return this.#rows;
  }

  get status(): StatusLine {
    const above = this.#options.firstLine - this.#top;
    const left = above === 0 ? ' Scrollback: at the screen' : ` Scrollback: ${above} rows above the screen`;
    return { left, right: '↑ ↓ PgUp PgDn g G │ q: leave ', look: 'message' };
  }

  overlay(): readonly string[] {
    return [];
  }

  take(key: string): boolean {
    if (LEAVING.has(key)) return true;
    const by = MOVES[key]?.(this.#options.rows()) ?? 0;
    this.#top = Math.max(this.#first, Math.min(this.#top + by, this.#options.firstLine));
    this.#read();
    return false;
  }

  /** One question at a time, and then one for the place where the person is by then. */
  #read(): void {
    this.#isStale = this.#isReading;
    if (!this.#isReading) void this.#ask();
  }

  async #ask(): Promise<void> {
    const options = this.#options;
    this.#isReading = true;
    try {
      const range = { from_line: this.#top, max_lines: Math.max(1, options.rows()) };
      const reply = await options.connection.call('text', { id: options.id, format: 'runs', ...range });
      this.#first = reply.first_line - (reply.total_lines - reply.end);
      this.#top = Math.max(this.#top, this.#first);
      this.#rows = (reply.rows ?? []).map(mirrorRow);
      options.onChange();
    } catch (error) {
      options.onError(error);
    }
    this.#isReading = false;
    if (this.#isStale) this.#read();
  }
}
