/**
 * How often, and how regularly, each cell of a grid has changed: distinguishes a spinner, a clock or a progress figure
 * from output. A cell is periodic after three changes at even intervals, or six at any, none of them longer than {@link
 * MAX_PERIOD_MS}; its history is dropped if it stays the same for longer.
 */

/** A refresh every two or three seconds (top, watch) still counts; a minute on a clock does not. */
export const MAX_PERIOD_MS = 3500;
const EVEN_CHANGES = 3;
const UNEVEN_CHANGES = 6;
/** Frames are taken some 40 ms apart, so that two intervals of 80 ms may look like 40 and 120. */
const JITTER_MS = 100;

interface RowHistory {
  readonly lastMs: Float64Array;
  readonly changes: Uint8Array;
  readonly shortestMs: Float32Array;
  readonly longestMs: Float32Array;
}

/** Cells `col` to `col + cols - 1` of a row. */
export interface ChangedSpan {
  readonly row: number;
  readonly col: number;
  readonly cols: number;
}

export class CellHistory {
  readonly #cols: number;
  /** Only rows that have changed take memory: 17 bytes a cell. */
  readonly #rows = new Map<number, RowHistory>();

  constructor(cols: number) {
    this.#cols = cols;
  }

  note(row: number, col: number, nowMs: number): void {
    const history = this.#rows.get(row) ?? this.#newRow(row);
    const sinceMs = nowMs - (history.lastMs[col] ?? 0);
    const changes = history.changes[col] ?? 0;
    history.lastMs[col] = nowMs;
    if (changes === 0 || sinceMs > MAX_PERIOD_MS) {
      history.changes[col] = 1;
      return;
    }
    history.shortestMs[col] = changes === 1 ? sinceMs : Math.min(sinceMs, history.shortestMs[col] ?? 0);
    history.longestMs[col] = changes === 1 ? sinceMs : Math.max(sinceMs, history.longestMs[col] ?? 0);
    history.changes[col] = Math.min(255, changes + 1);
  }

  isPeriodic(row: number, col: number, nowMs: number): boolean {
    const history = this.#rows.get(row);
    if (history === undefined || nowMs - (history.lastMs[col] ?? 0) > MAX_PERIOD_MS) return false;
    const changes = history.changes[col] ?? 0;
    if (changes >= UNEVEN_CHANGES) return true;
    return changes >= EVEN_CHANGES && (history.longestMs[col] ?? 0) <= 2 * (history.shortestMs[col] ?? 0) + JITTER_MS;
  }

  /** Neighbouring periodic cells as one span each, top to bottom, at most `most` of them. */
  periodicSpans(nowMs: number, most: number): ChangedSpan[] {
    const spans: ChangedSpan[] = [];
    for (const row of [...this.#rows.keys()].sort((a, b) => a - b)) {
      for (let col = 0; col < this.#cols; col++) {
        const start = col;
        while (col < this.#cols && this.isPeriodic(row, col, nowMs)) col++;
        if (col === start) continue;
        if (spans.length === most) return spans;
        spans.push({ row, col: start, cols: col - start });
      }
    }
    return spans;
  }

  clear(): void {
    this.#rows.clear();
  }

  #newRow(row: number): RowHistory {
    const history = {
      lastMs: new Float64Array(this.#cols),
      changes: new Uint8Array(this.#cols),
      shortestMs: new Float32Array(this.#cols),
      longestMs: new Float32Array(this.#cols),
    };
    this.#rows.set(row, history);
    return history;
  }
}
