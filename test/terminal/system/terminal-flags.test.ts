import { afterEach, describe, expect, test } from 'vitest';
import { canProbeInput } from '../../../src/terminal/system/proc/input-probe.js';
import { readTerminalFlags } from '../../../src/terminal/system/termios.js';
import { Pty } from '../../../src/terminal/pty/pty.js';
import { readers, stty } from '../../support/own-parts.js';

const ptys: Pty[] = [];

afterEach(() => {
  for (const pty of ptys.splice(0)) if (!pty.closed) process.kill(pty.pid, 'SIGKILL');
});

/** The device of a terminal that has been set up so. */
async function device(flags: string): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const script = `stty ${flags}; echo set; exec sleep 60`;
  const pty = new Pty({ file: '/bin/sh', args: ['-c', script], cwd: '/', env, cols: 80, rows: 24 }, readers);
  ptys.push(pty);
  await new Promise<void>((resolve) => {
    pty.onData.on(() => resolve());
  });
  return pty.device;
}

describe.runIf(canProbeInput)('the flags of terminals', () => {
  test('are read for any number of terminals at once, closed ones included', async () => {
    const [line, password, raw] = await Promise.all([device('echo'), device('-echo'), device('raw -echo')]);
    const answers = await Promise.all(
      [line, '/dev/pts/none', password, raw, line].map((path) => readTerminalFlags(stty, path)),
    );
    expect(answers).toEqual([
      { canonical: true, echo: true },
      undefined,
      { canonical: true, echo: false },
      { canonical: false, echo: false },
      { canonical: true, echo: true },
    ]);
  });
});
