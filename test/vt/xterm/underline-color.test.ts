/** SGR 59 takes back what SGR 58 gave: the underline is in the text's colour again. */
import { expect, test } from 'vitest';
import { openScreen, show } from '../screens.js';

async function underlineColors(output: string): Promise<(number | undefined)[]> {
  const screen = openScreen({ cols: 10, rows: 2 });
  await show(screen, output);
  const row = screen.snapshot().lines[0];
  return [0, 1, 2].map((col) => row?.underlineColors?.get(col));
}

test('after it, an underline has no colour of its own', async () => {
  const [first, second] = await underlineColors('\x1b[4;58;5;9ma\x1b[59mb');
  expect(first).toBeDefined();
  expect(second).toBeUndefined();
  expect(await underlineColors('\x1b[4;59ma')).toEqual([undefined, undefined, undefined]);
});

test('white that was asked for stays white', async () => {
  const [white, , blank] = await underlineColors('\x1b[4;58:2::255:255:255mab');
  expect(white).toBeDefined();
  expect(blank).toBeUndefined();
});

test('what is reported of the pen has no colour of an underline either', async () => {
  const screen = openScreen({ cols: 10, rows: 2 });
  let reply = '';
  screen.onReply.on((bytes) => (reply += bytes));
  await show(screen, '\x1b[4;58;5;9;59m\x1bP$qm\x1b\\');
  expect(reply).toBe('\x1bP1$r0;4m\x1b\\');
});

test('terminals one after another all have it', async () => {
  for (let count = 0; count < 3; count++) {
    expect(await underlineColors('\x1b[4;58;5;9;59ma')).toEqual([undefined, undefined, undefined]);
  }
});
