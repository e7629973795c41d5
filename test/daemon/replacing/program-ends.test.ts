/** Ends of programs that other processes have started are looked up by turns, and what others told is not. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { ProgramEnds } from '../../../src/daemon/replacing/program-ends.js';

async function program(): Promise<number> {
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child.pid ?? 0;
}

test('of more programs than one look takes, each that has ended is found', async () => {
  const ends = new ProgramEnds(2);
  const told: number[] = [];
  const alive = await Promise.all(Array.from({ length: 5 }, program));
  const pids = await Promise.all(Array.from({ length: 3 }, program));
  for (const pid of [...alive, ...pids]) ends.await(pid, () => told.push(pid));
  ends.begin([]);
  ends.askSystem();
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await expect.poll(() => told.toSorted((a, b) => a - b)).toEqual(pids.toSorted((a, b) => a - b));
  expect(alive.every((pid) => ends.isAwaiting(pid))).toBe(true);
});

test('an end that another process has seen comes once, and no more is awaited of such processes after the last one', async () => {
  const ends = new ProgramEnds();
  const pid = await program();
  const told: object[] = [];
  ends.await(pid, (exit) => told.push(exit));
  ends.begin([]);
  let isOver = false;
  const over = ends.untilNotTold().then(() => (isOver = true));
  ends.tell(pid, { code: 7, signal: null });
  ends.tell(pid, { code: 8, signal: null });
  expect(told).toEqual([{ code: 7, signal: null }]);
  expect(isOver).toBe(false);
  ends.askSystem();
  await over;
  expect(ends.isAwaiting(pid)).toBe(false);
});
