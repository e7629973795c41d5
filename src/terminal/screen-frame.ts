/** The screen as the detector of settled screens compares it: rows are built only if they are compared. */
import type { ScreenFrame } from '../events/frame-changes.js';
import type { Screen } from '../vt/screen.js';

export function frameOf(screen: Screen): ScreenFrame {
  const snapshot = screen.snapshot();
  const { cols, rows, altScreen } = snapshot;
  return {
    cols,
    rows,
    altScreen,
    get lines() {
      return snapshot.lines;
    },
    topLine: screen.firstLineNumber + screen.scrollbackLines,
    resizes: screen.resizes,
  };
}
