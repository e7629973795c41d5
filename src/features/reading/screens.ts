/** Which of the two screens of a terminal `text` reads. */
import { T4aError } from '../../protocol/errors.js';
import type { Params } from '../../protocol/registry.js';
import { MainLines, type ReadableLines } from '../../vt/readable-lines.js';
import type { ReadableScreen } from '../../vt/readable-screen.js';

/** What is kept of the shown screen alone, or is of a screen already. */
const OF_SHOWN = ['at', 'since', 'command', 'selection', 'highlights'] as const;

/** @throws T4aError invalid_field */
export function assertScreen(params: Params<'text'>): void {
  if (params.screen === undefined) return;
  const field = OF_SHOWN.find((one) => params[one] !== undefined && params[one] !== false);
  if (field === undefined) return;
  throw new T4aError('invalid_field', `"${field}" of "text" does not go with "screen".`, {
    field,
    hint: `Leave "screen" out: "${field}" is of the screen that is shown.`,
  });
}

/** @throws T4aError screen_not_shown */
export function linesOf(screen: ReadableScreen, wanted: Params<'text'>['screen']): ReadableLines {
  if (wanted === 'main' && screen.altScreen) return new MainLines(screen);
  if (wanted !== 'alternate' || screen.altScreen) return screen;
  throw new T4aError('screen_not_shown', 'The alternate screen is not shown.', {
    hint: 'Leave "screen" out to read what is shown.',
  });
}
