/** A program that reads, and whether it has read the answers to its queries. Of other input: blocked-threads.test.ts. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../../../src/base/clock.js';
import { foregroundThreads } from '../../../../src/terminal/system/proc/blocked-threads.js';
import { canProbeInput } from '../../../../src/terminal/system/proc/input-probe.js';
import { bytesRead, ProgressSinceInput } from '../../../../src/terminal/system/proc/progress-since-input.js';
import { threadStatus } from '../../../../src/terminal/system/proc/thread-status.js';
import { Pty } from '../../../../src/terminal/pty/pty.js';
import type { ThreadActivity } from '../../../../src/events/awaiting-input.js';
import { readers } from '../../../support/own-parts.js';

/** Reads keys as they come, and is asleep in it. */
async function startReader(): Promise<{ pty: Pty; progress: ProgressSinceInput; clock: FakeClock }> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const script = 'stty -icanon -echo min 1; echo ready; exec cat';
  const pty = new Pty({ file: '/bin/sh', args: ['-c', script], cwd: '/', env, cols: 80, rows: 24 }, readers);
  onTestFinished(() => void process.kill(pty.pid, 'SIGKILL'));
  const clock = new FakeClock();
  const progress = new ProgressSinceInput(pty.pid, clock);
  let printed = '';
  pty.onData.on((bytes) => void (printed += Buffer.from(bytes).toString()));
  await until(() => printed.includes('ready'));
  // A byte that cat has printed is read and counted: cat may be asleep in its read before the kernel delivers one.
  await pty.write(Buffer.from('x'));
  await until(() => printed.includes('x'));
  const readsTerminal = ({ blockedIn }: ThreadActivity): boolean => blockedIn.kind === 'read' && blockedIn.terminal;
  await until(() => foregroundThreads(pty.pid, pty.device).some(readsTerminal));
  return { pty, progress, clock };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1));
}

describe.runIf(canProbeInput)('a program with unread input', () => {
  test('has run once it has read all answers, however often it was awake', async () => {
    const { pty, progress, clock } = await startReader();
    progress.onAnswers(6);
    const before = threadStatus(pty.pid, pty.pid)?.switches ?? 0;
    const read = bytesRead(pty.pid) ?? 0;
    await pty.write(Buffer.from('12345'));
    await until(() => bytesRead(pty.pid) === read + 5 && (threadStatus(pty.pid, pty.pid)?.switches ?? 0) > before);
    expect(progress.hasRun(pty.pid)).toBe(false);
    progress.onAnswers(1);
    await pty.write(Buffer.from('6'));
    await until(() => bytesRead(pty.pid) === read + 6);
    expect(progress.hasRun(pty.pid)).toBe(false);
    await pty.write(Buffer.from('7'));
    await until(() => progress.hasRun(pty.pid));
    progress.onAnswers(1);
    expect(progress.hasRun(pty.pid)).toBe(false);
    clock.advance(499);
    expect(progress.hasRun(pty.pid)).toBe(false);
    clock.advance(1);
    expect(progress.hasRun(pty.pid)).toBe(true);
  });

  test('does not count the input of another process', async () => {
    const { progress } = await startReader();
    progress.onAnswers(100);
    expect(progress.hasRun(process.pid)).toBe(true);
  });
});

test('the progress of an ended process is unknown', () => {
  expect(bytesRead(2 ** 30)).toBeUndefined();
});
