/** Addresses and places in files that a program has printed as plain text. What it marked as a link itself is not looked at. */
const PLAIN =
  /https?:\/\/[^\s"'`<>\u2500-\u259f]+|(?<![\w/.~:@-])(?:~|\.{1,2})?\/?(?:[\w.@+-]+\/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w*:\d+(?::\d+)?(?![\w/])/g;

const WEB = /^https?:\/\//;

/** Marks those in a row. Rows of one line: {@link linkAcross}. */
export function linkPlainText(row: HTMLElement, text: string): void {
  // Most rows have neither, and pay for this look alone.
  if (!text.includes('://') && !/\.\w+:\d/.test(text)) return;
  for (const { 0: found, index } of [...text.matchAll(PLAIN)].toReversed()) {
    const shown = WEB.test(found) ? trimmed(found) : found;
    const range = rangeOf(row, index, index + shown.length);
    if (range === undefined) continue;
    if (WEB.test(shown)) {
      wrap(range, webAnchor(shown, 'plain'));
      continue;
    }
    const anchor = document.createElement('a');
    anchor.className = 'plain file';
    anchor.title = `Copy ${shown}`;
    wrap(range, anchor);
  }
}

/** Marks the addresses in the rows of one line anew, in each row that one goes on in. */
export function linkAcross(rows: readonly HTMLElement[]): void {
  const text = rows.map((row) => row.textContent).join('');
  if (!text.includes('://') && rows.every((row) => row.querySelector('a.goes-on') === null)) return;
  for (const row of rows) unlink(row);
  for (const { 0: found, index } of [...text.matchAll(PLAIN)].toReversed()) {
    if (!WEB.test(found)) continue;
    const address = trimmed(found);
    let at = text.length;
    for (const row of rows.toReversed()) {
      const { length } = row.textContent;
      at -= length;
      const [from, to] = [Math.max(0, index - at), Math.min(length, index + address.length - at)];
      const range = from < to ? rangeOf(row, from, to) : undefined;
      if (range !== undefined) wrap(range, webAnchor(address, index < at ? 'plain goes-on' : 'plain'));
    }
  }
}

function webAnchor(address: string, className: string): HTMLAnchorElement {
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.target = '_blank';
  anchor.rel = 'noopener noreferrer nofollow';
  anchor.className = className;
  return anchor;
}

function wrap(range: Range, anchor: HTMLAnchorElement): void {
  anchor.append(range.extractContents());
  range.insertNode(anchor);
}

function unlink(row: HTMLElement): void {
  for (const anchor of row.querySelectorAll('a.plain:not(.file)')) anchor.replaceWith(...anchor.childNodes);
  row.normalize();
}

/** The address that a text begins with. */
export function addressAtStart(text: string): string | undefined {
  const [found] = /^\S+/.exec(text)?.[0].match(PLAIN) ?? [];
  return found !== undefined && WEB.test(found) ? trimmed(found) : undefined;
}

/** Without the marks of the sentence around it, and without a bracket that was opened before it. */
function trimmed(address: string): string {
  let text = address;
  for (;;) {
    const last = text.at(-1) ?? '';
    const open = BRACKETS[last];
    const isOpened = open !== undefined && text.split(open).length >= text.split(last).length;
    if (!'.,;:!?)]}'.includes(last) || isOpened) return text;
    text = text.slice(0, -1);
  }
}

const BRACKETS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Undefined within a link of the program's own. */
function rangeOf(row: Element, from: number, to: number): Range | undefined {
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let at = 0;
  for (let node = texts.nextNode() as Text | null; node !== null; node = texts.nextNode() as Text | null) {
    const end = at + node.length;
    if (end > from && at < to && isLinked(node)) return undefined;
    if (from >= at && from < end) range.setStart(node, from - at);
    if (to > at && to <= end) {
      range.setEnd(node, to - at);
      return range;
    }
    at = end;
  }
  return undefined;
}

function isLinked(node: Text): boolean {
  return (node.parentElement?.closest('a') ?? null) !== null;
}
