/** The view of a terminal's screen from which terminal/shell/typed-commands.ts reads command lines. */
import type { TypedPlace, TypedScreen } from './shell/typed-commands.js';
import { rowText } from '../vt/rows/row-text.js';
import type { Screen } from '../vt/screen.js';
import { cursorNumber } from './command-range.js';

/** Longest command line that is read, in rows. */
const MAX_ROWS = 200;
/** Rows above a prompt that are searched for the echo of a line: a command may have printed much since. */
const MAX_ROWS_BEFORE = 2000;

export function typedScreen(screen: Screen): TypedScreen {
  const indexOf = ({ line }: TypedPlace): number | undefined => {
    const index = line === undefined ? -1 : line - screen.firstMarkedNumber;
    return index < 0 || index >= screen.totalLines ? undefined : index;
  };
  return {
    get cursor() {
      return { line: cursorNumber(screen), col: screen.snapshot().cursor.col };
    },
    endSlicesAtLines(when) {
      screen.endsSlicesAtLines = when;
    },
    textAboveCursor() {
      const end = screen.scrollbackLines + screen.snapshot().cursor.row;
      let first = end - 1;
      while (first > end - MAX_ROWS && first > 0 && screen.continuesLine(first)) first--;
      if (first < 0 || screen.continuesLine(end)) return undefined;
      let text = '';
      for (let index = first; index < end; index++) text += screen.lineText(index, { trim: index === end - 1 }) ?? '';
      return text;
    },
    textBefore(place) {
      const index = indexOf(place);
      const row = index === undefined || place.col === 0 ? undefined : screen.row(index);
      return row === undefined ? '' : rowText(row, { to: place.col, trim: false });
    },
    textFrom(place) {
      const first = indexOf(place);
      if (first === undefined) return undefined;
      let end = first + 1;
      while (end < first + MAX_ROWS && screen.continuesLine(end)) end++;
      let text = '';
      for (let index = first; index < end; index++) {
        const row = screen.row(index);
        if (row === undefined) return undefined;
        text += rowText(row, { from: index === first ? place.col : 0, trim: index === end - 1 });
      }
      return { text, end: end + screen.firstMarkedNumber };
    },
    showsBefore(place, text) {
      const index = indexOf(place);
      if (index === undefined) return false;
      for (let end = index; end > Math.max(0, index - MAX_ROWS_BEFORE);) {
        let first = end - 1;
        while (first > 0 && screen.continuesLine(first)) first--;
        let line = '';
        for (let at = first; at < end; at++) line += screen.lineText(at, { trim: at === end - 1 }) ?? '';
        if (line.trimEnd().endsWith(text)) return true;
        end = first;
      }
      return false;
    },
  };
}
