/**
 * Copies of cells within and between lines, as a change of width makes them. The library copies the clusters of all cells
 * from the first one on, not of those that are copied: cells behind them show the cluster of another cell.
 */
import type { Internals } from './internals.js';
import { replaceLineMethod } from './line-class.js';

export function copyOwnClusters(core: Internals): void {
  replaceLineMethod(
    core,
    'copyCellsFrom',
    (copy) =>
      function (source, sourceCol, col, count, fromTheEnd) {
        const all = source._combined;
        // Before the copy: source and target may be one line.
        const copied: (readonly [col: number, cluster: string])[] = [];
        for (const key in all) {
          const offset = Number(key) - sourceCol;
          if (offset >= 0 && offset < count) copied.push([col + offset, all[key as unknown as number] ?? '']);
        }
        source._combined = {};
        copy.call(this, source, sourceCol, col, count, fromTheEnd);
        source._combined = all;
        const own = this._combined as Record<number, string>;
        for (const [at, cluster] of copied) own[at] = cluster;
      },
  );
}
