import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../../../src/base/clock.js';
import { canProbeInput } from '../../../../src/terminal/system/proc/input-probe.js';
import { ProcessorUse } from '../../../../src/terminal/system/proc/processor-use.js';

function start(program: string): number {
  const child = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child.pid ?? 0;
}

test.runIf(canProbeInput)(
  'a process that computes is detected, one that is gone is not, and a new first look forgets',
  async () => {
    const use = new ProcessorUse(new FakeClock());
    const pid = start('for (;;);');
    expect(use.isUsed([])).toBe(false);
    while (!use.isUsed([pid])) await turn();
    use.restart();
    expect(use.isUsed([pid])).toBe(false);
    expect(use.isUsed([2 ** 22 + 1])).toBe(false);
  },
);

test.runIf(canProbeInput)('use counts by its share of the time, and a long rest is no part of it', async () => {
  const clock = new FakeClock();
  const use = new ProcessorUse(clock);
  const pid = start('for (;;);');
  expect(use.isUsed([])).toBe(false);
  while (!use.isUsed([pid])) await turn();
  clock.advance(1_000_000_000);
  // Too small a part of that time.
  expect(use.isUsed([pid])).toBe(false);
  while (!use.isUsed([pid])) await turn();
});

/** Until it has used so many more ticks of 10 ms, by its own count. */
async function untilUsed(pid: number, ticks: number): Promise<void> {
  const used = (): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  };
  for (const before = used(); used() < before + ticks;) await turn();
}

test.runIf(canProbeInput)('what is measured from the last look on is known with the next one', async () => {
  const use = new ProcessorUse(new FakeClock());
  const pid = start('for (;;);');
  expect(use.isUsed([pid])).toBe(false);
  use.restartAtLastLook();
  await untilUsed(pid, 3);
  expect(use.isUsed([pid])).toBe(true);
});

test.runIf(canProbeInput)('a look right behind another one does not say that it rests', async () => {
  const clock = new FakeClock();
  const use = new ProcessorUse(clock);
  const pid = start('for (;;);');
  use.isUsed([pid]);
  await untilUsed(pid, 60);
  clock.advance(10_000);
  expect([use.isUsed([pid]), use.isUsed([pid])]).toEqual([true, true]);
  clock.advance(8000);
  expect(use.isUsed([pid])).toBe(false);
});
