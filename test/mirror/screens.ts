/** Screens as cells, the frames that a daemon makes of them, and output of any kind. */
import * as fc from 'fast-check';
import { frameDiff } from '../../src/features/reading/frame-diff.js';
import { finish } from '../../src/search/work.js';
import type { FrameHistory } from '../../src/features/reading/frame-history.js';
import type { Frame, Mirror } from '../../src/mirror/mirror.js';
import { cellWidth, rowCols } from '../../src/vt/rows/row-text.js';
import { styleParameters } from '../../src/vt/rows/sgr.js';
import * as S from '../../src/vt/snapshot.js';

/** Text, style and link of each cell; a wide character is in its left half. */
export type Cell = readonly [text: string, sgr: string, width: number, link: string];

export const EMPTY: Cell = [' ', '', 1, ''];
export const RIGHT_HALF: Cell = ['', '', 0, ''];

export function shownCells(row: S.SnapshotRow): Cell[] {
  const cols = rowCols(row);
  return Array.from({ length: cols }, (_, col): Cell => {
    if (cellWidth(row, col) === 0 && col > 0 && cellWidth(row, col - 1) === 2) return RIGHT_HALF;
    // Half of a wide character cannot be printed in its place.
    const isCut = cellWidth(row, col) === 2 && (col === cols - 1 || cellWidth(row, col + 1) !== 0);
    const at = col * S.CELL_WORDS;
    const style = {
      fg: row.cells[at + S.CELL_FG] ?? 0,
      bg: row.cells[at + S.CELL_BG] ?? 0,
      attributes: (row.cells[at + S.CELL_ATTRS] ?? 0) & ~S.ATTR_WIDTH_MASK,
      underlineColor: row.underlineColors?.get(col) ?? 0,
    };
    const sgr = styleParameters(style).split(';').slice(1).join(';');
    const width = cellWidth(row, col) === 2 && !isCut ? 2 : 1;
    return [isCut ? ' ' : S.graphemeAt(row, col) || ' ', sgr, width, row.links?.get(col) ?? ''];
  });
}

/** What a daemon answers to the mirror's question. */
export function frameFor(mirror: Mirror, history: FrameHistory, snapshot: S.Snapshot): Frame {
  const { since } = mirror.question;
  const { complete, copied, drawn } = finish(frameDiff(since === undefined ? undefined : history.get(since), snapshot));
  history.keep(snapshot);
  const { row, col, visible, shape, blink } = snapshot.cursor;
  const { rev, cols, rows, title, altScreen } = snapshot;
  return {
    rev,
    state: 1,
    ...(complete ? { complete, cols, rows, title, alt_screen: altScreen } : {}),
    first_line: 0,
    cursor: [row, col, visible ? 1 : 0, shape, blink ? 1 : 0],
    copied,
    drawn: structuredClone(drawn),
  };
}

const TEXTS = ['a', 'ls -l ', '漢字', '👩‍💻', '🇩🇪', 'e\u0301', '\u0301', '─┼', '🇩', '🇪', '\u200d', 'x'.repeat(15), 'ﷺ'];
const CONTROLS = [
  '\r\n',
  '\n\n\n',
  '\r',
  '\b',
  '\t',
  '\x1bM',
  '\x1b7',
  '\x1b8',
  '\x1bc',
  '\x1b#3',
  '\x1b#6',
  '\x1b#5',
  '\x1b[H',
  '\x1b[J',
  '\x1b[1J',
  '\x1b[K',
  '\x1b[2L',
  '\x1b[2M',
  '\x1b[3P',
  '\x1b[3@',
  '\x1b[2S',
  '\x1b[2T',
  '\x1b[4X',
  '\x1b[2;4r',
  '\x1b[r',
  '\x1b[?1049h',
  '\x1b[?1049l',
  '\x1b[?25l',
  '\x1b[?25h',
  '\x1b[?7l',
  '\x1b[?7h',
  '\x1b[3 q',
  '\x1b[m',
  '\x1b[1;31m',
  '\x1b[7m',
  '\x1b[48;5;200m',
  '\x1b[38:2::1:2:3m',
  '\x1b[4:3;58:5:9m',
  '\x1b[9;53;3m',
  '\x1b]8;;https://a.test/\x1b\\',
  '\x1b]8;;\x1b\\',
  '\x1b]2;title\x07',
];
/** Text and controls. */
export const output = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 5, arbitrary: fc.constantFrom(...CONTROLS) },
  fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 22 })).map(([row, col]) => `\x1b[${row};${col}H`),
);
