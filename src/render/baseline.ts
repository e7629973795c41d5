/** Where letters stand in a cell. */
import { PRIMARY_ADVANCE_EM, PRIMARY_ASCENT_EM, PRIMARY_DESCENT_EM } from './fonts/faces.js';

/** The row of pixels that letters stand on, counted from the top of the cell. */
export function baselineOf(cellWidth: number, cellHeight: number): number {
  const emPixels = cellWidth / PRIMARY_ADVANCE_EM;
  const lineHeight = (PRIMARY_ASCENT_EM + PRIMARY_DESCENT_EM) * emPixels;
  const centred = Math.round((cellHeight - lineHeight) / 2 + PRIMARY_ASCENT_EM * emPixels);
  // An underscore lies at the very bottom of the descent: it must not be cut.
  return Math.min(centred, Math.floor(cellHeight - PRIMARY_DESCENT_EM * emPixels));
}
