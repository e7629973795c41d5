/** A row as elements: text and a class for its style. Whatever a program prints becomes text, never markup. */
import type { MirrorRow, MirrorRun } from '../mirror/mirror.js';
import { runCells } from '../mirror/run-cells.js';
import { safeText } from '../mirror/safe-text.js';
import { linkPlainText } from './links.js';
import type { StyleSheet } from './style-sheet.js';

/** Characters that the page's own face has in one cell: they need no box to keep their column. */
const IN_FACE =
  /^[\u0020-\u007e\u00a1-\u0131\u0134-\u017f\u0384-\u038a\u038e-\u03a1\u03a3-\u03ce\u0401-\u044f\u2013\u2014\u2018-\u201e\u2022\u2026]*$/;

const LINK = /^https?:\/\//i;

interface Filling {
  readonly row: MirrorRow;
  readonly generation: number;
}

const fillings = new WeakMap<Element, Filling>();

/** Whether the row continues the one above. */
export function isWrapped(row: Element): boolean {
  return fillings.get(row)?.row.wrapped === true;
}

/** An element that has this row already is not touched: a selection in it stays. @returns whether it was another */
export function fillRow(element: HTMLElement, row: MirrorRow, styles: StyleSheet): boolean {
  const filling = fillings.get(element);
  const { generation } = styles;
  if (filling?.row === row && filling.generation === generation) return false;
  fillings.set(element, { row, generation });
  if (filling?.generation === generation && sameText(filling.row, row)) return false;
  const classes = row.size === 'single' ? 'row' : `row ${row.size}`;
  if (element.className !== classes) element.className = classes;
  element.replaceChildren(...row.runs.flatMap((run) => nodesOf(run, styles)));
  linkPlainText(element, element.textContent);
  return true;
}

/** The same row with the classes of another sheet. */
export function refillRow(element: HTMLElement, styles: StyleSheet): void {
  const filling = fillings.get(element);
  if (filling !== undefined) fillRow(element, filling.row, styles);
}

function sameText(a: MirrorRow, b: MirrorRow): boolean {
  if (a.size !== b.size || a.wrapped !== b.wrapped || a.runs.length !== b.runs.length) return false;
  return a.runs.every((run, i) => [0, 1, 2, 3].every((part) => run[part] === b.runs[i]?.[part]));
}

function nodesOf(run: MirrorRun, styles: StyleSheet): Node[] {
  const [text, sgr = '', cells = 0, link] = run;
  const nodes = cells === 0 && IN_FACE.test(text) ? [span(text, styles.styleOf(sgr, true))] : boxesOf(run, sgr, styles);
  if (link === undefined || !LINK.test(link)) return nodes;
  const anchor = document.createElement('a');
  anchor.href = link;
  anchor.target = '_blank';
  anchor.rel = 'noopener noreferrer nofollow';
  anchor.title = link;
  anchor.append(...nodes);
  return [anchor];
}

/** Characters of the face stand together; each other one has a box of its cells. */
function boxesOf(run: MirrorRun, sgr: string, styles: StyleSheet): Node[] {
  const nodes: Node[] = [];
  let plain = '';
  const close = (): void => {
    if (plain !== '') nodes.push(span(plain, styles.styleOf(sgr, true)));
    plain = '';
  };
  for (const { text, width } of runCells(run)) {
    if (width === 1 && IN_FACE.test(text)) {
      plain += text;
      continue;
    }
    close();
    const shape = width === 1 ? styles.shapeOf(text) : undefined;
    const classes = [
      `c c${Math.min(width, 8)}`,
      styles.styleOf(sgr, shape === undefined),
      shape === undefined ? '' : `x ${shape}`,
      isEmoji(text, width) ? 'g' : '',
    ];
    const box = span(safeText(text) || ' ', classes.filter((one) => one !== '').join(' '));
    const key = keyOf(text);
    if (key !== undefined && box instanceof HTMLElement) box.dataset['key'] = key;
    nodes.push(box);
  }
  close();
  return nodes;
}

/** One picture of the emoji face, which joins several characters; U+FE0E asks for text. */
function isEmoji(text: string, width: number): boolean {
  if (text.length === 1) return width === 2 && EMOJI.test(text);
  return !text.includes('\uFE0E') && (EMOJI.test(text) || EMOJI_OF_SEVERAL.test(text));
}

const EMOJI = /^\p{Emoji_Presentation}/u;
const EMOJI_OF_SEVERAL = /^\p{Emoji}(?:\u{FE0F}|\u{200D}|\u{20E3})/u;

/** The face joins no digits. It has their keys under code points of its own (by line of twemoji.sequences.txt). */
const KEYS: Readonly<Record<string, number>> = {
  '#': 0x10_08c6,
  ...Object.fromEntries(Array.from('*0123456789', (one, i) => [one, 0x10_08f8 + i])),
};

function keyOf(text: string): string | undefined {
  const key = text.endsWith('\u20E3') ? KEYS[text.charAt(0)] : undefined;
  return key === undefined ? undefined : String.fromCodePoint(key);
}

function span(text: string, classes: string): Node {
  if (classes === '') return document.createTextNode(text);
  const element = document.createElement('span');
  element.className = classes;
  element.textContent = text;
  return element;
}
