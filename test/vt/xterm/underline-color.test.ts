/** SGR 59 resets the colour of SGR 58: the underline has the colour of the text again. */
import { expect, test } from 'vitest';
import { openScreen, show } from '../screens.js';

async function underlineColors(output: string): Promise<(number | undefined)[]> {
  const screen = openScreen({ cols: 10, rows: 2 });
  await show(screen, output);
  const row = screen.snapshot().lines[0];
  return [0, 1, 2].map((col) => row?.underlineColors?.get(col));
}

test('an underline has no colour of its own after SGR 59', async () => {
  const [first, second] = await underlineColors('\x1b[4;58;5;9ma\x1b[59mb');
  expect(first).toBeDefined();
  expect(second).toBeUndefined();
  expect(await underlineColors('\x1b[4;59ma')).toEqual([undefined, undefined, undefined]);
});

test('a white underline stays white', async () => {
  const [white, , blank] = await underlineColors('\x1b[4;58:2::255:255:255mab');
  expect(white).toBeDefined();
  expect(blank).toBeUndefined();
});

test('a report of the pen has no underline colour after SGR 59', async () => {
  const screen = openScreen({ cols: 10, rows: 2 });
  let reply = '';
  screen.onReply.on((bytes) => (reply += bytes));
  await show(screen, '\x1b[4;58;5;9;59m\x1bP$qm\x1b\\');
  expect(reply).toBe('\x1bP1$r0;4m\x1b\\');
});

test('SGR 59 works in several terminals, one after another', async () => {
  for (let count = 0; count < 3; count++) {
    expect(await underlineColors('\x1b[4;58;5;9;59ma')).toEqual([undefined, undefined, undefined]);
  }
});
