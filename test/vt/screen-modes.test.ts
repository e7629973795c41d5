import { expect, test } from 'vitest';
import { DEFAULT_INPUT_MODES } from '../../src/vt/input-modes.js';
import type { ScreenModes } from '../../src/vt/input-modes.js';
import { openScreen, show } from './screens.js';

const AT_START: ScreenModes = {
  ...DEFAULT_INPUT_MODES,
  altScreen: false,
  reverseScreen: false,
  cursorVisible: true,
  origin: false,
  wraparound: true,
  reverseWraparound: false,
  insert: false,
  synchronizedOutput: false,
};

const CASES: readonly (readonly [sequence: string, modes: Partial<ScreenModes>])[] = [
  ['\x1b[?1h', { applicationCursor: true }],
  ['\x1b=', { applicationKeypad: true }],
  ['\x1b[?66h', { applicationKeypad: true }],
  ['\x1b[?2004h', { bracketedPaste: true }],
  ['\x1b[?1004h', { focusReporting: true }],
  ['\x1b[?67h', { backarrow: true }],
  ['\x1b[?9h', { mouseTracking: 'x10' }],
  ['\x1b[?1000h', { mouseTracking: 'normal' }],
  ['\x1b[?1002h', { mouseTracking: 'button' }],
  ['\x1b[?1003;1006h', { mouseTracking: 'any', mouseEncoding: 'sgr' }],
  ['\x1b[?1005h', { mouseEncoding: 'utf8' }],
  ['\x1b[?1015h', { mouseEncoding: 'urxvt' }],
  ['\x1b[?1016h', { mouseEncoding: 'sgr-pixels' }],
  ['\x1b[>4;2m', { modifyOtherKeys: 2 }],
  ['\x1b[>4;1m', { modifyOtherKeys: 1 }],
  ['\x1b[>1;2m', {}],
  ['\x1b[>5u', { kittyFlags: 5 }],
  ['\x1b[=3;1u', { kittyFlags: 3 }],
  ['\x1b[?1049h', { altScreen: true }],
  ['\x1b[?5h', { reverseScreen: true }],
  ['\x1b[?25l', { cursorVisible: false }],
  ['\x1b[?6h', { origin: true }],
  ['\x1b[?7l', { wraparound: false }],
  ['\x1b[?45h', { reverseWraparound: true }],
  ['\x1b[4h', { insert: true }],
  ['\x1b[?2026h', { synchronizedOutput: true }],
];

test.each(CASES)('%j sets only its own modes, and a full reset restores them', async (sequence, modes) => {
  const screen = openScreen();
  expect(screen.modes).toEqual(AT_START);
  await show(screen, sequence);
  expect(screen.modes).toEqual({ ...AT_START, ...modes });
  await show(screen, '\x1bc');
  expect(screen.modes).toEqual(AT_START);
});

test('modes are switched off by their own sequences', async () => {
  const screen = openScreen();
  await show(screen, '\x1b[?1;9;67;1003;1004;1006;2004;5h\x1b=\x1b[>4;2m\x1b[>1u');
  await show(screen, '\x1b[?1;9;67;1003;1004;1006;2004;5l\x1b>\x1b[>4m\x1b[<u');
  expect(screen.modes).toEqual(AT_START);
});

test('each screen has its own stack of kitty keyboard flags', async () => {
  const screen = openScreen();
  await show(screen, '\x1b[>1u\x1b[>3u\x1b[?1049h');
  expect(screen.modes.kittyFlags).toBe(0);
  await show(screen, '\x1b[>8u');
  expect(screen.modes.kittyFlags).toBe(8);
  await show(screen, '\x1b[?1049l');
  expect(screen.modes.kittyFlags).toBe(3);
  await show(screen, '\x1b[<2u');
  expect(screen.modes.kittyFlags).toBe(0);
});

test.each<readonly [sequence: string, modes: Partial<ScreenModes>]>([
  ['\x1b[>4;2m\x1b[>m', {}],
  ['\x1b[>4;2m\x1b[>4;0m', {}],
  ['\x1b[>4;2m\x1b[>4n', {}],
  ['\x1b[>4;2m\x1b[>1n', { modifyOtherKeys: 2 }],
  ['\x1b[>4;1m\x1b[>2;2m', { modifyOtherKeys: 1 }],
  ['\x1b[>4;1m\x1b[>0;2m', { modifyOtherKeys: 1 }],
  ['\x1b[>4;1m\x1b[>n', { modifyOtherKeys: 1 }],
  ['\x1b[>4;3m', { modifyOtherKeys: 2 }],
  ['\x1b[=3u', { kittyFlags: 3 }],
  ['\x1b[=3;0u', { kittyFlags: 3 }],
  ['\x1b[>1u\x1b[=4;2u', { kittyFlags: 5 }],
  ['\x1b[>7u\x1b[=2;3u', { kittyFlags: 5 }],
  ['\x1b[>7u\x1b[=2;1u', { kittyFlags: 2 }],
  ['\x1b[>7u\x1b[>u', {}],
  ['\x1b[>1u\x1b[>7u\x1b[<u', { kittyFlags: 1 }],
  ['\x1b[>1u\x1b[>7u\x1b[<2u', {}],
  ['\x1b[?1006h\x1b[?1005h', { mouseEncoding: 'utf8' }],
  ['\x1b[?1005;1015;1016h\x1b[?1016l', {}],
  ['\x1b[?1006h\x1b[?1003h\x1b[?1003l', { mouseEncoding: 'sgr' }],
  ['\x1b[?1003h\x1b[?1002h', { mouseTracking: 'button' }],
  ['\x1b[?1:1005h', { applicationCursor: true }],
  ['\x1b[?67;5h\x1b[?5l', { backarrow: true }],
  ['\x1b[?67;5h\x1b[?67l', { reverseScreen: true }],
])('after %j the modes that are set are %o', async (sequence, modes) => {
  const screen = openScreen();
  const unknown: string[] = [];
  screen.onUnknownSequence.on(({ text }) => unknown.push(text));
  await show(screen, sequence);
  expect(screen.modes).toEqual({ ...AT_START, ...modes });
  expect(unknown.filter((text) => text.endsWith('u') || text.endsWith('m') || text.endsWith('n'))).toEqual([]);
});
