import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_INPUT_MODES, type MouseEncoding, type MouseTracking } from '../../../src/vt/input-modes.js';
import { encodeFocus } from '../../../src/vt/mouse/encode-focus.js';
import { encodeMouse, whyMouseNotSent } from '../../../src/vt/mouse/encode-mouse.js';
import { BUTTON_CODES, type MouseButton, type MouseEvent } from '../../../src/vt/mouse/mouse-event.js';

const CELL = { width: 10, height: 20 };

function modes(mouseTracking: MouseTracking, mouseEncoding: MouseEncoding = 'sgr') {
  return { ...DEFAULT_INPUT_MODES, mouseTracking, mouseEncoding };
}

function event(type: MouseEvent['type'], button?: MouseButton, some: Partial<MouseEvent> = {}): MouseEvent {
  return { type, ...(button === undefined ? {} : { button }), row: 4, col: 2, modifiers: 0, ...some };
}

/** The report as text of one character a byte, `^[` for ESC; undefined when nothing is sent. */
function report(mouse: MouseEvent, tracking: MouseTracking, encoding: MouseEncoding): string | undefined {
  const bytes = encodeMouse(mouse, modes(tracking, encoding), CELL);
  return bytes && Buffer.from(bytes).toString('latin1').replace('\x1b', '^[');
}

/** The button byte less 32, as ctlseqs gives it: Shift 4, Alt 8, Ctrl 16, motion 32, wheel 64, further buttons 128. */
const BUTTONS = [
  [event('press', 'left'), 0],
  [event('press', 'middle'), 1],
  [event('press', 'right'), 2],
  [event('press', 'wheel-up'), 64],
  [event('press', 'wheel-down'), 65],
  [event('press', 'wheel-left'), 66],
  [event('press', 'wheel-right'), 67],
  [event('press', 'back'), 128],
  [event('press', 'forward'), 129],
  [event('press', 'left', { modifiers: 1 }), 4],
  [event('press', 'left', { modifiers: 2 }), 8],
  [event('press', 'left', { modifiers: 4 }), 16],
  [event('press', 'right', { modifiers: 7 }), 30],
  [event('press', 'wheel-down', { modifiers: 4 }), 81],
  [event('press', 'left', { modifiers: 8 }), 0],
  [event('move', 'left'), 32],
  [event('move', 'right'), 34],
  [event('move'), 35],
  [event('move', undefined, { modifiers: 5 }), 55],
] as const;

describe('mouse reports', () => {
  it.each(BUTTONS)('of %o have button byte %i in every encoding', (mouse, code) => {
    expect(report(mouse, 'any', 'sgr')).toBe(`^[[<${code};3;5M`);
    expect(report(mouse, 'any', 'sgr-pixels')).toBe(`^[[<${code};26;91M`);
    expect(report(mouse, 'any', 'urxvt')).toBe(`^[[${code + 32};3;5M`);
    expect(report(mouse, 'any', 'default')).toBe(`^[[M${String.fromCharCode(code + 32)}#%`);
    const button = Buffer.from(String.fromCharCode(code + 32), 'utf8').toString('latin1');
    expect(report(mouse, 'any', 'utf8')).toBe(`^[[M${button}#%`);
  });

  it('of a release name the button only in SGR encodings', () => {
    const release = event('release', 'right', { modifiers: 1 });
    expect(report(release, 'normal', 'sgr')).toBe('^[[<6;3;5m');
    expect(report(release, 'normal', 'sgr-pixels')).toBe('^[[<6;26;91m');
    expect(report(release, 'normal', 'urxvt')).toBe('^[[39;3;5M');
    expect(report(release, 'normal', 'default')).toBe("^[[M'#%");
    expect(report(release, 'normal', 'utf8')).toBe("^[[M'#%");
  });

  it('of X10 mode leave out modifiers', () => {
    expect(report(event('press', 'right', { modifiers: 7 }), 'x10', 'default')).toBe('^[[M"#%');
    expect(report(event('press', 'right', { modifiers: 7 }), 'x10', 'sgr')).toBe('^[[<2;3;5M');
  });

  it('begin at row and column 1', () => {
    const corner = event('press', 'left', { row: 0, col: 0 });
    expect(report(corner, 'normal', 'default')).toBe('^[[M !!');
    expect(report(corner, 'normal', 'sgr')).toBe('^[[<0;1;1M');
  });

  /** Encoding, the last column that it can say, its bytes, and whether the next is refused. */
  it.each([
    ['default', 222, '^[[M \xff%', true],
    ['utf8', 94, '^[[M \x7f%', false],
    ['utf8', 95, '^[[M \xc2\x80%', false],
    ['utf8', 2014, '^[[M \xdf\xbf%', true],
    ['sgr', 100_000, '^[[<0;100001;5M', false],
    ['urxvt', 100_000, '^[[32;100001;5M', false],
  ] as const)('in %s encoding reach column %i', (encoding, col, bytes, ends) => {
    expect(report(event('press', 'left', { col }), 'normal', encoding)).toBe(bytes);
    const next = event('press', 'left', { col: col + 1 });
    expect(report(next, 'normal', encoding) === undefined).toBe(ends);
    expect(whyMouseNotSent(next, modes('normal', encoding)) === undefined).toBe(!ends);
  });

  it('in SGR encoding are decoded to the same event', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<MouseEvent['type']>('press', 'release', 'move'),
        fc.constantFrom<MouseButton>('left', 'middle', 'right', 'back', 'forward'),
        fc.nat(10_000),
        fc.nat(10_000),
        fc.nat(7),
        (type, button, row, col, modifiers) => {
          const bytes = report({ type, button, row, col, modifiers }, 'any', 'sgr') ?? '';
          const [, code, x, y, final] = /^\^\[\[<(\d+);(\d+);(\d+)([Mm])$/u.exec(bytes) ?? [];
          const bits = Number(code);
          expect([Number(y) - 1, Number(x) - 1, (bits >> 2) & 7]).toEqual([row, col, modifiers]);
          expect(bits & ~(7 << 2) & ~32).toBe(BUTTON_CODES[button]);
          expect((bits & 32) !== 0).toBe(type === 'move');
          expect(final === 'm').toBe(type === 'release');
        },
      ),
    );
  });
});

const PRESS = event('press', 'left');
const RELEASE = event('release', 'left');
const DRAG = event('move', 'left');
const HOVER = event('move');
const WHEEL = event('press', 'wheel-up');

describe('tracking modes', () => {
  it.each([
    ['none', []],
    ['x10', [PRESS]],
    ['normal', [PRESS, RELEASE, WHEEL]],
    ['button', [PRESS, RELEASE, DRAG, WHEEL]],
    ['any', [PRESS, RELEASE, DRAG, HOVER, WHEEL]],
  ] as const)('%s reports only its own events, and gives a reason for the others', (tracking, reported) => {
    for (const mouse of [PRESS, RELEASE, DRAG, HOVER, WHEEL]) {
      const isReported = reported.includes(mouse as never);
      expect(report(mouse, tracking, 'sgr') !== undefined).toBe(isReported);
      expect(whyMouseNotSent(mouse, modes(tracking)) === undefined).toBe(isReported);
    }
  });

  it('never report the release of the wheel', () => {
    expect(report(event('release', 'wheel-up'), 'any', 'sgr')).toBeUndefined();
  });

  it('give a reason in words if nothing is sent', () => {
    const reasons = [
      whyMouseNotSent(PRESS, modes('none')),
      whyMouseNotSent(RELEASE, modes('x10')),
      whyMouseNotSent(WHEEL, modes('x10')),
      whyMouseNotSent(DRAG, modes('normal')),
      whyMouseNotSent(HOVER, modes('button')),
      whyMouseNotSent(event('press', 'left', { col: 300 }), modes('normal', 'default')),
      whyMouseNotSent(PRESS, modes('normal', 'sgr-pixels')),
      whyMouseNotSent(event('press', 'left', { row: -1 }), modes('normal')),
      whyMouseNotSent(event('press', 'left', { col: 1.5 }), modes('normal')),
      whyMouseNotSent(event('press'), modes('normal')),
    ];
    expect(reasons).toEqual([
      'The program has not asked for the mouse (modes 9, 1000, 1002 and 1003 are off).',
      'The program asked for button presses (mode 9), which reports no releases.',
      'The program asked for button presses (mode 9), which reports the left, middle and right button alone.',
      'The program asked for presses and releases (mode 1000), which reports no movement.',
      'The program asked for presses, releases and drags (mode 1002), which reports no movement without a button.',
      "The program's mouse encoding ends at row and column 222; row 4, column 300 is beyond.",
      'The program asked for mouse positions in pixels, and the size of a cell is unknown.',
      'Row -1, column 2 is not a cell.',
      'Row 4, column 1.5 is not a cell.',
      'A press needs a button.',
    ]);
  });
});

describe('focus reports', () => {
  it('are sent to a program that asked', () => {
    const asked = { ...DEFAULT_INPUT_MODES, focusReporting: true };
    expect([encodeFocus(true, asked), encodeFocus(false, asked)]).toEqual(['\x1b[I', '\x1b[O']);
    expect(encodeFocus(true, DEFAULT_INPUT_MODES)).toBeUndefined();
  });
});
