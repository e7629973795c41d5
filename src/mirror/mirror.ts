/**
 * A screen at the watcher's end, made of the frames of `watch`. Pure: it asks nobody and draws nothing, and runs in
 * browsers. Rows are values that never change; a row that has moved is the same object.
 */
import type { Reply } from '../protocol/registry.js';

export type Frame = Reply<'watch'>;
export type MirrorRun = Frame['drawn'][number]['runs'][number];

/** Row of the wire. */
type WireRow = Omit<Frame['drawn'][number], 'row'>;

export interface MirrorRow {
  /** Runs from the first column; cells after the last run are empty. */
  readonly runs: readonly MirrorRun[];
  /** The row continues the one above. */
  readonly wrapped: boolean;
  readonly size: 'single' | 'double-width' | 'double-top' | 'double-bottom';
}

export interface MirrorCursor {
  /** 0-based. */
  readonly row: number;
  readonly col: number;
  readonly visible: boolean;
  readonly shape: 'block' | 'underline' | 'bar';
  readonly blink: boolean;
}

export interface MirrorState {
  readonly cols: number;
  readonly title: string;
  readonly altScreen: boolean;
  readonly modes: NonNullable<Frame['modes']>;
  /** Colors that the program itself has set. */
  readonly colors: NonNullable<Frame['colors']>;
  readonly alive: boolean;
  readonly bells: number;
  /** Holder of control; null if no name has it, undefined from a daemon without `control`. */
  readonly control: Frame['control'];
  /** Connections that watch the terminal, this one included. */
  readonly watchers: number;
  /** Numbers of the open questions about the terminal. */
  readonly asks: readonly number[];
  /** Work of the program; undefined if nothing has said so. */
  readonly doing?: Frame['doing'];
}

/** Changes of one frame. */
export interface MirrorChange {
  /** Indexes of rows, ascending. */
  readonly rows: readonly number[];
  readonly cursor: boolean;
  readonly state: boolean;
  /** Bells since the frame before. */
  readonly bells: number;
}

const BLANK: MirrorRow = { runs: [], wrapped: false, size: 'single' };

const UNSEEN: MirrorState = {
  cols: 0,
  title: '',
  altScreen: false,
  modes: {},
  colors: {},
  alive: true,
  bells: 0,
  control: undefined,
  watchers: 0,
  asks: [],
};

export class Mirror {
  #rows: readonly MirrorRow[] = [];
  #cursor: MirrorCursor = { row: 0, col: 0, visible: false, shape: 'block', blink: false };
  #state = UNSEEN;
  #oldest = 0;
  #frame: { readonly rev: number; readonly state: number; readonly firstLine: number } | undefined;

  get rows(): readonly MirrorRow[] {
    return this.#rows;
  }

  get cursor(): MirrorCursor {
    return this.#cursor;
  }

  get state(): MirrorState {
    return this.#state;
  }

  /** Revision of the screen; undefined before the first frame. */
  get rev(): number | undefined {
    return this.#frame?.rev;
  }

  /** Lasting number of the top row. */
  get firstLine(): number {
    return this.#frame?.firstLine ?? 0;
  }

  /** Lasting number of the oldest line that the terminal keeps. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Fields of the next question; none before the first frame. */
  get question(): { readonly since: number; readonly state: number } | Record<string, never> {
    return this.#frame === undefined ? {} : { since: this.#frame.rev, state: this.#frame.state };
  }

  /** To be called with the answer to {@link question}, before the next is asked. @throws Error if the first frame is not complete */
  apply(frame: Frame): MirrorChange {
    const before = { rows: this.#rows, cursor: this.#cursor, frame: this.#frame, bells: this.#state.bells };
    if (before.frame === undefined && frame.complete !== true) throw new Error('the first frame is not complete');
    if (frame.title !== undefined) this.#state = stateOf(frame);
    this.#rows = rowsOf(before.rows, frame);
    this.#cursor = cursorOf(frame);
    this.#oldest = frame.oldest ?? 0;
    this.#frame = { rev: frame.rev, state: frame.state, firstLine: frame.first_line };
    return {
      rows: this.#rows.flatMap((row, i) => (frame.complete === true || row !== before.rows[i] ? [i] : [])),
      cursor: !sameCursor(before.cursor, this.#cursor),
      state: before.frame?.state !== frame.state,
      bells: before.frame === undefined ? 0 : Math.max(0, this.#state.bells - before.bells),
    };
  }
}

/** A row of `watch` or, with the format runs, of `text`. */
export function mirrorRow({ runs, wrapped = false, size }: WireRow): MirrorRow {
  return { runs, wrapped, size: size ?? 'single' };
}

function rowsOf(before: readonly MirrorRow[], frame: Frame): readonly MirrorRow[] {
  const rows = frame.complete === true ? Array.from({ length: frame.rows ?? 0 }, () => BLANK) : [...before];
  for (const [to, from, count] of frame.copied) {
    for (let i = 0; i < count; i++) rows[to + i] = before[from + i] ?? BLANK;
  }
  for (const { row, ...drawn } of frame.drawn) rows[row] = mirrorRow(drawn);
  return rows;
}

function cursorOf({ cursor: [row, col, visible, shape, blink] }: Frame): MirrorCursor {
  return { row, col, visible: visible === 1, shape, blink: blink === 1 };
}

function sameCursor(a: MirrorCursor, b: MirrorCursor): boolean {
  return a.row === b.row && a.col === b.col && a.visible === b.visible && a.shape === b.shape && a.blink === b.blink;
}

function stateOf(frame: Frame): MirrorState {
  return {
    cols: frame.cols ?? UNSEEN.cols,
    title: frame.title ?? UNSEEN.title,
    altScreen: frame.alt_screen ?? UNSEEN.altScreen,
    modes: frame.modes ?? UNSEEN.modes,
    colors: frame.colors ?? UNSEEN.colors,
    alive: frame.alive ?? UNSEEN.alive,
    bells: frame.bells ?? UNSEEN.bells,
    control: frame.control,
    watchers: frame.watchers ?? UNSEEN.watchers,
    asks: frame.asks ?? UNSEEN.asks,
    ...(frame.doing === undefined ? {} : { doing: frame.doing }),
  };
}
