/** The modes for which input is encoded: those of the screen, without what an ended command has left. */
import type { ModesMoment, ScreenModes } from '../../vt/input-modes.js';
import type { LeftModes } from './left-modes.js';

/** The part of a terminal that they are read from. */
export interface ReadTerminal {
  readonly screen: { readonly modesMoment: ModesMoment };
  readonly detectors: { readonly shell: { readonly commands: { readonly modes: LeftModes } } };
}

export function inputModes({ screen, detectors }: ReadTerminal): ScreenModes {
  return detectors.shell.commands.modes.effective(screen.modesMoment);
}
