import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../src/terminal/system/collect-garbage.js';
import { openScreen } from './screens.js';

const LINES = 5000;
const COLS = 120;
/** Three words a cell. */
const LINE_BYTES = COLS * 3 * 4;

/** Bytes of buffers, once the thread that gives their memory back behind a collection has done so. */
async function atRest(): Promise<number> {
  for (let last = Infinity; ;) {
    collectGarbage();
    await delay(20);
    const { arrayBuffers } = process.memoryUsage();
    if (arrayBuffers >= last) return arrayBuffers;
    last = arrayBuffers;
  }
}

test('a screen that another process has gives back its lines, though something names it still', async () => {
  const before = await atRest();
  const screen = openScreen({ cols: COLS, rows: 24, scrollback: LINES });
  screen.write(Buffer.from(`${'x'.repeat(COLS - 1)}\r\n`.repeat(LINES)));
  await screen.settle(60_000);
  const full = await atRest();
  screen.forget();
  expect(full - before).toBeGreaterThan(LINES * LINE_BYTES * 0.8);
  const left = async (): Promise<number> => (await atRest()) - before;
  await expect.poll(left, { timeout: 20_000 }).toBeLessThan((full - before) / 4);
  expect(screen.parsedBytes).toBeGreaterThan(0);
});
