/** What the history of a terminal holds, measured: what is left after garbage collection, with a history against without. */
import { expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { Histories } from '../../src/features/past/histories.js';
import type { Terminal } from '../../src/terminal/terminal.js';
import { DEFAULT_CONFIG } from '../../src/protocol/commands/config.js';
import { colouredLog } from '../../bench/support/print-outs.js';
import { heldBytes } from '../../test/support/held-memory.js';
import { ownTerminal, print } from '../../test/support/own-terminal.js';

const MIB = 1024 * 1024;
const SLICE_BYTES = 64 * 1024;

/** @returns what their histories hold, by all that is held and by their own account */
async function heldBy(
  count: number,
  act: (terminal: Terminal, counted: () => number) => Promise<void>,
): Promise<{ held: number; counted: number }> {
  const terminals = Array.from({ length: count }, () => ownTerminal({ scrollback: 10 }));
  const limits = { ...DEFAULT_CONFIG };
  const all = new Histories({ clock: new FakeClock(), limits: () => limits, memoryLimit: () => 8 * 1024 * MIB });
  const own = terminals.map((terminal) => terminal.feed.add(all.observe(terminal)));
  for (const terminal of terminals) await act(terminal, () => all.of(terminal)?.heldBytes ?? 0);
  await expect
    .poll(() => terminals.some((terminal) => all.of(terminal)?.chunks.some(({ unpacked }) => unpacked.whole)), {
      timeout: 60_000,
    })
    .toBe(false);
  const counted = all.heldBytes / count;
  const withHistory = heldBytes();
  for (const [index, terminal] of terminals.entries()) {
    all.of(terminal)?.clear();
    own[index]?.dispose();
  }
  return { held: (withHistory - heldBytes()) / count, counted };
}

test('of a terminal with a prompt it is at most 8 KiB', async () => {
  const { held, counted } = await heldBy(50, (terminal) => print(terminal, '\x1b[32muser@host\x1b[m:~$ '));
  console.log(`an idle terminal: ${Math.round(held)} bytes held, ${Math.round(counted)} counted`);
  expect(held).toBeLessThan(8 * 1024);
  expect(counted).toBeLessThan(8 * 1024);
});

test('of a terminal that has printed 200 MB it is at most 8 MiB', async () => {
  let most = 0;
  const log = Buffer.from(colouredLog(10 * MIB).replaceAll('\n', '\r\n'));
  const { held, counted } = await heldBy(2, async ({ screen }, countedNow) => {
    for (let round = 0; round < 20; round++) {
      for (let at = 0; at < log.length; at += SLICE_BYTES) {
        screen.write(log.subarray(at, at + SLICE_BYTES));
        await screen.settle(60_000);
        most = Math.max(most, countedNow());
      }
    }
  });
  console.log(
    `a busy terminal: ${(held / MIB).toFixed(2)} MiB held, ${(counted / MIB).toFixed(2)} counted, ${(most / MIB).toFixed(2)} at most`,
  );
  expect(held).toBeLessThan(8 * MIB);
  expect(most).toBeLessThanOrEqual(8 * MIB);
  expect(counted).toBeGreaterThan(6 * MIB);
}, 300_000);
