/** Screens beside and below each other as one: a picture of it is a contact sheet. */
import {
  ATTR_BOLD,
  ATTR_WIDTH_SHIFT,
  CELL_ATTRS,
  CELL_GRAPHEME,
  CELL_WORDS,
  COLOR_PALETTE,
  CELL_FG,
  GRAPHEME_CLUSTER,
  type Snapshot,
  type SnapshotRow,
} from '../../vt/snapshot.js';

export interface Tile {
  readonly snapshot: Snapshot;
  /** Printable ASCII. */
  readonly caption: string;
}

/** Cells between two tiles. */
const GAP = 2;

const CAPTION_COLOR = COLOR_PALETTE | 11;

/** @param across tiles in a row. Colours are those of the last tile; double lines and links are shown as plain text. */
export function tiled(tiles: readonly Tile[], across: number): Snapshot {
  const last = tiles.at(-1);
  if (last === undefined) throw new Error('a sheet needs a tile');
  const width = Math.max(...tiles.map(({ snapshot }) => snapshot.cols));
  const cols = Math.min(across, tiles.length) * (width + GAP) - GAP;
  const lines: SnapshotRow[] = [];
  for (let first = 0; first < tiles.length; first += across) {
    const band = tiles.slice(first, first + across);
    if (first > 0) lines.push(new WideRow(cols).row());
    const captions = new WideRow(cols);
    for (const [index, { caption }] of band.entries()) captions.write(index * (width + GAP), caption.slice(0, width));
    lines.push(captions.row());
    const height = Math.max(...band.map(({ snapshot }) => snapshot.rows));
    for (let y = 0; y < height; y++) {
      const wide = new WideRow(cols);
      for (const [index, { snapshot }] of band.entries()) {
        const row = snapshot.lines[y];
        if (row !== undefined) wide.copy(index * (width + GAP), row);
      }
      lines.push(wide.row());
    }
  }
  const cursor = { ...last.snapshot.cursor, visible: false };
  return { ...last.snapshot, cols, rows: lines.length, lines, cursor, reverseScreen: false };
}

class WideRow {
  readonly #cells: Uint32Array;
  readonly #clusters: string[] = [];
  readonly #underlineColors = new Map<number, number>();

  constructor(cols: number) {
    this.#cells = new Uint32Array(cols * CELL_WORDS);
    for (let at = CELL_ATTRS; at < this.#cells.length; at += CELL_WORDS) this.#cells[at] = 1 << ATTR_WIDTH_SHIFT;
  }

  write(col: number, text: string): void {
    for (const [index, char] of Array.from(text).entries()) {
      const at = (col + index) * CELL_WORDS;
      this.#cells[at + CELL_GRAPHEME] = char.codePointAt(0) ?? 0;
      this.#cells[at + CELL_FG] = CAPTION_COLOR;
      this.#cells[at + CELL_ATTRS] = (1 << ATTR_WIDTH_SHIFT) | ATTR_BOLD;
    }
  }

  copy(col: number, { cells, clusters, underlineColors }: SnapshotRow): void {
    const start = col * CELL_WORDS;
    this.#cells.set(cells, start);
    for (let at = start; at < start + cells.length; at += CELL_WORDS) {
      const word = this.#cells[at] ?? 0;
      if (word < GRAPHEME_CLUSTER) continue;
      this.#cells[at] = (GRAPHEME_CLUSTER | this.#clusters.length) >>> 0;
      this.#clusters.push(clusters[word - GRAPHEME_CLUSTER] ?? '');
    }
    for (const [at, color] of underlineColors ?? []) this.#underlineColors.set(col + at, color);
  }

  row(): SnapshotRow {
    return {
      cells: this.#cells,
      clusters: this.#clusters,
      underlineColors: this.#underlineColors.size === 0 ? undefined : this.#underlineColors,
      links: undefined,
      wrapped: false,
      lineSize: 'single',
    };
  }
}
