/** Focus reports (mode 1004): `CSI I` when the terminal gains the focus, `CSI O` when it loses it. */
import type { InputModes } from '../input-modes.js';

/** Undefined if the program has not asked for reports. */
export function encodeFocus(focused: boolean, modes: InputModes): string | undefined {
  if (!modes.focusReporting) return undefined;
  return focused ? '\x1b[I' : '\x1b[O';
}
