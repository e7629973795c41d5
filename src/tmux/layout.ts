/**
 * Layouts of a window as tmux computes them (layout.c, layout-set.c, layout-custom.c of tmux 3.3a): a tree of cells, with a row or
 * column between neighbours. Sizes are cells of the grid.
 */
export type Direction = 'leftright' | 'topbottom';

export interface LayoutCell<P = unknown> {
  type: Direction | 'leaf';
  parent: LayoutCell<P> | undefined;
  cells: LayoutCell<P>[];
  pane: P | undefined;
  sx: number;
  sy: number;
  x: number;
  y: number;
}

const LEAST = 1;

export function newCell<P>(parent: LayoutCell<P> | undefined, sx = 0, sy = 0, x = 0, y = 0): LayoutCell<P> {
  return { type: 'leaf', parent, cells: [], pane: undefined, sx, sy, x, y };
}

export function leaf<P>(pane: P, sx: number, sy: number, parent?: LayoutCell<P>): LayoutCell<P> {
  return { ...newCell(parent, sx, sy), pane };
}

/** The tree itself is changed in place. */
export function treeCopy<P>(cell: LayoutCell<P>, parent?: LayoutCell<P>): LayoutCell<P> {
  const copy: LayoutCell<P> = { ...cell, parent };
  copy.cells = cell.cells.map((child) => treeCopy(child, copy));
  return copy;
}

const sizeOf = (cell: LayoutCell, type: Direction): number => (type === 'leftright' ? cell.sx : cell.sy);

function setSize(cell: LayoutCell, sx: number, sy: number, x: number, y: number): void {
  Object.assign(cell, { sx, sy, x, y });
}

/** Cells by which it can get smaller. */
function room(cell: LayoutCell, type: Direction): number {
  if (cell.type === 'leaf') return Math.max(0, sizeOf(cell, type) - LEAST);
  const rooms = cell.cells.map((child) => room(child, type));
  return cell.type === type ? rooms.reduce((sum, one) => sum + one, 0) : Math.min(...rooms);
}

export function adjust(cell: LayoutCell, type: Direction, change: number): void {
  if (type === 'leftright') cell.sx += change;
  else cell.sy += change;
  if (cell.type === 'leaf') return;
  if (cell.type !== type) {
    for (const child of cell.cells) adjust(child, type, change);
    return;
  }
  for (let left = change; left !== 0;) {
    const before = left;
    for (const child of cell.cells) {
      if (left === 0) break;
      if (left > 0) {
        adjust(child, type, 1);
        left -= 1;
      } else if (room(child, type) > 0) {
        adjust(child, type, -1);
        left += 1;
      }
    }
    if (left === before) return;
  }
}

/** Gives its space to a neighbour. @returns the root of what is left */
export function removeCell<P>(cell: LayoutCell<P>, root: LayoutCell<P>): LayoutCell<P> | undefined {
  const { parent } = cell;
  if (parent === undefined) return undefined;
  const at = parent.cells.indexOf(cell);
  const other = parent.cells[at === 0 ? 1 : at - 1];
  const type = parent.type as Direction;
  if (other !== undefined) adjust(other, type, sizeOf(cell, type) + 1);
  parent.cells.splice(at, 1);
  const [only] = parent.cells;
  if (only === undefined || parent.cells.length > 1) return root;
  only.parent = parent.parent;
  if (parent.parent === undefined) {
    only.x = 0;
    only.y = 0;
    return only;
  }
  parent.parent.cells[parent.parent.cells.indexOf(parent)] = only;
  return root;
}

export interface Split {
  readonly type: Direction;
  /** Size of the new pane; undefined for half. */
  readonly size: number | undefined;
  readonly isBefore: boolean;
  readonly isFull: boolean;
}

/** @returns the cell of the new pane and the root, or undefined if there is no space */
export function split<P>(
  of: LayoutCell<P>,
  root: LayoutCell<P>,
  { type, size, isBefore, isFull }: Split,
): { readonly cell: LayoutCell<P>; readonly root: LayoutCell<P> } | undefined {
  const cell = isFull ? root : of;
  const { sx, sy, x, y } = cell;
  const isSide = type === 'leftright';
  const all = sizeOf(cell, type);
  if (all < LEAST * 2 + 1) return undefined;
  const wanted = size === undefined ? Math.floor((all + 1) / 2) - 1 : isBefore ? all - size - 1 : size;
  const second = Math.max(LEAST, Math.min(wanted, all - 2));
  const first = all - 1 - second;
  const left = isBefore ? second : first;
  if (isFull && !fits(cell, type, left)) return undefined;
  let newRoot = root;
  let added: LayoutCell<P>;
  let isResized = false;
  if (cell.parent?.type === type) {
    added = newCell(cell.parent);
    cell.parent.cells.splice(cell.parent.cells.indexOf(cell) + (isBefore ? 0 : 1), 0, added);
  } else if (isFull && cell.parent === undefined && cell.type === type) {
    if (isSide) cell.sx = left;
    else cell.sy = left;
    spreadChildren(cell);
    setSize(cell, sx, sy, x, y);
    isResized = true;
    const rest = all - 1 - left;
    added = isSide ? newCell(cell, rest, sy) : newCell(cell, sx, rest);
    if (isBefore) cell.cells.unshift(added);
    else cell.cells.push(added);
  } else {
    const parent = newCell(cell.parent, sx, sy, x, y);
    parent.type = type;
    if (cell.parent === undefined) newRoot = parent;
    else cell.parent.cells[cell.parent.cells.indexOf(cell)] = parent;
    cell.parent = parent;
    added = newCell(parent);
    parent.cells = isBefore ? [added, cell] : [cell, added];
  }
  if (!isResized) {
    const [one, two] = isBefore ? [added, cell] : [cell, added];
    if (isSide) {
      setSize(one, first, sy, x, y);
      setSize(two, second, sy, x + first + 1, y);
    } else {
      setSize(one, sx, first, x, y);
      setSize(two, sx, second, x, y + first + 1);
    }
  }
  if (isFull && !isResized) spreadChildren(cell);
  fixOffsets(newRoot);
  return { cell: added, root: newRoot };
}

function fits(cell: LayoutCell, type: Direction, size: number): boolean {
  if (cell.type === 'leaf') return size >= LEAST;
  if (cell.type !== type) return cell.cells.every((child) => child.type === 'leaf' || fits(child, type, size));
  let available = size;
  const count = cell.cells.length;
  if (available < count * 2 - 1) return false;
  const previous = sizeOf(cell, type);
  return cell.cells.every((child, at) => {
    const next = shareOf(previous, child, type, size, count - at, available);
    const taken = at === count - 1 ? next : next + 1;
    if (taken > available) return false;
    available -= taken;
    return fits(child, type, next);
  });
}

function shareOf(
  previous: number,
  cell: LayoutCell,
  type: Direction,
  size: number,
  countLeft: number,
  sizeLeft: number,
): number {
  if (countLeft === 1) return sizeLeft;
  const most = sizeLeft - (LEAST + 1) * (countLeft - 1);
  return Math.max(LEAST, Math.min(most, Math.floor((sizeOf(cell, type) * size) / previous)));
}

/** Spreads the cells of a cell that has another size than they have. */
function spreadChildren(cell: LayoutCell): void {
  if (cell.type === 'leaf') return;
  const { type, cells } = cell;
  const count = cells.length;
  const previous = cells.reduce((sum, child) => sum + sizeOf(child, type), count - 1);
  let available = sizeOf(cell, type);
  for (const [at, child] of cells.entries()) {
    const share = shareOf(previous, child, type, sizeOf(cell, type), count - at, available);
    available -= share + 1;
    child.sx = type === 'leftright' ? share : cell.sx;
    child.sy = type === 'topbottom' ? share : cell.sy;
    spreadChildren(child);
  }
}

export function fixOffsets(root: LayoutCell): void {
  if (root.parent === undefined) [root.x, root.y] = [0, 0];
  let [{ x }, { y }] = [root, root];
  for (const child of root.cells) {
    [child.x, child.y] = [x, y];
    if (root.type === 'leftright') x += child.sx + 1;
    else y += child.sy + 1;
    fixOffsets(child);
  }
}

export function resizeRoot(root: LayoutCell, sx: number, sy: number): void {
  for (const [type, size] of [
    ['leftright', sx],
    ['topbottom', sy],
  ] as const) {
    const limit = room(root, type);
    let change = size - sizeOf(root, type);
    if (change < 0 && change < -limit) change = -limit;
    if (limit === 0 && size <= sizeOf(root, type)) change = 0;
    if (change !== 0) adjust(root, type, change);
  }
  fixOffsets(root);
}

function inParentOf(cell: LayoutCell, type: Direction): LayoutCell | undefined {
  let at: LayoutCell = cell;
  while (at.parent !== undefined && at.parent.type !== type) at = at.parent;
  return at.parent === undefined ? undefined : at;
}

export function resizeTo(cell: LayoutCell, type: Direction, size: number, root: LayoutCell): void {
  const one = inParentOf(cell, type);
  if (one === undefined) return;
  const isLast = one.parent?.cells.at(-1) === one;
  const difference = size - sizeOf(one, type);
  resizeBy(cell, type, isLast ? -difference : difference, root);
}

export function resizeBy(cell: LayoutCell, type: Direction, change: number, root: LayoutCell): void {
  let one = inParentOf(cell, type);
  if (one?.parent === undefined) return;
  const { cells } = one.parent;
  if (cells.at(-1) === one) one = cells.at(-2) ?? one;
  for (let needed = Math.abs(change); needed > 0;) {
    const size = change > 0 ? grow(one, cells, type, needed) : shrink(one, cells, type, needed);
    if (size === 0) break;
    needed -= size;
  }
  fixOffsets(root);
}

function grow(cell: LayoutCell, cells: LayoutCell[], type: Direction, needed: number): number {
  const at = cells.indexOf(cell);
  const others = [...cells.slice(at + 1), ...cells.slice(0, at).toReversed()];
  const from = others.find((other) => room(other, type) > 0);
  return from === undefined ? 0 : move(cell, from, type, needed);
}

function shrink(cell: LayoutCell, cells: LayoutCell[], type: Direction, needed: number): number {
  const at = cells.indexOf(cell);
  const from = cells.slice(0, at + 1).findLast((other) => room(other, type) > 0);
  const to = cells[at + 1];
  return from === undefined || to === undefined ? 0 : move(to, from, type, needed);
}

function move(to: LayoutCell, from: LayoutCell, type: Direction, most: number): number {
  const size = Math.min(most, room(from, type));
  adjust(to, type, size);
  adjust(from, type, -size);
  return size;
}

/** @param edge value of `pane-border-status`: cells there have a row more @returns whether a size has changed */
export function spread(parent: LayoutCell, edge: string): boolean {
  const count = parent.cells.length;
  if (count <= 1 || parent.type === 'leaf') return false;
  const { type } = parent;
  const statusOf = (cell: LayoutCell): number => Number(type === 'topbottom' && isAtEdge(cell, edge));
  const size = sizeOf(parent, type) - statusOf(parent);
  const each = Math.floor((size - (count - 1)) / count);
  if (size < count - 1 || each === 0) return false;
  let isChanged = false;
  for (const [at, child] of parent.cells.entries()) {
    const share = at === count - 1 ? size - (each + 1) * (count - 1) : each;
    const change = share + statusOf(child) - sizeOf(child, type);
    adjust(child, type, change);
    isChanged ||= change !== 0;
  }
  return isChanged;
}

function isAtEdge(cell: LayoutCell, edge: string): boolean {
  if (edge !== 'top' && edge !== 'bottom') return false;
  for (let at = cell; at.parent !== undefined; at = at.parent)
    if (at.parent.type === 'topbottom' && at !== at.parent.cells.at(edge === 'top' ? 0 : -1)) return false;
  return true;
}
