/**
 * The lines above the screen and the screen itself, as far as the person's terminal is too small for it: read by their lasting
 * numbers, so that what is being read stays while the program prints.
 */
import type { DaemonConnection } from '../client/connection.js';
import { mirrorRow, type MirrorRow } from '../mirror/mirror.js';
import type { Panel, Size } from './panel.js';
import type { StatusLine } from './status-line.js';

export interface ScrollbackOptions {
  readonly connection: DaemonConnection;
  readonly id: string;
  /** Lasting number of the top row of the screen. */
  readonly firstLine: number;
  /** The part that the person sees. */
  window(): Size;
  /** The size of the whole screen. */
  screen(): Size;
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

/** Columns to the right, of those that the person sees. */
const PANS: Readonly<Record<string, Move>> = {
  '\x1b[C': () => PAN_COLS,
  '\x1bOC': () => PAN_COLS,
  l: () => PAN_COLS,
  '\x1b[D': () => -PAN_COLS,
  '\x1bOD': () => -PAN_COLS,
  h: () => -PAN_COLS,
  '\x1b[F': () => Number.POSITIVE_INFINITY,
  '\x1bOF': () => Number.POSITIVE_INFINITY,
  '\x1b[4~': () => Number.POSITIVE_INFINITY,
  $: () => Number.POSITIVE_INFINITY,
  '\x1b[H': () => Number.NEGATIVE_INFINITY,
  '\x1bOH': () => Number.NEGATIVE_INFINITY,
  '\x1b[1~': () => Number.NEGATIVE_INFINITY,
  '0': () => Number.NEGATIVE_INFINITY,
};

const PAN_COLS = 8;

const LEAVING = new Set(['q', '\r', '\x03', '\x1b']);

export class Scrollback implements Panel {
  readonly #options: ScrollbackOptions;
  #top: number;
  #left = 0;
  #rows: readonly MirrorRow[] | undefined;
  #first = 0;
  #isReading = false;
  #isStale = false;

  constructor(options: ScrollbackOptions) {
    this.#options = options;
    this.#top = Math.max(0, options.firstLine - Math.floor(options.window().rows / 2));
    this.#read();
  }

  get rows(): readonly MirrorRow[] | undefined {
    return this.#rows;
  }

  /** The first column that is seen. */
  get left(): number {
    return this.#left;
  }

  get status(): StatusLine {
    const above = this.#options.firstLine - this.#top;
    const place = above > 0 ? `${above} rows above the screen` : above === 0 ? 'at the screen' : `row ${1 - above}`;
    const { cols, rows } = this.#options.screen();
    const window = this.#options.window();
    const seen = `columns ${this.#left + 1}-${Math.min(cols, this.#left + window.cols)} of ${cols}`;
    const isWide = cols > window.cols;
    return {
      left: ` Scrollback: ${place}${above < 0 ? ` of ${rows}` : ''}${isWide ? `, ${seen}` : ''}`,
      right: `${isWide ? '← → ' : ''}↑ ↓ PgUp PgDn g G │ q: leave `,
      shortRight: 'q: leave ',
      look: 'message',
    };
  }

  overlay(): readonly string[] {
    return [];
  }

  take(key: string): boolean {
    if (LEAVING.has(key)) return true;
    const window = this.#options.window();
    const screen = this.#options.screen();
    const right = Math.max(0, screen.cols - window.cols);
    this.#left = Math.max(0, Math.min(this.#left + (PANS[key]?.(window.cols) ?? 0), right));
    const by = MOVES[key]?.(window.rows) ?? 0;
    // The ends of the text begin in the first column.
    if (!Number.isFinite(by)) this.#left = 0;
    const lowest = this.#options.firstLine + Math.max(0, screen.rows - window.rows);
    this.#top = Math.max(this.#first, Math.min(this.#top + by, lowest));
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
      const range = { from_line: this.#top, max_lines: Math.max(1, options.window().rows) };
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
