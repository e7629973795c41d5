/**
 * The layout of the library's cell words, checked once for each process: cells of every kind are written through the
 * library's public interface and read as the rest of this room reads them. A release with another layout is refused at the
 * first terminal, by the names of what moved, in place of wrong screens.
 */
import type { Terminal } from '@xterm/headless';
import {
  ATTR_BLINK,
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
  ATTR_UNDERLINE_SHIFT,
  ATTR_WIDTH_SHIFT,
  CELL_ATTRS,
  CELL_BG,
  CELL_FG,
  CELL_GRAPHEME,
  CELL_WORDS,
  COLOR_DEFAULT,
  COLOR_PALETTE,
  COLOR_RGB,
  GRAPHEME_CLUSTER,
  type SnapshotRow,
} from '../snapshot.js';
import { openInternals, type RawLine } from './internals.js';
import { buildRow } from './row-builder.js';

interface Sample {
  readonly name: string;
  readonly written: string;
  readonly text?: string;
  readonly fg?: number;
  readonly bg?: number;
  readonly attributes?: number;
  readonly underlineColor?: number;
}

const underline = (style: number): number => style << ATTR_UNDERLINE_SHIFT;

/** One cell each, after a reset of all attributes. */
const SAMPLES: readonly Sample[] = [
  { name: 'code points', written: 'A' },
  { name: 'combined characters', written: 'e\u0301', text: 'e\u0301' },
  { name: 'palette colours', written: '\x1b[31;42mA', fg: COLOR_PALETTE | 1, bg: COLOR_PALETTE | 2 },
  { name: '256 colours', written: '\x1b[38;5;200;48;5;17mA', fg: COLOR_PALETTE | 200, bg: COLOR_PALETTE | 17 },
  { name: 'RGB colours', written: '\x1b[38;2;1;2;3;48;2;4;5;6mA', fg: COLOR_RGB | 0x010203, bg: COLOR_RGB | 0x040506 },
  { name: 'bold', written: '\x1b[1mA', attributes: ATTR_BOLD },
  { name: 'dim', written: '\x1b[2mA', attributes: ATTR_DIM },
  { name: 'italic', written: '\x1b[3mA', attributes: ATTR_ITALIC },
  { name: 'blink', written: '\x1b[5mA', attributes: ATTR_BLINK },
  { name: 'inverse', written: '\x1b[7mA', attributes: ATTR_INVERSE },
  { name: 'invisible', written: '\x1b[8mA', attributes: ATTR_INVISIBLE },
  { name: 'strikethrough', written: '\x1b[9mA', attributes: ATTR_STRIKETHROUGH },
  { name: 'overline', written: '\x1b[53mA', attributes: ATTR_OVERLINE },
  ...[1, 2, 3, 4, 5].map((style) => ({
    name: 'underline styles',
    written: `\x1b[4:${style}mA`,
    attributes: underline(style),
  })),
  {
    name: 'underline colours',
    written: '\x1b[4;58;5;9mA',
    attributes: underline(1),
    underlineColor: COLOR_PALETTE | 9,
  },
];

const WIDE = '漢';

let fits = false;

/** @throws Error naming the kinds of cells that this release keeps in another way */
export function checkCellLayout(open: (cols: number, rows: number) => Terminal, read = buildRow): void {
  if (fits && read === buildRow) return;
  const terminal = open(SAMPLES.length + 2, 1);
  try {
    // An empty input first: the library parses the write after it at once.
    terminal.input('');
    terminal.write(`${SAMPLES.map(({ written }) => `\x1b[m${written}`).join('')}\x1b[m${WIDE}`);
    const line = openInternals(terminal).buffers.active.lines.get(0);
    const moved = line === undefined ? ['lines'] : differences(line, read);
    if (moved.length > 0) {
      throw new Error(`This @xterm/headless keeps ${moved.join(', ')} in another way; 6.0.0 is known to fit.`);
    }
    fits ||= read === buildRow;
  } finally {
    terminal.dispose();
  }
}

function differences(line: RawLine, read: typeof buildRow): string[] {
  const row = read(line, 'single', () => undefined);
  const wide = SAMPLES.length;
  const names = SAMPLES.filter((sample, col) => !isAsWritten(row, col, sample)).map(({ name }) => name);
  const isWide = widthAt(row, wide) === 2 && widthAt(row, wide + 1) === 0 && textAt(row, wide) === WIDE;
  return [...new Set([...names, ...(isWide ? [] : ['wide characters'])])];
}

function isAsWritten(row: SnapshotRow, col: number, sample: Sample): boolean {
  const { text = 'A', fg = COLOR_DEFAULT, bg = COLOR_DEFAULT, attributes = 0, underlineColor } = sample;
  const word = (offset: number): number => row.cells[col * CELL_WORDS + offset] ?? -1;
  return (
    textAt(row, col) === text &&
    word(CELL_FG) === fg &&
    word(CELL_BG) === bg &&
    word(CELL_ATTRS) === (attributes | (1 << ATTR_WIDTH_SHIFT)) &&
    row.underlineColors?.get(col) === underlineColor
  );
}

function textAt({ cells, clusters }: SnapshotRow, col: number): string {
  const grapheme = cells[col * CELL_WORDS + CELL_GRAPHEME] ?? 0;
  if (grapheme >= GRAPHEME_CLUSTER) return clusters[grapheme - GRAPHEME_CLUSTER] ?? '';
  return grapheme <= 0x10_ffff ? String.fromCodePoint(grapheme) : '';
}

function widthAt({ cells }: SnapshotRow, col: number): number {
  return (cells[col * CELL_WORDS + CELL_ATTRS] ?? 0) >>> ATTR_WIDTH_SHIFT;
}
