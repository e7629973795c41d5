/** No pseudoterminal is free or can be opened: a new terminal is refused with a hint, and existing ones continue. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { itAsRoot } from '../support/as-root.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { rawRequest } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';

type Ask = (fields: object) => Promise<Record<string, unknown>>;

/** @param mounts shell commands, in a mount namespace of its own */
async function daemonWith(mounts: string): Promise<Ask> {
  const { path, socketPath } = tempDir();
  const script = `${mounts} && exec "$@"`;
  const daemon = [process.execPath, builtDaemonEntry, '--socket', socketPath];
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...daemon], {
    env: { PATH: '/usr/bin:/bin:/sbin:/usr/sbin', HOME: path, XDG_CONFIG_HOME: path, XDG_CACHE_HOME: path },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const [said] = (await once(child.stderr, 'data')) as [Buffer];
  expect(said.toString()).toContain('listens on');
  return async (fields) => (await rawRequest(socketPath, fields)).header;
}

const REFUSED = {
  ok: false,
  code: 'spawn_failed',
  error: expect.stringMatching(/^The system refused to start the program: \S/) as string,
  hint: expect.stringContaining('/proc/sys/kernel/pty/max') as string,
};

itAsRoot('unshare')('if all pseudoterminals are in use, terminals are refused until one is free', async () => {
  const ask = await daemonWith(
    'mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,max=2 devpts /dev/pts && mount --bind /dev/pts/ptmx /dev/ptmx',
  );
  expect(await ask({ cmd: 'create', name: 'one', cmd_args: ['cat'] })).toMatchObject({ ok: true });
  expect(await ask({ cmd: 'create', name: 'two', cmd_args: ['cat'] })).toMatchObject({ ok: true });
  for (let again = 0; again < 5; again++)
    expect(await ask({ cmd: 'create', cmd_args: ['cat'] })).toMatchObject(REFUSED);
  expect(await ask({ cmd: 'run', cmd_args: ['true'] })).toMatchObject(REFUSED);
  expect(((await ask({ cmd: 'list' }))['terminals'] as unknown[]).length).toBe(2);
  await ask({ cmd: 'send', id: 'one', input: 'still here\r' });
  expect(await ask({ cmd: 'wait', id: 'one', until: { text: 'still here' } })).toMatchObject({ outcome: 'matched' });
  expect(await ask({ cmd: 'kill', id: 'two' })).toMatchObject({ ok: true });
  expect(await ask({ cmd: 'run', cmd_args: ['true'] })).toMatchObject({ outcome: 'exited', exit_code: 0 });
});

itAsRoot('unshare')('if /dev/ptmx is another device, a terminal is refused and the daemon continues', async () => {
  const ask = await daemonWith('mount --bind /dev/null /dev/ptmx');
  for (let again = 0; again < 5; again++)
    expect(await ask({ cmd: 'create', cmd_args: ['cat'] })).toMatchObject(REFUSED);
  expect(await ask({ cmd: 'list' })).toMatchObject({ terminals: [] });
});

itAsRoot('unshare')('if /dev/ptmx is missing, a terminal is refused and the daemon continues', async () => {
  const ask = await daemonWith('mount -t tmpfs tmpfs /dev && : > /dev/null');
  expect(await ask({ cmd: 'create', cmd_args: ['cat'] })).toMatchObject(REFUSED);
  expect(await ask({ cmd: 'ping' })).toMatchObject({ ok: true });
});
