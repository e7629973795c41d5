/**
 * The box in which a program takes a prompt, as rules on `box` find it in a screen, and the text that stands in it. Pure. It is read
 * when a prompt is delivered, and at no other time: what people type there makes no entries.
 */
import { ATTR_DIM, ATTR_INVERSE, CELL_ATTRS, CELL_WORDS, graphemeAt, type SnapshotRow } from '../vt/snapshot.js';
import { cellWidth, rowCols } from '../vt/rows/row-text.js';
import { type Profile, type Rule, within } from './rule.js';

export interface Box {
  /** Lines of its text, without frame and prompt sign; none if it is empty or shows a hint. */
  readonly lines: readonly string[];
  /** The row of the viewport in which its text begins, and how many rows it has. */
  readonly row: number;
  readonly rows: number;
}

/** Parts of a screen from which a box is read. */
export interface BoxScreen {
  readonly lines: readonly SnapshotRow[];
  readonly cursor: { readonly row: number; readonly col: number };
}

export function hasBoxRule(profile: Profile | undefined): boolean {
  return profile?.rules.some(({ on }) => on === 'box') === true;
}

/** A prompt as it is written: it opens no menu of the program, so that Enter behind it is Enter, and no shell. */
export function asPrompt(profile: Profile | undefined, text: string): string {
  const rules = profile?.rules.filter(({ on }) => on === 'box') ?? [];
  const before = rules.some(({ opensShell }) => opensShell?.test(text) === true) ? ' ' : '';
  const behind = rules.some(({ opensMenu }) => opensMenu?.test(text) === true) ? ' ' : '';
  return `${before}${text}${behind}`;
}

/** The lowest one, by the first rule that finds one. */
export function readBox({ rules }: Profile, screen: BoxScreen): Box | undefined {
  const own = rules.filter(({ on }) => on === 'box');
  if (own.length === 0) return undefined;
  const texts = screen.lines.map(writtenText);
  for (const rule of own) {
    const found = lowest(rule, texts, screen);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Characters that a program has drawn as text: dim cells are hints, and a reversed one is a cursor. Blanks at the end are left out. */
export function writtenText(row: SnapshotRow): string {
  let text = '';
  for (let col = 0; col < rowCols(row); col++) {
    if (cellWidth(row, col) === 0) continue;
    text += (isWritten(row, col) && graphemeAt(row, col)) || ' ';
  }
  return text.replaceAll('\u00a0', ' ').trimEnd();
}

/** The cursor that a program draws itself stands on the first letter of a dim hint, and on any letter of a draft. */
function isWritten(row: SnapshotRow, col: number): boolean {
  const attrs = attrsAt(row, col);
  if ((attrs & ATTR_DIM) !== 0) return false;
  if ((attrs & ATTR_INVERSE) === 0) return true;
  const next = col + Math.max(1, cellWidth(row, col));
  const isBeforeHint = (attrsAt(row, next) & ATTR_DIM) !== 0 && graphemeAt(row, next).trim() !== '';
  return !isBeforeHint;
}

function attrsAt(row: SnapshotRow, col: number): number {
  return row.cells[col * CELL_WORDS + CELL_ATTRS] ?? 0;
}

function lowest(rule: Rule, texts: readonly string[], { cursor }: BoxScreen): Box | undefined {
  const first = within(rule.region?.top ?? 0, texts.length);
  const all = texts.slice(0, within(rule.region?.bottom ?? texts.length, texts.length));
  // Blank rows at the end are no part of what is drawn.
  const drawn = all.slice(0, all.findLastIndex((text) => text !== '') + 1);
  let found: Box | undefined;
  for (let row = first; row < drawn.length; row++) {
    const start = rule.start.match(drawn[row] ?? '');
    const rest = start === undefined ? undefined : new Steps(rule, drawn).from(0, row + 1);
    if (start === undefined || rest === undefined) continue;
    const own = rule.start.names.includes('text') ? [{ row, text: start.captures['text'] ?? '' }, ...rest] : rest;
    const lines = own.slice(0, rule.maxLines).map(({ text }) => text.trimEnd());
    const top = own[0]?.row ?? row;
    const rows = lines.length;
    if (rule.cursor && (cursor.row < top || cursor.row >= top + rows)) continue;
    const isHint = rule.hint?.test(lines.join('\n').trim()) === true && isBeforeText(cursor, texts[top] ?? '');
    const isEmpty = isHint || lines.every((line) => line.trim() === '');
    found = { lines: isEmpty ? [] : lines, row: top, rows };
    // Each of its rows may begin as the first one does.
    row = Math.max(row, top + rows - 1);
  }
  return found;
}

/** A draft that reads like the hint has the cursor behind it. Some programs leave it in another row, in its column. */
function isBeforeText({ col }: BoxScreen['cursor'], text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text.slice(0, col));
}

interface TextRow {
  readonly row: number;
  readonly text: string;
}

/** The steps of a rule over rows, each as far as what follows it allows. What has failed at a row is not tried there again. */
class Steps {
  readonly #rule: Rule;
  readonly #texts: readonly string[];
  readonly #failed = new Set<string>();

  constructor(rule: Rule, texts: readonly string[]) {
    this.#rule = rule;
    this.#texts = texts;
  }

  /** @returns the rows of text; undefined: what is there from `row` on is another thing */
  from(index: number, row: number, taken = 0): readonly TextRow[] | undefined {
    const step = this.#rule.steps[index];
    if (step === undefined) return [];
    const place = `${index} ${row} ${Math.min(taken, 1)}`;
    if (this.#failed.has(place)) return undefined;
    const text = this.#texts[row];
    const match = text === undefined ? undefined : step.match.match(text);
    if (match !== undefined) {
      const next = step.ahead ? row : row + 1;
      const goesOn = step.repeat && !step.ahead ? this.from(index, next, taken + 1) : undefined;
      const rest = goesOn ?? this.from(index + 1, next);
      const own = step.match.names.includes('text') ? [{ row, text: match.captures['text'] ?? '' }] : [];
      if (rest !== undefined) return [...own, ...rest];
    }
    const rest = step.optional || taken > 0 ? this.from(index + 1, row) : undefined;
    if (rest === undefined) this.#failed.add(place);
    return rest;
  }
}
