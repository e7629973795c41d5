import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { isMember, sendSignal } from '../../../src/terminal/system/processes.js';
import { SessionTable } from '../../../src/terminal/system/session-table.js';

const isRoot = process.getuid?.() === 0;
/** Asks whether the signal may be sent, and sends none. */
const NO_SIGNAL = 0;

/** Leads a session of its own; ended with the test. */
async function leaderThatRuns(script: string): Promise<{ child: ChildProcess; pid: number }> {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const pid = child.pid ?? -1;
  onTestFinished(() => void sendSignal(-pid, 'SIGKILL'));
  await once(child.stdout ?? child, 'data');
  return { child, pid };
}

it('a signal is sent to an existing process only', async () => {
  const { child, pid } = await leaderThatRuns('echo on; exec sleep 1000');
  expect(sendSignal(pid, NO_SIGNAL)).toBe('sent');
  expect(sendSignal(-pid, 'SIGKILL')).toBe('sent');
  await once(child, 'exit');
  expect(sendSignal(pid, NO_SIGNAL)).toBe('gone');
  expect(sendSignal(-pid, NO_SIGNAL)).toBe('gone');
});

it.skipIf(isRoot)("a signal to another user's process is refused without an error", () => {
  expect(sendSignal(1, NO_SIGNAL)).toBe('not_ours');
});

it('an unknown signal is an error', () => {
  expect(() => sendSignal(process.pid, 4711)).toThrow(/EINVAL/);
});

it('a session has its leader and all of its processes', async () => {
  const { pid } = await leaderThatRuns('sleep 1000 & echo on; wait');
  const members = new SessionTable().members(pid);
  expect(members).toContain(pid);
  expect(members).toHaveLength(2);
});

it('a session has the child of a member that ended after the process table was read', async () => {
  const { pid } = await leaderThatRuns('trap "sleep 1000 & exit" TERM; echo on; while :; do sleep 0.01; done');
  const table = new SessionTable();
  expect(table.members(pid)).toContain(pid);
  process.kill(pid, 'SIGTERM');
  // Without a turn of the event loop: a table that was read anew for every turn would prove nothing.
  while (isMember(pid, pid));
  const left = table.members(pid);
  expect(left).not.toContain(pid);
  expect(left.length).toBeGreaterThan(0);
});
