/** Readers that have run since the last look are distinguished from those that have slept, though both sleep in the same read. */
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.js';
import { InputWatch } from '../../../../src/terminal/input/input-watch.js';
import { canProbeInput, probeAwaitingInput } from '../../../../src/terminal/system/proc/input-probe.js';
import { haveSlept, sleepingReaders } from '../../../../src/terminal/system/proc/sleeping-readers.js';
import { Pty } from '../../../../src/terminal/pty/pty.js';
import { readers, stty } from '../../../support/own-parts.js';

const started: Pty[] = [];
afterEach(() => {
  for (const { pid, closed } of started.splice(0)) if (!closed) process.kill(pid, 'SIGKILL');
});

function start(script: string): Pty {
  const env = { PATH: process.env['PATH'] ?? '' };
  const pty = new Pty({ file: '/bin/sh', args: ['-c', script], cwd: '/', env, cols: 80, rows: 24 }, readers);
  started.push(pty);
  return pty;
}

/** Each call resolves when a process is seen waiting. */
async function untilRead(pty: Pty): Promise<void> {
  const watching = new InputWatch({
    clock: systemClock,
    probe: () =>
      probeAwaitingInput(
        { pid: pty.pid, device: pty.device, stty },
        { atShellPrompt: () => false, hasRun: () => true, isComputing: () => false },
      ),
    wanted: () => true,
    mayBeLate: () => false,
    cursor: () => 0,
  });
  await new Promise<void>((resolve) => void watching.onAwaiting.on(() => resolve()));
  watching.dispose();
}

describe.runIf(canProbeInput)('a sleeping reader of the terminal', () => {
  test('has slept while it has read nothing', async () => {
    const pty = start('read line; read line');
    await untilRead(pty);
    const readers = sleepingReaders(pty);
    expect(readers).toMatchObject([{ pid: pty.pid, thread: pty.pid }]);
    await pty.write(Buffer.from('half a line'));
    expect(haveSlept(readers)).toBe(true);
  });

  test('has not slept once it has read, although it sleeps in a read again', async () => {
    const pty = start('stty -echo; read line; echo read; read line');
    await untilRead(pty);
    const readers = sleepingReaders(pty);
    const answered = new Promise<void>((resolve) => void pty.onData.on(() => resolve()));
    await pty.write(Buffer.from('\n'));
    await answered;
    await untilRead(pty);
    expect(sleepingReaders(pty)).toMatchObject([{ pid: pty.pid, thread: pty.pid }]);
    expect(haveSlept(readers)).toBe(false);
  });

  test('has not slept when it is gone', async () => {
    const pty = start('read line');
    await untilRead(pty);
    const readers = sleepingReaders(pty);
    const exited = new Promise<void>((resolve) => void pty.onExit.on(() => resolve()));
    await pty.write(Buffer.from('\n'));
    await exited;
    expect(haveSlept(readers)).toBe(false);
  });

  test('does not exist while the program does something else', async () => {
    const pty = start('echo ready; exec sleep 600');
    await new Promise<void>((resolve) => void pty.onData.on(() => resolve()));
    expect(sleepingReaders(pty)).toEqual([]);
  });
});
