/** Readers that have run since the last look are told from those that have slept, though both sleep in the same read. */
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.js';
import { InputWatch } from '../../../src/events/input-watch.js';
import { canProbeInput, probeAwaitingInput } from '../../../src/daemon/proc/input-probe.js';
import { sleepingReaders } from '../../../src/daemon/proc/sleeping-readers.js';
import { Pty } from '../../../src/daemon/pty.js';

const started: Pty[] = [];
afterEach(() => {
  for (const { pid } of started.splice(0)) process.kill(pid, 'SIGKILL');
});

function start(script: string): Pty {
  const env = { PATH: process.env['PATH'] ?? '' };
  const pty = new Pty({ file: '/bin/sh', args: ['-c', script], cwd: '/', env, cols: 80, rows: 24 });
  started.push(pty);
  return pty;
}

/** Resolves when somebody is seen waiting, each time that it is called. */
async function untilRead(pty: Pty): Promise<void> {
  const watching = new InputWatch({
    clock: systemClock,
    probe: () => probeAwaitingInput(pty, () => false),
    wanted: () => true,
  });
  await new Promise<void>((resolve) => void watching.onAwaiting.on(() => resolve()));
  watching.dispose();
}

describe.runIf(canProbeInput)('who sleeps in a read of the terminal', () => {
  test('is the same for as long as it sleeps', async () => {
    const pty = start('read line; read line');
    await untilRead(pty);
    const readers = sleepingReaders(pty);
    expect(readers).toContain(`${pty.pid}/${pty.pid}: `);
    expect(sleepingReaders(pty)).toBe(readers);
  });

  test('is another one once it has read, though it sleeps in a read again', async () => {
    const pty = start('stty -echo; read line; echo read; read line');
    await untilRead(pty);
    const before = sleepingReaders(pty);
    const echoed = new Promise<void>((resolve) => void pty.onData.on(() => resolve()));
    await pty.write(Buffer.from('\n'));
    await echoed;
    await untilRead(pty);
    const after = sleepingReaders(pty);
    expect(after).toContain(`${pty.pid}/${pty.pid}: `);
    expect(after).not.toBe(before);
  });

  test('is nobody where the program does something else', async () => {
    const pty = start('echo ready; exec sleep 600');
    await new Promise<void>((resolve) => void pty.onData.on(() => resolve()));
    expect(sleepingReaders(pty)).toBe('');
  });
});
