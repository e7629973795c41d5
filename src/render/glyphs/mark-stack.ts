/**
 * Puts combining marks on a letter that was drawn without them: those above and below stacked outwards from its ink, those
 * that lie over it across its middle, those that enclose it around all of it. Where a cell has too little room, first the
 * marks become lower, then the letter, which stays upon its baseline, so that nothing leaves the cell and nothing is lost.
 */
import { cutOut, drawInto, type InkBox, inkBoxOf, type InkMask, shortened } from './ink-mask.js';
import type { MarkAnchor } from '../fonts/combining-marks.js';

export interface StackedMark {
  /** Cut out to its ink. */
  readonly ink: InkMask;
  readonly place: MarkAnchor;
  /** Width in pixels of the cell, as large as its face has it. */
  readonly width: number;
  readonly height: number;
}

export interface StackMetrics {
  /** Box in which marks of a blank stand: a letter without ascender or descender. */
  readonly blank: InkBox;
  readonly gap: number;
  /** Pixels to the right for each pixel upwards. */
  readonly slant: number;
}

/** Tried in this order, parts of a mark's own height, before the letter has to give way. */
const MARK_SCALES = [1, 0.8, 0.65];
/** The part of its height that a letter has at least before it leaves the row that it stands on. */
const STANDING_KEEPS = 0.6;
/** Share of the cell's height: a mark is moved by at most this before it becomes lower. */
const MOVES = 1 / 8;
/** Share of the cell's height: a mark that is no higher (a hyphen, a low line) is moved as far as needed. */
const FLAT = 1 / 4;
/** The part of its height that a letter keeps at least. */
const LETTER_KEEPS = 0.5;
/** Fewer and an arc or a tilde is a bar. */
const SHAPED_ROWS = 2;
/** Least aspect of a line: a mark over a letter that is so much longer than thick has to reach out of the letter to be seen. */
const LINE_ASPECT = 2;
/** The part of the enclosing mark's box that what it encloses has to fit into. */
const ENCLOSED = 0.62;
/** Height of an enclosing mark, in widths of its box. */
const ENCLOSING_ASPECT = 1.5;

/** Rows that a letter may be moved. */
export function movesIn(height: number): number {
  return Math.round(height * MOVES);
}

export function withMarks(letter: InkMask, marks: readonly StackedMark[], metrics: StackMetrics): InkMask {
  const at = marks.findIndex(({ place }) => place.where === 'around');
  const around = marks[at];
  if (around === undefined) return stacked(letter, marks, metrics);
  const inside = stacked(letter, marks.slice(0, at), metrics);
  return withMarks(enclosed(inside, around), marks.slice(at + 1), metrics);
}

function stacked(letter: InkMask, marks: readonly StackedMark[], metrics: StackMetrics): InkMask {
  if (marks.length === 0) return letter;
  const { width, height } = letter;
  const box = inkBoxOf(letter) ?? metrics.blank;
  const above = pileOf(marks, 'above', box.top, metrics.gap);
  const below = pileOf(marks, 'below', height - box.bottom, metrics.gap);
  const { top, bottom, press } = letterRows(box, height, above.height, below.height);
  const result = { width, height, alpha: new Uint8Array(width * height) };
  const across = { left: 0, right: width };
  const ink = cutOut(letter, { ...across, top: box.top, bottom: box.bottom });
  drawInto(result, shortened(ink, Math.round(bottom - top)), { ...across, top, bottom });
  const moved = { ...box, top, bottom };
  const draw = (mark: StackedMark, rows: Rows): void =>
    drawInto(result, mark.ink, { ...rows, ...columnsOf(mark, rows, moved, width, metrics) });
  for (const { mark, near, far } of above.marks) draw(mark, { top: top - far * press, bottom: top - near * press });
  for (const { mark, near, far } of below.marks)
    draw(mark, { top: bottom + near * press, bottom: bottom + far * press });
  for (const mark of marks.filter(({ place }) => place.where === 'over'))
    draw(mark, rowsOver(mark, moved, height, metrics.gap));
  return result;
}

interface Rows {
  readonly top: number;
  readonly bottom: number;
}

interface Pile {
  /** Innermost first; how far from the letter each begins and ends. */
  readonly marks: readonly { readonly mark: StackedMark; readonly near: number; readonly far: number }[];
  readonly height: number;
}

/** Marks in whole rows, as high as the room allows; the lowest that they may become, where there is too little. */
function pileOf(marks: readonly StackedMark[], where: 'above' | 'below', room: number, gap: number): Pile {
  const own = marks.filter(({ place }) => place.where === where);
  const piles = [pile(own, 1, gap), ...MARK_SCALES.map((scale) => pile(own, scale, 1))];
  return piles.find(({ height }) => height <= room) ?? pile(own, MARK_SCALES.at(-1) ?? 1, 1);
}

function pile(marks: readonly StackedMark[], scale: number, gap: number): Pile {
  let height = 0;
  const piled = marks.map((mark) => {
    const near = height + (mark.place.attached ? 0 : gap);
    const rows = Math.max(1, Math.round(mark.height));
    height = near + Math.max(Math.min(rows, SHAPED_ROWS), Math.round(rows * scale));
    return { mark, near, far: height };
  });
  return { marks: piled, height };
}

/** Rows of the letter between its marks; they are pressed together where even half a letter leaves too little room. */
function letterRows(box: Rows, height: number, above: number, below: number): Rows & { readonly press: number } {
  const rows = box.bottom - box.top;
  const standing = Math.min(box.bottom, height - below) - Math.max(box.top, above);
  const stays = rows > height * FLAT && standing >= rows * STANDING_KEEPS;
  const moves = stays ? 0 : rows <= height * FLAT ? height : movesIn(height);
  const up = Math.max(0, Math.min(moves, box.bottom - (height - below)));
  const down = Math.max(0, Math.min(moves, above - box.top));
  const top = Math.max(above, box.top - up);
  const bottom = Math.min(height - below, box.bottom + down);
  const least = Math.max(1, Math.ceil(rows * LETTER_KEEPS));
  if (bottom - top >= least) return { top, bottom, press: 1 };
  const first = above > 0 ? 0 : top;
  const last = below > 0 ? height : bottom;
  const press = Math.min(1, (last - first - least) / (above + below));
  return { top: first + above * press, bottom: last - below * press, press };
}

function rowsOver(mark: StackedMark, letter: InkBox, height: number, gap: number): Rows {
  const least = mark.height > mark.width * LINE_ASPECT ? letter.bottom - letter.top + 2 * gap : 1;
  const rows = Math.min(height, Math.max(least, Math.round(mark.height)));
  const start = clamp(Math.round((letter.top + letter.bottom - rows) / 2), 0, height - rows);
  return { top: start, bottom: start + rows };
}

function columnsOf(
  mark: StackedMark,
  rows: Rows,
  letter: InkBox,
  cellWidth: number,
  { slant, gap }: StackMetrics,
): { readonly left: number; readonly right: number } {
  if (mark.place.side === 'whole') return { left: 0, right: cellWidth };
  const isLine = mark.place.where === 'over' && mark.width > mark.height * LINE_ASPECT;
  const least = isLine ? letter.right - letter.left + gap : 1;
  const width = Math.min(cellWidth, Math.max(least, mark.width));
  const raised = (letter.top + letter.bottom - rows.top - rows.bottom) / 2;
  const middle = (letter.left + letter.right - width) / 2 + slant * raised;
  const wanted = { left: 0, middle, right: cellWidth - width }[mark.place.side];
  const left = clamp(wanted, 0, cellWidth - width);
  return { left, right: left + width };
}

/** The mark takes the whole width, and what it encloses becomes smaller. */
function enclosed(inside: InkMask, mark: StackedMark): InkMask {
  const { width, height } = inside;
  const result = { width, height, alpha: new Uint8Array(width * height) };
  const box = inkBoxOf(inside);
  const rows = Math.min(height, Math.round(width * ENCLOSING_ASPECT));
  if (box !== undefined) {
    const ink = cutOut(inside, box);
    const scale = Math.min(1, (width * ENCLOSED) / ink.width, (rows * ENCLOSED) / ink.height);
    const left = (width - ink.width * scale) / 2;
    const top = (height - ink.height * scale) / 2;
    drawInto(result, ink, { left, top, right: left + ink.width * scale, bottom: top + ink.height * scale });
  }
  const top = Math.floor((height - rows) / 2);
  drawInto(result, mark.ink, { left: 0, right: width, top, bottom: top + rows });
  return result;
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
