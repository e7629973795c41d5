import { describe, expect, test } from 'vitest';
import { mouseReport, onScreen } from '../../src/tty/mouse-report.js';

/** Press, or release with "m", at the seventh column of the third row. */
const reported = (code: number, end = 'M') => mouseReport(`\x1b[<${code};7;3${end}`);
const AT = { row: 2, col: 6 };

// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, "Mouse Tracking".
test.each([
  [0, 'M', { action: 'press', button: 'left' }],
  [1, 'M', { action: 'press', button: 'middle' }],
  [2, 'm', { action: 'release', button: 'right' }],
  [32, 'M', { action: 'move', button: 'left' }],
  [34, 'm', { action: 'move', button: 'right' }],
  [35, 'M', { action: 'move' }],
  [128, 'M', { action: 'press', button: 'back' }],
  [129, 'm', { action: 'release', button: 'forward' }],
  [64, 'M', { action: 'scroll', direction: 'up' }],
  [65, 'M', { action: 'scroll', direction: 'down' }],
  [66, 'M', { action: 'scroll', direction: 'left' }],
  [67, 'M', { action: 'scroll', direction: 'right' }],
])('the report %i%s is %j', (code, end, fields) => {
  expect(reported(code, end)).toEqual({ ...fields, ...AT, modifiers: [] });
});

test('modifiers are those of the report', () => {
  expect(reported(0 + 4 + 8)).toMatchObject({ action: 'press', button: 'left', modifiers: ['shift', 'alt'] });
  expect(reported(65 + 16)).toMatchObject({ action: 'scroll', direction: 'down', modifiers: ['ctrl'] });
});

test('a press of no button, and what is no report, are nothing', () => {
  expect([reported(3), reported(130), mouseReport('\x1b[<0;7M'), mouseReport('x')]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

describe('a report on a screen of 10 by 20, in a window of 5 by 8', () => {
  const screen = { rows: 10, cols: 20 };
  const at = (row: number, col: number, action: 'press' | 'release', origin = { left: 12, top: 4 }): unknown => {
    const cell = onScreen({ action, button: 'left', row, col }, { origin, window: { rows: 5, cols: 8 }, screen });
    return cell && [cell.row, cell.col];
  };

  test('has the cell of the screen', () => {
    expect([at(0, 0, 'press'), at(4, 7, 'press'), at(4, 7, 'release')]).toEqual([
      [4, 12],
      [8, 19],
      [8, 19],
    ]);
  });

  test('that is beside it is none, but for a release, which is at the nearest cell', () => {
    expect([at(5, 0, 'press'), at(0, 8, 'press')]).toEqual([undefined, undefined]);
    expect([at(5, 0, 'release'), at(0, 8, 'release'), at(9, 3, 'release')]).toEqual([
      [9, 12],
      [4, 19],
      [9, 15],
    ]);
    const atTheEnd = { left: 0, top: 6 };
    expect([at(3, 0, 'press', atTheEnd), at(4, 0, 'press', atTheEnd), at(4, 0, 'release', atTheEnd)]).toEqual([
      [9, 0],
      undefined,
      [9, 0],
    ]);
  });
});
