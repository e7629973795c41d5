/**
 * The selected text of a terminal, by the lasting numbers of its lines. The browser's own selection shows it, and loses what
 * is not drawn any more: each end that lies there is kept here, while an edge of what is drawn stands for it.
 */
import { mirrorRow } from '../mirror/mirror.js';
import type { DaemonLink } from './daemon-link.js';
import { isWrapped } from './row-element.js';
import { charactersBefore, pointIn, type Point } from './row-points.js';
import { textOf } from './row-text.js';
import type { TerminalScreen } from './terminal-screen.js';
import { joined, type TextRow } from './joined-rows.js';

export interface SelectedTextOptions {
  readonly screen: TerminalScreen;
  readonly link: DaemonLink;
  readonly id: string;
  readonly notice: (text: string) => void;
}

interface Spot {
  /** Lasting number. */
  readonly line: number;
  /** Characters before it in its row. */
  readonly offset: number;
}

/** Characters of a row that are selected. */
interface SelectedPart {
  readonly line: number;
  readonly from: number;
  readonly to: number;
  /** Without blanks at its end. */
  readonly text: string;
}

interface End {
  readonly point: Point;
  readonly spot: Spot;
}

/** More are not copied. */
const MAX_LINES = 50_000;
const LINES_A_REQUEST = 2000;

export class SelectedText {
  readonly #options: SelectedTextOptions;
  /** As the selection was last put here. An end that the person has moved since is where the browser has it. */
  #ends: readonly End[] = [];
  /** Boxes of characters whose ground shows that they are selected. */
  #marked = new Set<Element>();
  #frame = 0;

  constructor(options: SelectedTextOptions) {
    this.#options = options;
    options.screen.replacing = (replace) => this.#keep(replace);
    document.addEventListener('copy', this.#onCopy);
    document.addEventListener('selectionchange', this.#onSelection);
  }

  dispose(): void {
    document.removeEventListener('copy', this.#onCopy);
    document.removeEventListener('selectionchange', this.#onSelection);
    cancelAnimationFrame(this.#frame);
  }

  /** The browser colors a character as wide as its glyph, and a box may be wider: once a picture, all of them are looked at. */
  readonly #onSelection = (): void => {
    if (this.#marked.size === 0 && getSelection()?.isCollapsed !== false) return;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#mark();
    });
  };

  #mark(): void {
    const selection = getSelection();
    const range = selection === null || selection.isCollapsed ? undefined : selection.getRangeAt(0);
    const rows =
      range === undefined ? [] : this.#options.screen.rowElements().filter((row) => range.intersectsNode(row));
    const boxes = rows.flatMap((row) => [...row.getElementsByClassName('c')]).filter((box) => isIn(range, box));
    const marked = new Set(boxes);
    for (const box of this.#marked) if (!marked.has(box)) box.classList.remove('is-selected');
    for (const box of marked) box.classList.add('is-selected');
    this.#marked = marked;
  }

  readonly #onCopy = (event: ClipboardEvent): void => {
    const { screen } = this.#options;
    const { activeElement } = document;
    const isField = activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement;
    if (isField && activeElement.selectionStart !== activeElement.selectionEnd) return;
    const selection = getSelection();
    const spots = this.#spots();
    if (selection === null || spots === undefined || !selection.containsNode(screen.scroller, true)) return;
    event.preventDefault();
    const [from, to] = spots.toSorted(order) as [Spot, Spot];
    const drawn = this.#drawn(from.line, to.line);
    if (drawn !== undefined) event.clipboardData?.setData('text/plain', joined(drawn, from.offset, to.offset));
    else this.#copyUndrawn(from, to);
  };

  /** Its text takes a round trip, and the event does not wait for one. */
  #copyUndrawn(from: Spot, to: Spot): void {
    const { notice } = this.#options;
    const lines = to.line - from.line + 1;
    if (lines > MAX_LINES) return notice(`The selection has ${lines} lines, and a page copies ${MAX_LINES}.`);
    // Browsers give it to pages of this machine and those with TLS.
    if (!('clipboard' in navigator)) return notice('Without TLS the browser copies only what is drawn.');
    const blob = this.#fetched(from, to).then((text) => new Blob([text], { type: 'text/plain' }));
    navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]).then(
      () => notice(lines === 1 ? 'One line was copied.' : `${lines} lines were copied.`),
      (error: unknown) => notice(`Nothing was copied: ${error instanceof Error ? error.message : String(error)}`),
    );
  }

  /** Undefined if some of the rows are not drawn. */
  #drawn(from: number, to: number): TextRow[] | undefined {
    const { screen } = this.#options;
    const rows: TextRow[] = [];
    for (let line = from; line <= to; line++) {
      const found = screen.elementAt(line);
      if ('edge' in found) return undefined;
      rows.push({ text: found.row.textContent, wrapped: isWrapped(found.row) });
    }
    return rows;
  }

  async #fetched(from: Spot, to: Spot): Promise<string> {
    const { link, id } = this.#options;
    const all: TextRow[] = [];
    let first = from.line;
    for (let next = from.line; next <= to.line;) {
      const max_lines = Math.min(LINES_A_REQUEST, to.line - next + 1);
      const reply = await link.ask('text', { id, format: 'runs', from_line: next, max_lines });
      const rows = reply.rows ?? [];
      if (all.length === 0) first = reply.first_line;
      all.push(...rows.map(mirrorRow).map((row) => ({ text: textOf(row), wrapped: row.wrapped })));
      if (rows.length === 0) break;
      next = reply.first_line + rows.length;
    }
    // The oldest lines may have been dropped since.
    return joined(all, first > from.line ? 0 : from.offset, to.offset);
  }

  #keep(replace: () => void): void {
    const spots = this.#spots();
    const selection = getSelection();
    if (spots === undefined || selection === null) return replace();
    this.#onSelection();
    const texts = this.#texts(spots);
    const before = [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset];
    replace();
    // A copy would have what was not selected.
    if (texts.some((part) => this.#isOther(part))) return selection.removeAllRanges();
    const after = [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset];
    // Where the rows of its ends were not touched, nor is it: not the handles of a finger, either.
    if (after.every((part, i) => part === before[i])) return;
    const [anchor, focus] = spots;
    const isForward = order(anchor, focus) <= 0;
    this.#ends = [
      { spot: anchor, point: this.#pointOf(anchor, isForward) },
      { spot: focus, point: this.#pointOf(focus, !isForward) },
    ];
    const [{ point: from }, { point: to }] = this.#ends as [End, End];
    selection.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
  }

  /** What is selected of each row that is drawn. */
  #texts(spots: readonly [Spot, Spot]): readonly SelectedPart[] {
    const [first, last] = spots.toSorted(order) as [Spot, Spot];
    const parts: SelectedPart[] = [];
    const { screen } = this.#options;
    for (const row of screen.rowElements()) {
      const line = screen.lineOf(row);
      if (line === undefined || line < first.line || line > last.line) continue;
      const from = line === first.line ? first.offset : 0;
      const to = line === last.line ? last.offset : Infinity;
      parts.push({ line, from, to, text: row.textContent.slice(from, to).trimEnd() });
    }
    return parts;
  }

  /** What is not drawn any more is as it was. */
  #isOther({ line, from, to, text }: SelectedPart): boolean {
    const found = this.#options.screen.elementAt(line);
    return 'row' in found && found.row.textContent.slice(from, to).trimEnd() !== text;
  }

  /** Anchor and focus; undefined without a selection that has text of this terminal. */
  #spots(): readonly [Spot, Spot] | undefined {
    const selection = getSelection();
    if (selection === null || selection.isCollapsed) return undefined;
    if (!selection.containsNode(this.#options.screen.scroller, true)) return undefined;
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
    if (anchorNode === null || focusNode === null) return undefined;
    return [
      this.#spotOf({ node: anchorNode, offset: anchorOffset }),
      this.#spotOf({ node: focusNode, offset: focusOffset }),
    ];
  }

  #spotOf(point: Point): Spot {
    const kept = this.#ends.find((end) => end.point.node === point.node && end.point.offset === point.offset);
    if (kept !== undefined) return kept.spot;
    const { screen } = this.#options;
    const element = point.node instanceof Element ? point.node : point.node.parentElement;
    // Between rows: the one that follows, or the end of the last one.
    const inside = element?.closest('.row') ?? element?.childNodes[point.offset];
    const found = inside ?? (point.offset > 0 ? element?.childNodes[point.offset - 1] : undefined);
    const line = found instanceof Element ? screen.lineOf(found) : undefined;
    if (found instanceof Element && line !== undefined) {
      const offset = inside === undefined ? Infinity : charactersBefore(found, point);
      return { line, offset };
    }
    return isBefore(point, screen.scroller)
      ? { line: screen.oldest, offset: 0 }
      : { line: screen.last, offset: Infinity };
  }

  /** @param isFirst of the two ends the upper one */
  #pointOf({ line, offset }: Spot, isFirst: boolean): Point {
    const { screen } = this.#options;
    const found = screen.elementAt(line);
    if ('edge' in found) return { node: found.edge.firstChild ?? found.edge, offset: isFirst ? 0 : 1 };
    return pointIn(found.row, offset);
  }
}

function order(a: Spot, b: Spot): number {
  return a.line - b.line || a.offset - b.offset;
}

/** Not if it only touches an end. */
function isIn(range: Range | undefined, box: Element): boolean {
  if (range?.intersectsNode(box) !== true) return false;
  const { startContainer, startOffset, endContainer, endOffset } = range;
  const isAfter = endOffset === 0 && box.contains(endContainer);
  const isBeforeIt =
    startContainer instanceof Text && startOffset === startContainer.length && box.contains(startContainer);
  return !isAfter && !isBeforeIt;
}

function isBefore({ node, offset }: Point, other: Element): boolean {
  const range = document.createRange();
  range.setStart(node, offset);
  return range.comparePoint(other, 0) >= 0;
}
