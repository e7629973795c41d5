import { expect, test } from 'vitest';
import { openScreen, show } from './screens.js';

test('sequences that are implemented outside the library are not reported as unknown', async () => {
  const screen = openScreen();
  const unknown: string[] = [];
  screen.onUnknownSequence.on(({ kind, text }) => unknown.push(`${kind} ${text}`));
  await show(
    screen,
    ['\x1b#3', '\x1b#4', '\x1b#5', '\x1b#6', '\x1b#8', '\x1b[J', '\x1b[1J', '\x1b[2J', '\x1b[3J'].join('x'),
  );
  expect(unknown).toEqual([]);
  await show(screen, '\x1b#7');
  expect(unknown).toHaveLength(1);
});
