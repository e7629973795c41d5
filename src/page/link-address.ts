/** Where a link leads, also one whose text goes on in the next rows. */
import { addressAtStart } from './links.js';
import { isWrapped } from './row-element.js';

/** The whole address of a link, with what follows in the rows that its row continues in. */
export function addressOf(anchor: HTMLAnchorElement): string {
  let row = anchor.closest('.row');
  if (row === null || !anchor.matches('.plain:not(.goes-on)')) return anchor.href;
  const before = document.createRange();
  before.setStart(row, 0);
  before.setEndBefore(anchor);
  let text = row.textContent.slice(before.toString().length);
  for (row = following(row); row !== null && isWrapped(row); row = following(row)) text += row.textContent;
  return addressAtStart(text) ?? anchor.href;
}

/** The screen follows the scrollback. */
function following(row: Element): Element | null {
  const next = row.nextElementSibling;
  if (next !== null) return next.matches('.row') ? next : null;
  return row.closest('.past') === null ? null : document.querySelector('.grid:not(.past) > .row');
}
