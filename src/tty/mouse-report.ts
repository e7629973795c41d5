/** A report of the person's mouse (SGR encoding) as a request of `mouse`. Pure. */
import type { ParamsInput } from '../protocol/registry.js';
import type { Size } from '../mirror/fit.js';

export type MouseFields = Pick<ParamsInput<'mouse'>, 'action' | 'button' | 'modifiers' | 'direction'> & {
  readonly row: number;
  readonly col: number;
};

// oxlint-disable-next-line no-control-regex -- sequences begin with Escape
const REPORT = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/;

const MOTION = 32;
const WHEEL = 64;
const EXTRA = 128;
const BUTTONS = ['left', 'middle', 'right', undefined] as const;
const EXTRA_BUTTONS = ['back', 'forward'] as const;
const DIRECTIONS = ['up', 'down', 'left', 'right'] as const;
const MODIFIERS = [
  [4, 'shift'],
  [8, 'alt'],
  [16, 'ctrl'],
] as const;

/** Row and column are those of the person's terminal, from 0. */
export function mouseReport(bytes: string): MouseFields | undefined {
  const match = REPORT.exec(bytes);
  if (match === null) return undefined;
  const code = Number(match[1]);
  const place = { row: Number(match[3]) - 1, col: Number(match[2]) - 1 };
  const modifiers = MODIFIERS.filter(([bit]) => (code & bit) !== 0).map(([, name]) => name);
  if ((code & WHEEL) !== 0) return { action: 'scroll', ...place, modifiers, direction: DIRECTIONS[code & 3] ?? 'up' };
  const button = (code & EXTRA) === 0 ? BUTTONS[code & 3] : EXTRA_BUTTONS[code & 3];
  const action = (code & MOTION) !== 0 ? 'move' : match[4] === 'm' ? 'release' : 'press';
  if (button === undefined && action !== 'move') return undefined;
  return { action, ...place, modifiers, ...(button === undefined ? {} : { button }) };
}

export interface Shown {
  /** The cell of the screen that is at the top left of the window. */
  readonly origin: { readonly left: number; readonly top: number };
  readonly window: Size;
  readonly screen: Size;
}

/** The report with the cell of the screen; undefined for what is beside it. */
export function onScreen(report: MouseFields, { origin, window, screen }: Shown): MouseFields | undefined {
  const row = report.row + origin.top;
  const col = report.col + origin.left;
  if (report.row < window.rows && row < screen.rows && col < screen.cols) return { ...report, row, col };
  // The program waits for the release of a button that it has seen pressed.
  if (report.action !== 'release') return undefined;
  return { ...report, row: Math.min(row, screen.rows - 1), col: Math.min(col, screen.cols - 1) };
}
