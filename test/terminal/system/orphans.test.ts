import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { orphansOf } from '../../../src/terminal/system/orphans.js';
import { tempDir } from '../../support/temp-dir.js';

/** Its process number. */
async function started(env: Record<string, string>): Promise<number> {
  const child = spawn('/bin/sh', ['-c', 'echo on; read line'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child.pid ?? -1;
}

test.runIf(process.platform === 'linux')('those of a socket were started in a terminal of its daemon', async () => {
  const { socketPath } = tempDir();
  const env = { T4A_SOCKET: socketPath, T4A_TERMINAL: 't1' };
  const first = await started(env);
  const second = await started({ ...env, T4A_TERMINAL: 't2' });
  await started({ T4A_SOCKET: socketPath });
  await started({ T4A_TERMINAL: 't1' });
  await started({ ...env, T4A_SOCKET: `${socketPath}x` });
  expect(orphansOf(socketPath).sort((a, b) => a - b)).toEqual([first, second].sort((a, b) => a - b));
  expect(orphansOf(`${socketPath}y`)).toEqual([]);
});
