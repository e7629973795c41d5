/** Places in the elements of a row, as numbers of characters before them. */

export interface Point {
  readonly node: Node;
  readonly offset: number;
}

export function charactersBefore(row: Element, { node, offset }: Point): number {
  if (!row.contains(node)) return 0;
  const range = document.createRange();
  range.setStart(row, 0);
  range.setEnd(node, offset);
  return range.toString().length;
}

export function pointIn(row: Element, offset: number): Point {
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  let left = offset;
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { length } = node as Text;
    if (left <= length) return { node, offset: left };
    left -= length;
  }
  return { node: row, offset: row.childNodes.length };
}
