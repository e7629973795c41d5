/** Mouse and fingers on a terminal: for the program if it listens, else for selection and scrolling by the browser. */
import type { MirrorState } from '../mirror/mirror.js';
import type { ParamsInput } from '../protocol/registry.js';
import { addressOf } from './link-address.js';
import { charactersBefore, pointIn, type Point } from './row-points.js';
import type { TerminalScreen } from './terminal-screen.js';

type MouseFields = Omit<ParamsInput<'mouse'>, 'id'>;

export interface PointerSink {
  modes(): MirrorState | undefined;
  act(cmd: 'mouse', fields: MouseFields): void;
  act(cmd: 'press', fields: Omit<ParamsInput<'press'>, 'id'>): void;
  focus(): void;
  copy(text: string): void;
}

const BUTTONS = ['left', 'middle', 'right'] as const;

/** CSS pixels of the wheel for one step. */
const STEP = 40;
const MAX_STEPS = 8;

/** A second tap by then magnifies. */
const DOUBLE_TAP_MS = 300;
const MAGNIFIED = 2;

/** A longer touch selects a word, and opens no keyboard: the focus would take the selection along. */
const LONG_TOUCH_MS = 400;

/** What stands in paths, options and addresses. Scripts without blanks have words of their own; boxes and blocks divide. */
const OF_PATH = String.raw`[^\s()\[\]{}<>'"\x60,;|\u2500-\u259f\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]`;

export class Pointer {
  readonly #screen: TerminalScreen;
  readonly #sink: PointerSink;
  #pressed: (typeof BUTTONS)[number] | undefined;
  #last = '';
  #wheel = 0;
  #tappedAt = Number.NEGATIVE_INFINITY;
  #touchedAt = Number.NEGATIVE_INFINITY;
  /** The left button went down to select. */
  #isSelecting = false;
  /** With Shift, where nothing was selected. */
  #begins = false;
  /** The first click of several did: those that follow select a word, and the row. */
  #hasBegun = false;
  readonly #onUp = (event: PointerEvent): void => this.#up(event);
  readonly #onCancel = (): void => this.#release();

  constructor(screen: TerminalScreen, sink: PointerSink) {
    this.#screen = screen;
    this.#sink = sink;
    const { scroller } = screen;
    scroller.addEventListener('pointerdown', (event) => this.#down(event));
    scroller.addEventListener('mousedown', (event) => this.#clickAgain(event));
    scroller.addEventListener('pointermove', (event) => this.#move(event));
    // A button is released anywhere.
    addEventListener('pointerup', this.#onUp);
    addEventListener('pointercancel', this.#onCancel);
    scroller.addEventListener('wheel', (event) => this.#turn(event), { passive: false });
    scroller.addEventListener('click', (event) => this.#click(event));
    scroller.addEventListener('dblclick', () => widen());
    // Before it is copied or opened by another button: a click completes it, too.
    scroller.addEventListener('pointerover', (event) => complete(event.target));
    scroller.addEventListener('contextmenu', (event) => this.#isPrograms(event) && event.preventDefault());
  }

  dispose(): void {
    removeEventListener('pointerup', this.#onUp);
    removeEventListener('pointercancel', this.#onCancel);
    this.#release();
  }

  #release(): void {
    this.#isSelecting = false;
    this.#screen.isHeld = false;
  }

  #isPrograms(event: MouseEvent): boolean {
    const state = this.#sink.modes();
    const tracking = state?.modes['mouse_tracking'];
    const isLive = this.#screen.isAtEnd || state?.altScreen === true;
    return tracking !== undefined && tracking !== 'none' && !event.shiftKey && isLive;
  }

  #down(event: PointerEvent): void {
    this.#begins = false;
    if (event.pointerType === 'touch') {
      this.#touchedAt = event.timeStamp;
      return;
    }
    const button = BUTTONS[event.button];
    const cell = this.#screen.cellAt(event.clientX, event.clientY);
    if (button !== undefined && cell !== undefined && this.#isPrograms(event)) {
      event.preventDefault();
      this.#pressed = button;
      this.#screen.scroller.setPointerCapture(event.pointerId);
      this.#sink.act('mouse', { action: 'press', button, ...cell, modifiers: modifiersOf(event) });
      return this.#sink.focus();
    }
    // The release of a scroll bar is not reported, nor is that of a context menu everywhere.
    const { left, top } = this.#screen.scroller.getBoundingClientRect();
    const { clientWidth, clientHeight } = this.#screen.scroller;
    const isOnText = event.clientX - left < clientWidth && event.clientY - top < clientHeight;
    this.#isSelecting = event.button === 0 && isOnText;
    this.#begins = this.#isSelecting && event.shiftKey && getSelection()?.isCollapsed !== false;
    if (this.#begins) beginSelection(event);
    this.#screen.isHeld = this.#isSelecting;
  }

  /** The browser would go on from a selection without a text, to the end of the row. */
  #clickAgain(event: MouseEvent): void {
    if (event.detail < 2) this.#hasBegun = this.#begins;
    if (event.detail < 2 || !this.#hasBegun || !event.shiftKey) return;
    event.preventDefault();
    selectAt(event, event.detail === 2 ? 'word' : 'row');
  }

  #move(event: PointerEvent): void {
    if (this.#isSelecting && event.buttons === 0) this.#release();
    const cell = this.#screen.cellAt(event.clientX, event.clientY);
    if (cell === undefined || event.pointerType === 'touch' || !this.#isPrograms(event)) return;
    const place = `${cell.row},${cell.col}`;
    const tracking = this.#sink.modes()?.modes['mouse_tracking'];
    const isReported = tracking === 'any' || (tracking === 'button' && this.#pressed !== undefined);
    if (place === this.#last || !isReported) return;
    this.#last = place;
    const button = this.#pressed === undefined ? {} : { button: this.#pressed };
    this.#sink.act('mouse', { action: 'move', ...button, ...cell, modifiers: modifiersOf(event) });
  }

  #up(event: PointerEvent): void {
    const button = this.#pressed;
    this.#pressed = undefined;
    if (button !== undefined) {
      const cell = this.#screen.cellAt(event.clientX, event.clientY);
      if (cell !== undefined)
        this.#sink.act('mouse', { action: 'release', button, ...cell, modifiers: modifiersOf(event) });
      return;
    }
    if (event.pointerType === 'touch') {
      const isHere = event.target instanceof Node && this.#screen.scroller.contains(event.target);
      if (isHere && event.timeStamp - this.#touchedAt < LONG_TOUCH_MS) this.#tap(event);
      return;
    }
    if (!this.#isSelecting) return;
    this.#release();
    if (getSelection()?.isCollapsed !== false) this.#sink.focus();
  }

  /** A link: not of a program that has the mouse, nor at the end of a selection. */
  #click(event: MouseEvent): void {
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    if (anchor === null) return;
    const isSelected = getSelection()?.isCollapsed === false;
    if (this.#isPrograms(event) || isSelected) return event.preventDefault();
    if (anchor.classList.contains('file')) this.#sink.copy(anchor.textContent);
    else anchor.href = addressOf(anchor);
  }

  #tap(event: PointerEvent): void {
    const isDouble = event.timeStamp - this.#tappedAt < DOUBLE_TAP_MS;
    this.#tappedAt = isDouble ? Number.NEGATIVE_INFINITY : event.timeStamp;
    if (!isDouble) return this.#sink.focus();
    this.#screen.zoom = this.#screen.zoom === 1 ? MAGNIFIED : 1;
    this.#screen.redraw();
  }

  /** The program's, arrows on the alternate screen, or the browser's own scrolling. */
  #turn(event: WheelEvent): void {
    const state = this.#sink.modes();
    if (state === undefined || event.ctrlKey) return;
    const isPrograms = this.#isPrograms(event);
    if (!isPrograms && !state.altScreen) return;
    event.preventDefault();
    this.#wheel += event.deltaMode === 0 ? event.deltaY / STEP : event.deltaY;
    const steps = Math.trunc(Math.max(-MAX_STEPS, Math.min(MAX_STEPS, this.#wheel)));
    if (steps === 0) return;
    this.#wheel -= Math.trunc(this.#wheel);
    const direction = steps < 0 ? 'up' : 'down';
    const cell = this.#screen.cellAt(event.clientX, event.clientY) ?? { row: 0, col: 0 };
    if (isPrograms) this.#sink.act('mouse', { action: 'scroll', direction, steps: Math.abs(steps), ...cell });
    else
      this.#sink.act('press', { keys: Array.from({ length: Math.abs(steps) * 2 }, () => (steps < 0 ? 'Up' : 'Down')) });
  }
}

/** With Shift the browser goes on from the last place, which is in the field of the keyboard unless text is selected. */
function beginSelection(event: MouseEvent): void {
  const at = caretAt(event);
  if (at !== undefined) getSelection()?.collapse(at.node, at.offset);
}

function caretAt({ clientX, clientY }: MouseEvent): { readonly node: Node; readonly offset: number } | undefined {
  const at = document.caretPositionFromPoint?.(clientX, clientY);
  if (at) return { node: at.offsetNode, offset: at.offset };
  // Of browsers without the standard one.
  const range = document.caretRangeFromPoint?.(clientX, clientY);
  return range ? { node: range.startContainer, offset: range.startOffset } : undefined;
}

function selectAt(event: MouseEvent, unit: 'word' | 'row'): void {
  const at = caretAt(event);
  const row = (at?.node instanceof Element ? at.node : at?.node.parentElement)?.closest('.row');
  if (at === undefined || !row) return;
  const selection = getSelection();
  if (unit === 'row') return selection?.selectAllChildren(row);
  const text = row.textContent;
  // The caret is after a character whose right half is under the mouse.
  const caret = charactersBefore(row, at);
  const before = pointIn(row, Math.max(0, caret - 1));
  const box = boxBetween(before, pointIn(row, caret));
  const place = Math.min(event.clientX < box.right ? caret - 1 : caret, text.length - 1);
  const word = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text).containing(Math.max(0, place));
  if (word !== undefined) select(row, widened(text, word.index, word.index + word.segment.length));
}

/** The browser has selected a word of prose: in a terminal a path is one. */
function widen(): void {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed) return;
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
  const row = startContainer.parentElement?.closest('.row');
  if (!row?.contains(endContainer)) return;
  const from = charactersBefore(row, { node: startContainer, offset: startOffset });
  const to = charactersBefore(row, { node: endContainer, offset: endOffset });
  // Some browsers take the blanks after a word along.
  const end = from + row.textContent.slice(from, to).trimEnd().length;
  if (end > from) select(row, widened(row.textContent, from, end));
}

type Span = readonly [from: number, to: number];

function isOfPath(text: string): boolean {
  return new RegExp(`^${OF_PATH}+$`, 'u').test(text);
}

function widened(text: string, from: number, to: number): Span {
  if (!isOfPath(text.slice(from, to))) return [from, to];
  const before = text.slice(0, from).search(new RegExp(`${OF_PATH}*$`, 'u'));
  const after = new RegExp(`^${OF_PATH}*`, 'u').exec(text.slice(to))?.[0].length ?? 0;
  return [before, to + after];
}

function select(row: Element, [first, last]: Span): void {
  const [from, to] = [pointIn(row, first), pointIn(row, last)];
  getSelection()?.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
}

function boxBetween(from: Point, to: Point): DOMRect {
  const range = document.createRange();
  range.setStart(from.node, from.offset);
  range.setEnd(to.node, to.offset);
  return range.getBoundingClientRect();
}

/** An address that goes on in the next rows. */
function complete(target: EventTarget | null): void {
  const anchor = target instanceof Element ? target.closest<HTMLAnchorElement>('a.plain:not(.file)') : null;
  if (anchor !== null) anchor.href = addressOf(anchor);
}

function modifiersOf({ altKey, ctrlKey, shiftKey }: MouseEvent): string[] {
  return [...(shiftKey ? ['shift'] : []), ...(altKey ? ['alt'] : []), ...(ctrlKey ? ['ctrl'] : [])];
}
