/** The named layouts of tmux 3.3a, and layouts as strings. */
import { adjust, type LayoutCell, type Direction, fixOffsets, leaf, newCell, removeCell, spread } from './layout.js';
import { Refusal } from './options.js';

export const LAYOUT_NAMES = ['even-horizontal', 'even-vertical', 'main-horizontal', 'main-vertical', 'tiled'] as const;

export interface Arranged<P> {
  readonly panes: readonly P[];
  readonly cols: number;
  readonly rows: number;
  /** `pane-border-status`. */
  readonly edge: string;
  /** Size of the main and of the other panes out of a whole, as the options say. */
  readonly share: (option: string, whole: number) => number | undefined;
}

/** @returns the new root, or undefined to leave all as it is */
export function arrange<P>(name: (typeof LAYOUT_NAMES)[number], of: Arranged<P>): LayoutCell<P> | undefined {
  if (of.panes.length <= 1) return undefined;
  const root = ARRANGE[name](of) as LayoutCell<P>;
  fixOffsets(root);
  return root;
}

const ARRANGE: Readonly<Record<(typeof LAYOUT_NAMES)[number], (of: Arranged<unknown>) => LayoutCell>> = {
  'even-horizontal': (of) => even(of, 'leftright'),
  'even-vertical': (of) => even(of, 'topbottom'),
  'main-horizontal': (of) => main(of, 'topbottom'),
  'main-vertical': (of) => main(of, 'leftright'),
  tiled,
};

function even({ panes, cols, rows, edge }: Arranged<unknown>, type: Direction): LayoutCell {
  const least = panes.length * 2 - 1;
  const root =
    type === 'leftright'
      ? newCell(undefined, Math.max(cols, least), rows)
      : newCell(undefined, cols, Math.max(rows, least));
  root.type = type;
  root.cells = panes.map((pane) => leaf(pane, cols, rows, root));
  spread(root, edge);
  return root;
}

function main({ panes, cols, rows, edge, share }: Arranged<unknown>, type: Direction): LayoutCell {
  const isRows = type === 'topbottom';
  const [mainOption, otherOption] = isRows
    ? ['main-pane-height', 'other-pane-height']
    : ['main-pane-width', 'other-pane-width'];
  const whole = (isRows ? rows : cols) - 1;
  let size = share(mainOption, whole) ?? (isRows ? 24 : 80);
  let other = share(otherOption, whole) ?? 0;
  if (size + 1 >= whole) {
    size = whole <= 2 ? 1 : whole - 1;
    other = 1;
  } else if (other === 0 || other > whole || whole - other < size) {
    other = whole - size;
  } else {
    size = whole - other;
  }
  const across = Math.max((panes.length - 1) * 2 - 1, isRows ? cols : rows);
  const cell = (along: number, parent?: LayoutCell): LayoutCell =>
    isRows ? newCell(parent, across, along) : newCell(parent, along, across);
  const root = cell(size + other + 1);
  root.type = type;
  const [first, ...rest] = panes;
  const mainCell = { ...cell(size, root), pane: first };
  const otherCell = cell(other, root);
  root.cells = [mainCell, otherCell];
  if (rest.length === 1) {
    [otherCell.pane] = rest;
    return root;
  }
  otherCell.type = isRows ? 'leftright' : 'topbottom';
  otherCell.cells = rest.map((pane) => (isRows ? leaf(pane, 1, other, otherCell) : leaf(pane, other, 1, otherCell)));
  spread(otherCell, edge);
  return root;
}

function tiled({ panes, cols, rows }: Arranged<unknown>): LayoutCell {
  const count = panes.length;
  let [down, across] = [1, 1];
  while (down * across < count) {
    down += 1;
    if (down * across < count) across += 1;
  }
  const width = Math.max(1, Math.floor((cols - (across - 1)) / across));
  const height = Math.max(1, Math.floor((rows - (down - 1)) / down));
  const root = newCell<unknown>(
    undefined,
    Math.max(cols, (width + 1) * across - 1),
    Math.max(rows, (height + 1) * down - 1),
  );
  root.type = 'topbottom';
  for (let row = 0; row < down; row += 1) {
    const some = panes.slice(row * across, (row + 1) * across);
    if (some.length === 0) break;
    const cell = newCell<unknown>(root, cols, height);
    root.cells.push(cell);
    if (count - row * across === 1 || across === 1) {
      [cell.pane] = some;
      continue;
    }
    cell.type = 'leftright';
    cell.cells = some.map((pane) => leaf(pane, width, height, cell));
    const used = some.length * (width + 1) - 1;
    const last = cell.cells.at(-1);
    if (cols > used && last !== undefined) adjust(last, 'leftright', cols - used);
  }
  const used = down * height + down - 1;
  const last = root.cells.at(-1);
  if (rows > used && last !== undefined) adjust(last, 'topbottom', rows - used);
  return root;
}

/** Layout as `window_layout` says it. @param idOf number of a pane */
export function layoutText<P>(root: LayoutCell<P>, idOf: (pane: P) => number): string {
  const text = textOf(root, idOf);
  return `${checksum(text).toString(16).padStart(4, '0')},${text}`;
}

function textOf<P>(cell: LayoutCell<P>, idOf: (pane: P) => number): string {
  const place = `${cell.sx}x${cell.sy},${cell.x},${cell.y}`;
  if (cell.pane !== undefined) return `${place},${idOf(cell.pane)}`;
  const inner = cell.cells.map((child) => textOf(child, idOf)).join(',');
  return cell.type === 'leftright' ? `${place}{${inner}}` : `${place}[${inner}]`;
}

function checksum(text: string): number {
  let sum = 0;
  for (const character of text) {
    sum = (sum >> 1) + ((sum & 1) << 15);
    sum = (sum + (character.codePointAt(0) ?? 0)) & 0xffff;
  }
  return sum;
}

/** @returns the root with the panes in their order; undefined if the text is no layout @throws Refusal if it has fewer cells than there are panes */
export function parseLayout<P>(text: string, panes: readonly P[]): LayoutCell<P> | undefined {
  const match = /^([0-9a-f]{4}),(.*)$/is.exec(text);
  if (match === null || checksum(match[2] ?? '') !== Number.parseInt(match[1] ?? '', 16)) return undefined;
  const reader = { text: match[2] ?? '', at: 0 };
  let root = readCell<P>(reader, undefined);
  if (root === undefined || reader.at !== reader.text.length) return undefined;
  for (let leaves = leavesOf(root); leaves.length !== panes.length; leaves = leavesOf(root)) {
    const last = leaves.at(-1);
    if (panes.length > leaves.length)
      throw new Refusal(`have ${panes.length} panes but need ${leaves.length}: ${text}`);
    if (last === undefined) return undefined;
    const left: LayoutCell<P> | undefined = removeCell(last, root);
    if (left === undefined) return undefined;
    root = left;
  }
  if (!adds(root)) return undefined;
  for (const [at, cell] of leavesOf(root).entries()) cell.pane = panes[at];
  fixOffsets(root);
  return root;
}

export function leavesOf<P>(cell: LayoutCell<P>): LayoutCell<P>[] {
  return cell.type === 'leaf' ? [cell] : cell.cells.flatMap(leavesOf);
}

const MOST_DEPTH = 100;

function readCell<P>(
  reader: { readonly text: string; at: number },
  parent: LayoutCell<P> | undefined,
  depth = 0,
): LayoutCell<P> | undefined {
  const match = /^(\d{1,5})x(\d{1,5}),(\d{1,5}),(\d{1,5})/.exec(reader.text.slice(reader.at, reader.at + 30));
  if (match === null || depth > MOST_DEPTH) return undefined;
  reader.at += match[0].length;
  const [sx = 0, sy = 0, x = 0, y = 0] = match.slice(1).map(Number);
  const cell = newCell(parent, sx, sy, x, y);
  const id = /^,\d+(?!\d*x)/.exec(reader.text.slice(reader.at, reader.at + 12));
  if (id !== null) reader.at += id[0].length;
  const open = reader.text[reader.at];
  if (open !== '{' && open !== '[') return cell;
  cell.type = open === '{' ? 'leftright' : 'topbottom';
  do {
    reader.at += 1;
    const child = readCell(reader, cell, depth + 1);
    if (child === undefined) return undefined;
    cell.cells.push(child);
  } while (reader.text[reader.at] === ',');
  if (reader.text[reader.at] !== (open === '{' ? '}' : ']')) return undefined;
  reader.at += 1;
  return cell;
}

function adds(cell: LayoutCell): boolean {
  if (cell.type === 'leaf') return true;
  const isSide = cell.type === 'leftright';
  const along = cell.cells.reduce((sum, { sx, sy }) => sum + (isSide ? sx : sy) + 1, -1);
  if (along !== (isSide ? cell.sx : cell.sy)) return false;
  return cell.cells.every((child) => (isSide ? child.sy === cell.sy : child.sx === cell.sx) && adds(child));
}
