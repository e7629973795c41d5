/** A row as the text that its element has. Pure. */
import type { MirrorRow, MirrorRun } from '../mirror/mirror.js';
import { runCells } from '../mirror/run-cells.js';
import { safeText } from '../mirror/safe-text.js';

export function textOf({ runs }: MirrorRow): string {
  return runs.map(charactersOf).join('');
}

function charactersOf(run: MirrorRun): string {
  const [text, , cells = 0] = run;
  return cells === 0
    ? safeText(text)
    : runCells(run)
        .map((one) => safeText(one.text) || ' ')
        .join('');
}
