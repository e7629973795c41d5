/** Selected rows as text: lines that the terminal has wrapped are one line, and blanks at the ends are left out. */
import { isWrapped } from './row-element.js';

export function copyText(event: ClipboardEvent): void {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return;
  const range = selection.getRangeAt(0);
  const root = event.currentTarget as Element;
  let text = '';
  let isFirst = true;
  for (const row of root.querySelectorAll('.row')) {
    if (!range.intersectsNode(row)) continue;
    const part = document.createRange();
    part.selectNodeContents(row);
    if (row.contains(range.startContainer)) part.setStart(range.startContainer, range.startOffset);
    if (row.contains(range.endContainer)) part.setEnd(range.endContainer, range.endOffset);
    if (isFirst) text = part.toString();
    else text = isWrapped(row) ? text + part.toString() : `${text.trimEnd()}\n${part.toString()}`;
    isFirst = false;
  }
  event.clipboardData?.setData('text/plain', text.trimEnd());
  event.preventDefault();
}
