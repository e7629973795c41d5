/**
 * Text that stands in a prompt before its marks, as a virtual environment puts it there: the scripts of shells without hooks
 * report it with the end of a command (`before=`), as it stands in PS1. It is no output. What the shell expands there is not
 * found on the screen, and stays.
 */
import type { OscMessage } from '../../vt/screen-effects.js';
import type { MarkPlace } from './shell-facts.js';
import type { TypedScreen } from './typed-segment.js';

const BEFORE = /^D;.*?;before=(.+)$/s;
/** Where the marks begin in PS1. */
const MARKS = /(?:\\?\[)?\$\{__t4a_on\+.*$/s;
/** Columns of the longest text. */
const MAX_COLS = 200;

/** The same message at the place where its prompt begins; a command's start with what stands before its output in the row. */
export function atPromptBegin(
  message: OscMessage,
  screen: Pick<TypedScreen, 'textBefore'>,
): OscMessage & Pick<MarkPlace, 'lead'> {
  const { code, data, line, col } = message;
  if (code === 133 && col > 0 && /^C(?:;|$)/.test(data)) return { ...message, lead: screen.textBefore({ line, col }) };
  const before = code === 133 && col > 0 ? BEFORE.exec(data)?.[1]?.replace(MARKS, '') : undefined;
  if (before === undefined || before === '') return message;
  const shown = screen.textBefore({ line, col });
  if (!shown.endsWith(before)) return message;
  const rest = shown.slice(0, shown.length - before.length);
  for (let at = col - 1; at >= Math.max(0, col - MAX_COLS); at--) {
    if (screen.textBefore({ line, col: at }) === rest) return { ...message, col: at };
  }
  return message;
}
