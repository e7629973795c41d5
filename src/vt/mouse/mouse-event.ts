/** One mouse event, and the tracking modes that report it. Rows and columns are 0-based cells. */
import type { MouseTracking } from '../input-modes.js';

export type MouseButton =
  | 'left'
  | 'middle'
  | 'right'
  | 'wheel-up'
  | 'wheel-down'
  | 'wheel-left'
  | 'wheel-right'
  | 'back'
  | 'forward';

export interface MouseEvent {
  readonly type: 'press' | 'release' | 'move';
  /** The button that changed; on a move the one held down. */
  readonly button?: MouseButton;
  readonly row: number;
  readonly col: number;
  /** Sum of the bits in keys/modifiers.ts; Shift, Alt and Ctrl are reported. */
  readonly modifiers: number;
}

/** Bits 0, 1, 6 and 7 of the button byte: buttons 1..3, wheel 4..7, further buttons 8 and 9 of xterm. */
export const BUTTON_CODES: Readonly<Record<MouseButton, number>> = {
  left: 0,
  middle: 1,
  right: 2,
  'wheel-up': 64,
  'wheel-down': 65,
  'wheel-left': 66,
  'wheel-right': 67,
  back: 128,
  forward: 129,
};

/** Events that a tracking mode reports. */
const REPORTED: Readonly<
  Record<MouseTracking, { release: boolean; drag: boolean; hover: boolean; plainOnly: boolean }>
> = {
  none: { release: false, drag: false, hover: false, plainOnly: false },
  x10: { release: false, drag: false, hover: false, plainOnly: true },
  normal: { release: true, drag: false, hover: false, plainOnly: false },
  button: { release: true, drag: true, hover: false, plainOnly: false },
  any: { release: true, drag: true, hover: true, plainOnly: false },
};

/** Why the tracking mode does not report the event, as a sentence; undefined if it does. */
export function whyNotTracked(event: MouseEvent, tracking: MouseTracking): string | undefined {
  if (tracking === 'none') return 'The program has not asked for the mouse (modes 9, 1000, 1002 and 1003 are off).';
  const reported = REPORTED[tracking];
  const asked = `The program asked for ${TRACKING_NAMES[tracking]}`;
  switch (event.type) {
    case 'press':
      if (event.button === undefined) return 'A press needs a button.';
      return reported.plainOnly && BUTTON_CODES[event.button] > 2
        ? `${asked}, which reports the left, middle and right button alone.`
        : undefined;
    case 'release':
      if (event.button === undefined) return 'A release needs a button.';
      if (isWheel(event.button)) return 'The wheel is not released: each step is one press.';
      return reported.release ? undefined : `${asked}, which reports no releases.`;
    default:
      if (reported.hover || (reported.drag && event.button !== undefined)) return undefined;
      return event.button === undefined
        ? `${asked}, which reports no movement without a button.`
        : `${asked}, which reports no movement.`;
  }
}

const TRACKING_NAMES: Readonly<Record<MouseTracking, string>> = {
  none: 'no mouse',
  x10: 'button presses (mode 9)',
  normal: 'presses and releases (mode 1000)',
  button: 'presses, releases and drags (mode 1002)',
  any: 'all mouse events (mode 1003)',
};

export function isWheel(button: MouseButton): boolean {
  return (BUTTON_CODES[button] & 64) !== 0;
}
