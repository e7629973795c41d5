/**
 * Cuts the scrollback of a live screen. The library's own way (its option) also ends the scroll region and a pending wrap,
 * which the program has not asked for.
 */
import type { Emulator } from './emulator.js';

export function scrollbackLimit({ internals }: Emulator): number {
  return internals.optionsService.rawOptions.scrollback;
}

/**
 * Keeps the newest `limit` lines above the viewport, from now on.
 * @returns how many lines are dropped
 */
export function limitScrollback({ internals, normalBuffer, terminal }: Emulator, limit: number): number {
  const { lines } = normalBuffer;
  internals.optionsService.rawOptions.scrollback = limit;
  const dropped = Math.max(0, lines.length - terminal.rows - limit);
  lines.trimStart(dropped);
  normalBuffer.ybase = Math.max(0, normalBuffer.ybase - dropped);
  normalBuffer.ydisp = normalBuffer.ybase;
  // Copies what is left: the old array would hold the dropped lines.
  lines.maxLength = terminal.rows + limit;
  return dropped;
}
