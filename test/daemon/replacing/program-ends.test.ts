/** Ends of programs that other processes have started are looked up by turns, and what others told is not. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ProgramEnds } from '../../../src/daemon/replacing/program-ends.js';
import { untilTold } from '../../../src/daemon/replacing/stub.js';
import { tempDir } from '../../support/temp-dir.js';

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

/** A stub, and the descriptor of the pipe that it reads. */
async function stub(): Promise<{ readonly fd: number; readonly process: ChildProcess }> {
  const file = path.join(tempDir().path, 'pipe');
  execFileSync('mkfifo', [file]);
  const fd = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  const reading = openSync(file, constants.O_RDONLY);
  const child = spawn('cat', { stdio: [reading, 'ignore', 'ignore'] });
  closeSync(reading);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return { fd, process: child };
}

const stateOf = (pid: number): string | undefined => /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];

test('a stub that was stopped ends with the last of its programs, and another process that has its pid is left alone', async () => {
  const ends = new ProgramEnds();
  const [own, other] = [await stub(), await stub()];
  for (const { process: child } of [own, other]) {
    child.kill('SIGSTOP');
    await expect.poll(() => stateOf(child.pid ?? 0)).toBe('T');
  }
  const ended = once(own.process, 'exit');
  const [first, second] = [await program(), await program()];
  for (const pid of [first, second]) ends.await(pid, () => {});
  const third = await stub();
  ends.begin([
    { fd: own.fd, pids: [first], stays: false, pid: own.process.pid ?? 0 },
    { fd: third.fd, pids: [second], stays: false, pid: other.process.pid ?? 0 },
  ]);
  ends.tell(first, { code: 0, signal: null });
  ends.tell(second, { code: 0, signal: null });
  expect(await ended).toEqual([0, null]);
  expect(stateOf(other.process.pid ?? 0)).toBe('T');
  ends.askSystem();
  closeSync(other.fd);
});

test('a daemon becomes no stub while an end that was waited for has not come to it, or has not left it', async () => {
  const alive = await program();
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(child, 'spawn');
  const ended = child.pid ?? 0;
  child.kill('SIGKILL');
  // Node has waited for it: nothing of it is in the process table.
  await once(child, 'exit');
  const living = new Set([alive, ended]);
  const steps: string[] = [];
  const over = untilTold(living, new Map(), async () => void steps.push('sent')).then(() => steps.push('stub'));
  await expect.poll(() => steps.length).toBeGreaterThan(2);
  expect(steps).not.toContain('stub');
  steps.length = 0;
  living.delete(ended);
  await over;
  expect(steps).toEqual(['sent', 'stub']);
});

test('a zombie is about to be waited for, and is waited for', async () => {
  const pid = await program();
  const looks = [{ code: 7, signal: null }, { code: 7, signal: null }, undefined];
  await untilTold(new Set([pid]), new Map([[pid, { look: () => looks.shift() }]]), async () => {});
  expect(looks).toEqual([]);
});
