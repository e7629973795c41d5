import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stoppedError } from '../../src/client/stopped-daemon.js';
import { lockPath } from '../../src/protocol/socket-path.js';
import { identityOf } from '../../src/rpc/process-identity.js';
import { stopProcess } from '../support/processes.js';
import { tempDir } from '../support/temp-dir.js';

/** A process whose pid and start are in the lock of a socket. */
async function lockHolder(
  script: string,
): Promise<{ socketPath: string; pid: number; lock: (content: object) => void }> {
  const { socketPath } = tempDir();
  const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const pid = child.pid ?? -1;
  const lock = (content: object): void =>
    writeFileSync(lockPath(socketPath), JSON.stringify({ ...identityOf(pid), nonce: 'a', protocol: 1, ...content }));
  lock({});
  return { socketPath, pid, lock };
}

describe.runIf(process.platform === 'linux')('the holder of a lock', () => {
  test.each([
    ['is busy', 'echo ready; while :; do :; done'],
    ['waits', 'echo ready; read -r line'],
    ['is dead', 'echo ready; exit'],
  ])('that %s is not stopped', async (_, script) => {
    expect(stoppedError((await lockHolder(script)).socketPath)).toBeUndefined();
  });

  test('that was stopped is recognized until it is continued', async () => {
    const { socketPath, pid } = await lockHolder('echo ready; read -r line');
    await stopProcess(pid);
    expect(stoppedError(socketPath)).toMatchObject({
      code: 'daemon_stopped',
      message: `The daemon (pid ${pid}) is stopped by SIGSTOP and answers no requests.`,
      details: { hint: `kill -CONT ${pid}` },
    });
    process.kill(pid, 'SIGCONT');
    expect(stoppedError(socketPath)).toBeUndefined();
  });

  test('is not recognized by another process with its pid, or by a lock without an identity', async () => {
    const { socketPath, pid, lock } = await lockHolder('echo ready; read -r line');
    await stopProcess(pid);
    for (const content of [{ started: 'boot/1' }, { started: null }, { pid: 'x' }, { pid: undefined }]) {
      lock(content);
      expect(stoppedError(socketPath)).toBeUndefined();
    }
    writeFileSync(lockPath(socketPath), 'null');
    expect(stoppedError(socketPath)).toBeUndefined();
  });
});
