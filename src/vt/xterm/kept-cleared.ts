/**
 * A mode of our own, CSI ? 7727 h and l, which no reset ends: what a program clears goes into the scrollback, as in tmux. That is
 * CSI 2 J, and CSI J from the first cell, on the normal screen. As a sequence it is in recordings and in the past, which are parsed anew.
 */
import type { Internals } from './internals.js';
import type { PatchTarget } from './patch-target.js';

const MODE = 7727;
export const KEEP_CLEARED = `\x1b[?${MODE}h`;

const BELOW = 0;
const ALL = 2;

const keeping = new WeakSet<Internals>();

export function keepsCleared(internals: Internals): boolean {
  return keeping.has(internals);
}

export function setKeepsCleared(internals: Internals, keeps: boolean): void {
  if (keeps) keeping.add(internals);
  else keeping.delete(internals);
}

export function keepClearedRows(emulator: PatchTarget): void {
  const { internals } = emulator;
  const { buffers, _inputHandler: input } = internals;
  for (const final of ['h', 'l']) {
    emulator.onCsi({ prefix: '?', final }, (params) => {
      if (params.includes(MODE)) setKeepsCleared(internals, final === 'h');
      return false;
    });
  }
  const erase = input.eraseInDisplay.bind(input);
  input.eraseInDisplay = (params, spareProtected) => {
    const { active } = buffers;
    const part = params.params[0] ?? BELOW;
    const erasesAll = part === ALL || (part === BELOW && active.x === 0 && active.y === 0);
    if (erasesAll && keeping.has(internals) && active === buffers.normal) scrollAway(internals);
    return erase(params, spareProtected);
  };
}

/** All rows down to the last one with something on it. */
function scrollAway({ rows, buffers, _inputHandler: input, _bufferService: service }: Internals): void {
  const buffer = buffers.active;
  let used = rows;
  while (used > 0 && (buffer.lines.get(buffer.ybase + used - 1)?.getTrimmedLength() ?? 0) === 0) used--;
  const { scrollTop, scrollBottom } = buffer;
  buffer.scrollTop = 0;
  buffer.scrollBottom = rows - 1;
  for (; used > 0; used--) service.scroll(input._eraseAttrData(), false);
  buffer.scrollTop = scrollTop;
  buffer.scrollBottom = scrollBottom;
}
