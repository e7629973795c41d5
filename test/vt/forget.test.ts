import { expect, test } from 'vitest';
import { collectGarbage } from '../../src/terminal/system/collect-garbage.js';
import { openScreen } from './screens.js';

const LINES = 5000;
const COLS = 120;
/** Three words a cell. */
const LINE_BYTES = COLS * 3 * 4;

test('a screen that another process has gives back its lines, though something names it still', async () => {
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  const screen = openScreen({ cols: COLS, rows: 24, scrollback: LINES });
  screen.write(Buffer.from(`${'x'.repeat(COLS - 1)}\r\n`.repeat(LINES)));
  await screen.settle(60_000);
  collectGarbage();
  const full = process.memoryUsage().arrayBuffers;
  screen.forget();
  expect(full - before).toBeGreaterThan(LINES * LINE_BYTES * 0.8);
  // The collector gives back the memory of buffers in a thread of its own.
  const left = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers - before;
  };
  await expect.poll(left, { timeout: 20_000 }).toBeLessThan((full - before) / 4);
  expect(screen.parsedBytes).toBeGreaterThan(0);
});
