import { expect, it } from 'vitest';
import { atPromptBegin } from '../../../src/terminal/shell/prompt-before-marks.js';

/** A row of cells; a wide character has an empty one behind it. */
const screenOf = (cells: readonly string[]) => ({
  textBefore: ({ col }: { col: number }) => cells.slice(0, col).join(''),
});

function endOf(row: string | readonly string[], data: string, code = 133): number {
  const cells = typeof row === 'string' ? Array.from(row) : row;
  return atPromptBegin({ code, data, line: 7, col: cells.length }, screenOf(cells)).col;
}

it.each([
  ['(venv) ', '(venv) ${__t4a_on+${__t4a_prompted+', 0],
  ['abc(venv) ', '(venv) \\[${__t4a_on+${__t4a_prompted+', 3],
  ['abc(venv) ', '(venv) [${__t4a_on+', 3],
  ['abc(a;b) ', '(a;b) ${__t4a_on+', 3],
  ['(venv) ', '(venv) ', 0],
  ['abc', '${__t4a_on+${__t4a_prompted+', 3],
  ['~/src ', '\\w ${__t4a_on+', 6],
])('in the row %j the output ends before %j in column %d', (row, before, col) => {
  expect(endOf(row, `D;0;aid=1;proof=1.2;before=${before}`)).toBe(col);
});

it('text of two columns counts as two', () => {
  expect(endOf(['x', '漢', '', ' '], 'D;0;aid=1;before=漢 ${__t4a_on+')).toBe(1);
});

it('other marks stay where they are', () => {
  expect(endOf('(venv) ', 'A;aid=1;before=(venv) ')).toBe(7);
  expect(endOf('(venv) ', 'D;0;aid=1;before=(venv) ', 633)).toBe(7);
});
