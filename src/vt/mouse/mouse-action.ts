/** Converts mouse actions (click, drag, scroll) to the events of a mouse, in order. */
import type { InputModes } from '../input-modes.js';
import { type CellPixels, encodeMouse, whyMouseNotSent } from './encode-mouse.js';
import type { MouseButton, MouseEvent } from './mouse-event.js';

export interface CellPosition {
  readonly row: number;
  readonly col: number;
}

export type PointerButton = Exclude<MouseButton, `wheel-${string}`>;
export type ScrollDirection = 'up' | 'down' | 'left' | 'right';

export type MouseAction =
  | { readonly action: 'click'; readonly at: CellPosition; readonly button: PointerButton; readonly clicks: number }
  | { readonly action: 'press' | 'release'; readonly at: CellPosition; readonly button: PointerButton }
  /** `button` is held down while moving. */
  | { readonly action: 'move'; readonly at: CellPosition; readonly button?: PointerButton }
  | { readonly action: 'drag'; readonly from: CellPosition; readonly to: CellPosition; readonly button: PointerButton }
  | {
      readonly action: 'scroll';
      readonly at: CellPosition;
      readonly direction: ScrollDirection;
      readonly steps: number;
    };

/**
 * The pointer moves to the place before it acts there, so that a program that tracks all motion can highlight what is
 * under it. A drag passes every cell on the straight line.
 */
export function mouseEvents(action: MouseAction, modifiers = 0): MouseEvent[] {
  const event = (type: MouseEvent['type'], at: CellPosition, button?: MouseButton): MouseEvent => ({
    type,
    ...(button === undefined ? {} : { button }),
    row: at.row,
    col: at.col,
    modifiers,
  });
  switch (action.action) {
    case 'click': {
      const { at, button, clicks } = action;
      const once = [event('press', at, button), event('release', at, button)];
      return [event('move', at), ...Array.from({ length: clicks }, () => once).flat()];
    }
    case 'press':
      return [event('move', action.at), event('press', action.at, action.button)];
    case 'release':
      return [event('release', action.at, action.button)];
    case 'move':
      return [event('move', action.at, action.button)];
    case 'drag': {
      const { from, to, button } = action;
      const path = cellsBetween(from, to).map((at) => event('move', at, button));
      return [event('move', from), event('press', from, button), ...path, event('release', to, button)];
    }
    default: {
      const step = event('press', action.at, `wheel-${action.direction}`);
      return [event('move', action.at), ...Array.from({ length: action.steps }, () => step)];
    }
  }
}

export type EncodedMouseAction =
  | { readonly reports: readonly Uint8Array[] }
  /** Nothing may be sent: a sentence for the `mouse_off` error. */
  | { readonly reason: string };

/**
 * All or nothing: an action whose essential events the program would not get is refused, not sent in part. Accompanying
 * events (the pointer's way, a click's release in X10 mode) are left out if the mode does.
 */
export function encodeMouseAction(
  action: MouseAction,
  modifiers: number,
  modes: InputModes,
  cell?: CellPixels,
): EncodedMouseAction {
  const events = mouseEvents(action, modifiers);
  for (const event of events) {
    if (!ESSENTIAL[action.action].includes(event.type)) continue;
    const reason = whyMouseNotSent(event, modes, cell);
    if (reason !== undefined) return { reason };
  }
  return { reports: events.flatMap((event) => encodeMouse(event, modes, cell) ?? []) };
}

const ESSENTIAL: Readonly<Record<MouseAction['action'], readonly MouseEvent['type'][]>> = {
  click: ['press'],
  press: ['press'],
  release: ['release'],
  move: ['move'],
  drag: ['press', 'release'],
  scroll: ['press'],
};

/** The cells on the line after `from` up to and with `to`, one step along the longer axis each. */
function cellsBetween(from: CellPosition, to: CellPosition): CellPosition[] {
  const rows = to.row - from.row;
  const cols = to.col - from.col;
  const steps = Math.max(Math.abs(rows), Math.abs(cols));
  return Array.from({ length: steps }, (_, i) => ({
    row: from.row + Math.round((rows * (i + 1)) / steps),
    col: from.col + Math.round((cols * (i + 1)) / steps),
  }));
}
