import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_INPUT_MODES, type MouseTracking } from '../../../src/vt/input-modes.js';
import { encodeMouseAction, type MouseAction, mouseEvents } from '../../../src/vt/mouse/mouse-action.js';

const AT = { row: 4, col: 2 };
const CLICK: MouseAction = { action: 'click', at: AT, button: 'left', clicks: 1 };
const DRAG: MouseAction = { action: 'drag', from: AT, to: { row: 4, col: 5 }, button: 'left' };

/** The SGR reports without their `CSI <`, or the reason. */
function reports(action: MouseAction, mouseTracking: MouseTracking, modifiers = 0): string[] | string {
  const modes = { ...DEFAULT_INPUT_MODES, mouseTracking, mouseEncoding: 'sgr' } as const;
  const encoded = encodeMouseAction(action, modifiers, modes);
  return 'reason' in encoded
    ? encoded.reason
    : encoded.reports.map((bytes) => Buffer.from(bytes).toString('latin1').replace('\x1b[<', ''));
}

describe('mouse actions', () => {
  it('click with a move, a press and a release, if the mode reports them', () => {
    expect(reports(CLICK, 'any')).toEqual(['35;3;5M', '0;3;5M', '0;3;5m']);
    expect(reports(CLICK, 'button')).toEqual(['0;3;5M', '0;3;5m']);
    expect(reports(CLICK, 'normal')).toEqual(['0;3;5M', '0;3;5m']);
    expect(reports(CLICK, 'x10')).toEqual(['0;3;5M']);
  });

  it('click twice in the same cell for a double click, with all reports', () => {
    const double: MouseAction = { ...CLICK, clicks: 2, button: 'right' };
    expect(reports(double, 'normal')).toEqual(['2;3;5M', '2;3;5m', '2;3;5M', '2;3;5m']);
  });

  it('send the modifiers with every report', () => {
    expect(reports(CLICK, 'any', 4)).toEqual(['51;3;5M', '16;3;5M', '16;3;5m']);
  });

  it('drag over every cell on the way, and release at the end', () => {
    expect(reports(DRAG, 'button')).toEqual(['0;3;5M', '32;4;5M', '32;5;5M', '32;6;5M', '0;6;5m']);
    expect(reports(DRAG, 'any')).toEqual(['35;3;5M', '0;3;5M', '32;4;5M', '32;5;5M', '32;6;5M', '0;6;5m']);
    expect(reports(DRAG, 'normal')).toEqual(['0;3;5M', '0;6;5m']);
  });

  it('drag in steps of one cell from the first to the last', () => {
    const cell = fc.record({ row: fc.nat(60), col: fc.nat(200) });
    fc.assert(
      fc.property(cell, cell, (from, to) => {
        const events = mouseEvents({ action: 'drag', from, to, button: 'left' });
        const pressed = events.findIndex(({ type }) => type === 'press');
        const way = events.slice(pressed).map(({ row, col }) => ({ row, col }));
        expect(way[0]).toEqual(from);
        expect(way.at(-1)).toEqual(to);
        for (const [i, { row, col }] of way.slice(1, -1).entries()) {
          const step = Math.max(Math.abs(row - way[i]!.row), Math.abs(col - way[i]!.col));
          expect(step).toBe(1);
        }
        expect(way.at(-2)).toEqual(to);
      }),
    );
  });

  it('scroll with one press of the wheel for each step, without a release', () => {
    const scroll: MouseAction = { action: 'scroll', at: AT, direction: 'down', steps: 3 };
    expect(reports(scroll, 'normal')).toEqual(['65;3;5M', '65;3;5M', '65;3;5M']);
    expect(reports({ ...scroll, direction: 'left', steps: 1 }, 'any')).toEqual(['35;3;5M', '66;3;5M']);
  });

  it('press, move and release separately', () => {
    expect(reports({ action: 'press', at: AT, button: 'middle' }, 'normal')).toEqual(['1;3;5M']);
    expect(reports({ action: 'release', at: AT, button: 'middle' }, 'normal')).toEqual(['1;3;5m']);
    expect(reports({ action: 'move', at: AT }, 'any')).toEqual(['35;3;5M']);
    expect(reports({ action: 'move', at: AT, button: 'left' }, 'button')).toEqual(['32;3;5M']);
  });

  it.each<[MouseAction, MouseTracking, string]>([
    [CLICK, 'none', 'not asked for the mouse'],
    [DRAG, 'x10', 'reports no releases'],
    [{ action: 'release', at: AT, button: 'left' }, 'x10', 'reports no releases'],
    [{ action: 'move', at: AT }, 'button', 'no movement without a button'],
    [{ action: 'move', at: AT, button: 'left' }, 'normal', 'reports no movement'],
    [{ action: 'scroll', at: AT, direction: 'up', steps: 1 }, 'x10', 'left, middle and right button alone'],
    [{ ...CLICK, at: { row: 0, col: -1 } }, 'any', 'not a cell'],
  ])('send nothing if not all reports are possible: %o with tracking %s', (action, tracking, reason) => {
    expect(reports(action, tracking)).toContain(reason);
  });
});
