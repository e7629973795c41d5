/**
 * Reports where the cursor is moved to, what is erased below a row, and which rows change places. It changes nothing, and
 * is installed once somebody listens: each scroll and each move of the cursor costs a call then.
 */
import type { Internals, RawBuffer } from './internals.js';
import { keepsScrolledRows } from './scrolled-rows.js';

/** Rows count from the top of the viewport. */
export interface RowMoveListener {
  /** Called before each move that may go upwards, and after it. */
  leaving(): void;
  landed(): void;
  /** All rows from this one on are blank. */
  erased(row: number): void;
  /**
   * The rows from `top` to `bottom` have moved up by so many (down, if negative), without a row for the scrollback. The
   * first `blank` of the rows that left had no text.
   */
  shifted(top: number, bottom: number, count: number, blank: number): void;
}

type Moves = Record<'reverseIndex' | 'restoreCursor', () => boolean> & {
  _setCursor(x: number, y: number): void;
};

const SHIFTS = [
  ['deleteLines', 1, true],
  ['insertLines', -1, true],
  ['scrollUp', 1, false],
  ['scrollDown', -1, false],
] as const;

export function watchRowMoves(internals: Internals, to: RowMoveListener): void {
  const { buffers, _inputHandler, _bufferService: service } = internals;
  const input = _inputHandler as typeof _inputHandler &
    Moves & { -readonly [Name in (typeof SHIFTS)[number][0]]: unknown };
  const setCursor = input._setCursor.bind(input);
  input._setCursor = (x, y) => {
    to.leaving();
    setCursor(x, y);
    to.landed();
  };
  const restore = input.restoreCursor.bind(input);
  input.restoreCursor = () => {
    to.leaving();
    const isDone = restore();
    to.landed();
    return isDone;
  };
  const reverse = input.reverseIndex.bind(input);
  input.reverseIndex = () => {
    const { y, scrollTop, scrollBottom } = buffers.active;
    const leaving = y === scrollTop ? leavingRows(buffers.active, scrollBottom, -1) : [];
    to.leaving();
    const isDone = reverse();
    for (const { count, blank } of leaving) to.shifted(scrollTop, scrollBottom, count, blank);
    to.landed();
    return isDone;
  };
  const scroll = service.scroll.bind(service);
  service.scroll = (pen, isWrapped) => {
    const { scrollTop, scrollBottom } = buffers.active;
    const leaving = scrollTop > 0 ? leavingRows(buffers.active, scrollTop, 1) : [];
    scroll(pen, isWrapped);
    for (const { count, blank } of leaving) to.shifted(scrollTop, scrollBottom, count, blank);
  };
  const erase = input.eraseInDisplay.bind(input);
  input.eraseInDisplay = (params, spareProtected) => {
    to.leaving();
    const isDone = erase(params, spareProtected);
    const { x, y } = buffers.active;
    const part = params.params[0] ?? 0;
    if (part === 2) to.erased(0);
    else if (part === 0) to.erased(x === 0 ? y : y + 1);
    to.landed();
    return isDone;
  };
  for (const [name, sign, isAtCursor] of SHIFTS) {
    const shift = input[name].bind(input);
    input[name] = (params: { params: number[]; length: number }) => {
      const { y, scrollTop, scrollBottom } = buffers.active;
      const isWithin = !isAtCursor || (y >= scrollTop && y <= scrollBottom);
      if (!isWithin || (name === 'scrollUp' && keepsScrolledRows(internals))) return shift(params);
      const top = isAtCursor ? y : scrollTop;
      const count = Math.min(params.params[0] || 1, scrollBottom - top + 1);
      const leaving = leavingRows(buffers.active, sign < 0 ? scrollBottom : top, sign * count);
      const isDone = shift(params);
      for (const each of leaving) to.shifted(top, scrollBottom, each.count, each.blank);
      return isDone;
    };
  }
}

/**
 * Rows that leave, in parts, each with its blank rows first. @param count of rows from `first` on downwards, which leave; upwards,
 * if negative
 */
function leavingRows({ lines, ybase }: RawBuffer, first: number, count: number): { count: number; blank: number }[] {
  const parts: { count: number; blank: number }[] = [];
  const sign = Math.sign(count);
  for (let row = 0; row < Math.abs(count); row++) {
    const isBlank = (lines.get(ybase + first + sign * row)?.getTrimmedLength() ?? 0) === 0;
    let part = parts.at(-1);
    if (part === undefined || (isBlank && part.blank < Math.abs(part.count)))
      parts.push((part = { count: 0, blank: 0 }));
    part.count += sign;
    if (isBlank) part.blank++;
  }
  return parts;
}
