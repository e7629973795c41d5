/**
 * Output that shows a screen on an emulator in any state: after a reset, its viewport, cursor, title, colours and the
 * modes that change how later output is shown. Not kept: scrollback, scroll region, origin mode, tabs, character sets, the
 * pen, the saved cursor, and a wrap that is pending.
 */
import type { ScreenModes } from './input-modes.js';
import type { CursorShape, DynamicColors, Snapshot } from './snapshot.js';
import { rowAnsi } from './rows/row-ansi.js';

const CURSOR_STYLES: Readonly<Record<CursorShape, number>> = { block: 1, underline: 3, bar: 5 };

type ShownModes = Pick<ScreenModes, 'insert' | 'wraparound'>;

export function repaint(snapshot: Snapshot, modes: ShownModes): string {
  const { cols, lines, cursor, title, altScreen, reverseScreen } = snapshot;
  let text = '\x1bc';
  if (title !== '') text += `\x1b]2;${title}\x1b\\`;
  if (altScreen) text += '\x1b[?1049h';
  if (reverseScreen) text += '\x1b[?5h';
  text += colors(snapshot.colors);
  // A line that wraps is printed as one: a change of size lays it out as the program's own.
  lines.forEach((row, index) => {
    if (index > 0 && !row.wrapped) text += '\r\n';
    const next = lines[index + 1];
    text += rowAnsi(row, next?.wrapped === true ? next : undefined);
  });
  text += `\x1b[${cursor.row + 1};${Math.min(cursor.col, cols - 1) + 1}H`;
  text += `\x1b[${CURSOR_STYLES[cursor.shape] + (cursor.blink ? 0 : 1)} q`;
  if (!cursor.visible) text += '\x1b[?25l';
  if (modes.insert) text += '\x1b[4h';
  if (!modes.wraparound) text += '\x1b[?7l';
  return text;
}

function colors({ palette, foreground, background, cursor }: DynamicColors): string {
  const dynamic = [foreground, background, cursor].map((color, i) => osc(`${10 + i}`, color));
  return [...Array.from(palette, ([index, color]) => osc(`4;${index}`, color)), ...dynamic].join('');
}

function osc(code: string, color: number | undefined): string {
  return color === undefined ? '' : `\x1b]${code};#${color.toString(16).padStart(6, '0')}\x1b\\`;
}
