/**
 * A full scrollback takes its oldest line for the new one. The library gives it two new empty objects each time, for
 * combined characters and extended attributes; they live as long as the line, so the engine's collector moves every one
 * of them, and a flood of short lines was half collection. Lines that have neither keep their empty objects here.
 */
import type { Internals, RawLine } from './internals.js';
import { replaceLineMethod } from './line-class.js';

export function reuseEmptyParts(core: Internals): void {
  replaceLineMethod(
    core,
    'copyFrom',
    (copyFrom) =>
      function (source) {
        if (this.length !== source.length || !hasCellsAlone(this) || !hasCellsAlone(source)) {
          copyFrom.call(this, source);
          return;
        }
        this._data.set(source._data);
        this.isWrapped = source.isWrapped;
      },
  );
}

/** Whether the line has no combined characters and no extended attributes, not even unused ones. */
export function hasCellsAlone({
  _combined: combined,
  _extendedAttrs: extended,
}: Pick<RawLine, '_combined' | '_extendedAttrs'>): boolean {
  for (const _column in combined) return false;
  for (const _column in extended) return false;
  return true;
}
