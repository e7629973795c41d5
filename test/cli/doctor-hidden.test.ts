import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { examineHiddenDaemons } from '../../src/cli/doctor/hidden-daemons.js';
import { tempDir } from '../support/temp-dir.js';

test.skipIf(process.platform !== 'linux')(
  'a daemon that another one hides is found, with its pid and a way out',
  async () => {
    const { join, socketPath } = tempDir();
    const entry = join('daemon.cjs');
    writeFileSync(entry, "console.log('runs'); setInterval(() => {}, 1000);");
    const env = { ...process.env, T4A_SOCKET: socketPath };
    const hidden = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void hidden.kill('SIGKILL'));
    await once(hidden.stdout, 'data');
    const [found, ...others] = examineHiddenDaemons(socketPath, 7);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ state: 'warning', says: expect.stringContaining(`pid ${hidden.pid} `) });
    expect(found?.advice).toContain('pid 7');
    expect(examineHiddenDaemons(socketPath, hidden.pid)).toEqual([]);
    expect(examineHiddenDaemons(join('another'), 7)).toEqual([]);
  },
);
