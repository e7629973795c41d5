import { expect, it } from 'vitest';
import { LeftModes } from '../../../src/terminal/input/left-modes.js';
import type { Screen } from '../../../src/vt/screen.js';
import { openScreen, show } from '../../vt/screens.js';

/** A command that prints this, from its start to its end. */
async function command(left: LeftModes, screen: Screen, output: string) {
  left.begin(screen.modesMoment);
  await show(screen, output);
  return left.end(screen.modesMoment);
}

it.each([
  ['\x1b[>5u', ['kittyFlags']],
  ['\x1b[>5u\x1b[<u', []],
  ['\x1b[>4;2m', ['modifyOtherKeys']],
  ['\x1b[?2004h\x1b[?1h\x1b=', ['applicationCursor', 'applicationKeypad', 'bracketedPaste']],
  ['\x1b[?1003h\x1b[?1006h\x1b[?1004h', ['mouseTracking', 'focusReporting']],
  ['\x1b[?67h', ['backarrow']],
  ['\x1b[?1049h', ['altScreen']],
  ['\x1b[?25l\x1b[?7l\x1b[?6h\x1b[4h\x1b[?5h', ['cursorVisible', 'reverseScreen', 'origin', 'wraparound', 'insert']],
  ['text', []],
])('a command that prints %j leaves %j', async (output, expected) => {
  expect(await command(new LeftModes(), openScreen(), output)).toEqual(expected);
});

it('what was left counts as off, and is named once', async () => {
  const [left, screen] = [new LeftModes(), openScreen()];
  await command(left, screen, '\x1b[>31u\x1b[?2004h');
  expect(screen.modesMoment.modes).toMatchObject({ kittyFlags: 31, bracketedPaste: true });
  expect(left.effective(screen.modesMoment)).toMatchObject({ kittyFlags: 0, bracketedPaste: false });
  expect(await command(left, screen, 'nothing')).toEqual([]);
  expect(left.effective(screen.modesMoment)).toMatchObject({ kittyFlags: 0, bracketedPaste: false });
});

it('a mode that is set again counts, even to the value that was left, and the others still do not', async () => {
  const [left, screen] = [new LeftModes(), openScreen()];
  await command(left, screen, '\x1b[>1u\x1b[?2004h');
  await show(screen, '\x1b[?2004h');
  expect(left.effective(screen.modesMoment)).toMatchObject({ kittyFlags: 0, bracketedPaste: true });
});

it('a mode that was on before the command stays on', async () => {
  const [left, screen] = [new LeftModes(), openScreen()];
  await show(screen, '\x1b[>5u');
  expect(await command(left, screen, '\x1b[>31u')).toEqual(['kittyFlags']);
  expect(left.effective(screen.modesMoment)).toMatchObject({ kittyFlags: 5 });
});

it('a mode that the shell itself resets after the start is not one that was left', async () => {
  const [left, screen] = [new LeftModes(), openScreen()];
  await show(screen, '\x1b[?2004h');
  expect(await command(left, screen, '\x1b[?2004l')).toEqual([]);
  await show(screen, '\x1b[?2004h');
  expect(left.effective(screen.modesMoment)).toMatchObject({ bracketedPaste: true });
});

it('without the modes at its start, nothing is said of a command', async () => {
  const [left, screen] = [new LeftModes(), openScreen()];
  left.begin(undefined);
  await show(screen, '\x1b[>31u');
  expect(left.end(screen.modesMoment)).toEqual([]);
  expect(left.effective(screen.modesMoment)).toMatchObject({ kittyFlags: 31 });
});
