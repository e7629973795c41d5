/** Mouse and fingers on a terminal: for the program if it listens, else for selection and scrolling by the browser. */
import type { MirrorState } from '../mirror/mirror.js';
import type { ParamsInput } from '../protocol/registry.js';
import type { TerminalScreen } from './terminal-screen.js';

type MouseFields = Omit<ParamsInput<'mouse'>, 'id'>;

export interface PointerSink {
  modes(): MirrorState | undefined;
  act(cmd: 'mouse', fields: MouseFields): void;
  act(cmd: 'press', fields: Omit<ParamsInput<'press'>, 'id'>): void;
  focus(): void;
}

const BUTTONS = ['left', 'middle', 'right'] as const;

/** CSS pixels of the wheel for one step. */
const STEP = 40;
const MAX_STEPS = 8;

/** A second tap by then magnifies. */
const DOUBLE_TAP_MS = 300;
const MAGNIFIED = 2;

export class Pointer {
  readonly #screen: TerminalScreen;
  readonly #sink: PointerSink;
  #pressed: (typeof BUTTONS)[number] | undefined;
  #last = '';
  #wheel = 0;
  #tappedAt = Number.NEGATIVE_INFINITY;

  constructor(screen: TerminalScreen, sink: PointerSink) {
    this.#screen = screen;
    this.#sink = sink;
    const { scroller } = screen;
    scroller.addEventListener('pointerdown', (event) => this.#down(event));
    scroller.addEventListener('pointermove', (event) => this.#move(event));
    scroller.addEventListener('pointerup', (event) => this.#up(event));
    scroller.addEventListener('pointercancel', () => {
      this.#screen.isHeld = false;
    });
    scroller.addEventListener('wheel', (event) => this.#turn(event), { passive: false });
    scroller.addEventListener('contextmenu', (event) => this.#isPrograms(event) && event.preventDefault());
  }

  dispose(): void {
    this.#screen.isHeld = false;
  }

  #isPrograms(event: MouseEvent): boolean {
    const tracking = this.#sink.modes()?.modes['mouse_tracking'];
    return tracking !== undefined && tracking !== 'none' && !event.shiftKey && this.#screen.isAtEnd;
  }

  #down(event: PointerEvent): void {
    if (event.pointerType === 'touch') return;
    const button = BUTTONS[event.button];
    const cell = this.#screen.cellAt(event.clientX, event.clientY);
    if (button !== undefined && cell !== undefined && this.#isPrograms(event)) {
      event.preventDefault();
      this.#pressed = button;
      this.#screen.scroller.setPointerCapture(event.pointerId);
      this.#sink.act('mouse', { action: 'press', button, ...cell, modifiers: modifiersOf(event) });
      return this.#sink.focus();
    }
    this.#screen.isHeld = true;
  }

  #move(event: PointerEvent): void {
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
    this.#screen.isHeld = false;
    const isClick = getSelection()?.isCollapsed !== false;
    if (event.pointerType === 'touch') this.#tap(event);
    else if (isClick && event.button === 0) this.#sink.focus();
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

function modifiersOf({ altKey, ctrlKey, shiftKey }: MouseEvent): string[] {
  return [...(shiftKey ? ['shift'] : []), ...(altKey ? ['alt'] : []), ...(ctrlKey ? ['ctrl'] : [])];
}
