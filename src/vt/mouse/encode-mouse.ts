/**
 * Encodes a mouse event as a report, in the encoding that the program has set.
 * https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, "Mouse Tracking"
 *
 * Reports are bytes, not text: those of the default encoding are not UTF-8 beyond column or row 95. Deviation: a
 * position that an encoding cannot express is refused with a reason, where xterm reports position 0.
 */
import type { InputModes, MouseEncoding } from '../input-modes.js';
import { ALT, CTRL, SHIFT } from '../keys/modifiers.js';
import { BUTTON_CODES, type MouseEvent, whyNotTracked } from './mouse-event.js';

/** Size of a cell in pixels, as answered to `CSI 16 t`; the SGR-pixels encoding counts in pixels. */
export interface CellPixels {
  readonly width: number;
  readonly height: number;
}

/** Undefined if the program would not get the event: {@link whyMouseNotSent} returns the reason. */
export function encodeMouse(event: MouseEvent, modes: InputModes, cell?: CellPixels): Uint8Array | undefined {
  if (whyMouseNotSent(event, modes, cell) !== undefined) return undefined;
  const { mouseEncoding } = modes;
  const button = buttonCode(event, modes);
  const { x, y } = position(event, mouseEncoding, cell);
  switch (mouseEncoding) {
    case 'default':
      return Uint8Array.of(ESC, BRACKET, LETTER_M, button + 32, x + 32, y + 32);
    case 'utf8':
      return UTF8.encode(`\x1b[M${String.fromCodePoint(button + 32, x + 32, y + 32)}`);
    case 'urxvt':
      return UTF8.encode(`\x1b[${button + 32};${x};${y}M`);
    default:
      return UTF8.encode(`\x1b[<${button};${x};${y}${event.type === 'release' ? 'm' : 'M'}`);
  }
}

/** Why {@link encodeMouse} has nothing to send, as a sentence; undefined if it has. */
export function whyMouseNotSent(event: MouseEvent, modes: InputModes, cell?: CellPixels): string | undefined {
  const { row, col } = event;
  if (!Number.isInteger(row) || !Number.isInteger(col) || row < 0 || col < 0) {
    return `Row ${row}, column ${col} is not a cell.`;
  }
  const untracked = whyNotTracked(event, modes.mouseTracking);
  if (untracked !== undefined) return untracked;
  const limit = POSITION_LIMITS[modes.mouseEncoding];
  if (limit !== undefined && Math.max(row, col) >= limit) {
    return `The program's mouse encoding ends at row and column ${limit - 1}; row ${row}, column ${col} is beyond.`;
  }
  if (modes.mouseEncoding === 'sgr-pixels' && cell === undefined) {
    return 'The program asked for mouse positions in pixels, and the size of a cell is unknown.';
  }
  return undefined;
}

/** Rows and columns that can be expressed: 255 - 32 in one byte, 2047 - 32 in two bytes of UTF-8. */
const POSITION_LIMITS: Readonly<Partial<Record<MouseEncoding, number>>> = { default: 223, utf8: 2015 };

const UTF8 = new TextEncoder();
const ESC = 0x1b;
const BRACKET = 0x5b;
const LETTER_M = 0x4d;

/** Release of an unnamed button, and motion without a button. */
const NO_BUTTON = 3;
const MOTION = 32;

function buttonCode(event: MouseEvent, modes: InputModes): number {
  const button = event.button === undefined ? NO_BUTTON : BUTTON_CODES[event.button];
  if (modes.mouseTracking === 'x10') return button;
  const modifiers = (event.modifiers & (SHIFT | ALT | CTRL)) << 2;
  if (event.type === 'move') return button + modifiers + MOTION;
  const tellsReleased = modes.mouseEncoding === 'sgr' || modes.mouseEncoding === 'sgr-pixels';
  return (event.type === 'release' && !tellsReleased ? NO_BUTTON : button) + modifiers;
}

/** 1-based, of the cell or of the pixel in its middle. */
function position({ row, col }: MouseEvent, encoding: MouseEncoding, cell?: CellPixels): { x: number; y: number } {
  if (encoding !== 'sgr-pixels' || cell === undefined) return { x: col + 1, y: row + 1 };
  return {
    x: Math.floor((col + 0.5) * cell.width) + 1,
    y: Math.floor((row + 0.5) * cell.height) + 1,
  };
}
