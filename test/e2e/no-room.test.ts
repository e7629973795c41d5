/**
 * The limit on processes and threads (tasks) is reached: requests that need more are refused with the reason, and the
 * daemon continues. Both node-pty and sharp would end it if they got no thread.
 */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { chownSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { itAsRootForAll } from '../support/as-root.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { startOwnDaemon } from '../support/own-daemon.js';
import { rawRequest } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';

/**
 * Unused uids, so that nothing else counts. One for each daemon: what an earlier one has left counts until the first
 * process of the system reaps it.
 */
const uids = Array.from({ length: 16 }, (_, i) => 20_000 + (process.pid % 2500) * 16 + i);

interface LimitedDaemon {
  readonly process: ChildProcess;
  readonly request: (fields: object) => Promise<Record<string, unknown>>;
  /** Room for so many more processes and threads from now on; a running `stty` takes one of them. */
  readonly leaveRoom: (tasks: number) => void;
  readonly cats: () => number;
}

async function limitedDaemon(): Promise<LimitedDaemon> {
  const uid = uids.pop();
  if (uid === undefined) throw new Error('More daemons than uids.');
  const { path, socketPath } = tempDir();
  chownSync(path, uid, uid);
  const child = await startOwnDaemon(builtDaemonEntry, socketPath, {
    uid,
    gid: uid,
    cwd: path,
    env: { PATH: '/usr/bin:/bin', HOME: path, XDG_CONFIG_HOME: path, XDG_CACHE_HOME: path },
  });
  const pid = child.pid ?? -1;
  return {
    process: child,
    request: async (fields) => (await rawRequest(socketPath, fields)).header,
    leaveRoom(tasks) {
      // Without the children's children: `stty` runs for some milliseconds, whenever the daemon asks.
      const lasting = withChildren(pid).reduce((sum, { threads }) => sum + threads, 0);
      execFileSync('prlimit', ['--pid', String(pid), `--nproc=${lasting + tasks}:`], { uid, gid: uid });
    },
    cats: () => withChildren(pid).filter(({ name }) => name === 'cat').length,
  };
}

/** Names of a process and its children, and numbers of their threads; others may go while they are looked at. */
function withChildren(parent: number): readonly { readonly name: string; readonly threads: number }[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1');
      const [name = '', ppid, threads] = ['Name', 'PPid', 'Threads'].map(
        (field) => new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(status)?.[1],
      );
      return [pid, ppid].includes(String(parent)) ? [{ name, threads: Number(threads) }] : [];
    } catch {
      return [];
    }
  });
}

const itLimits = itAsRootForAll('prlimit');

itLimits.each(casesOf([0, 1, 2, 3, 5, 7], (room) => room === 2))(
  'with room for %i more tasks, terminals, WebP and JPEG are refused, and all else works',
  async (room) => {
    const { process: daemon, request, leaveRoom, cats } = await limitedDaemon();
    const { id } = await request({ cmd: 'create', cmd_args: ['cat'] });
    // The process that asks stty has been started by then.
    await request({ cmd: 'debug', id });
    await request({ cmd: 'send', id, input: 'drawn once\r' });
    expect(await request({ cmd: 'wait', id, until: { text: 'drawn once' } })).toMatchObject({ outcome: 'matched' });
    expect(await request({ cmd: 'screenshot', id, inline: true })).toMatchObject({ ok: true });
    leaveRoom(room);
    const refused = await request({ cmd: 'create', cmd_args: ['cat'] });
    expect(refused).toMatchObject({
      ok: false,
      code: 'spawn_failed',
      hint: expect.stringContaining('ulimit -u') as string,
    });
    expect(refused['error']).toMatch(
      /^The system has room for \d more processes and threads: a terminal needs up to 8\.$/,
    );
    expect(await request({ cmd: 'run', cmd_args: ['true'] })).toMatchObject({ code: 'spawn_failed' });
    expect(cats()).toBe(1);
    await request({ cmd: 'send', id, input: 'still here\r' });
    expect(await request({ cmd: 'wait', id, until: { text: 'still here' } })).toMatchObject({ outcome: 'matched' });
    expect(await request({ cmd: 'screenshot', id, inline: true })).toMatchObject({ ok: true });
    for (const format of ['webp', 'jpeg'])
      expect(await request({ cmd: 'screenshot', id, inline: true, format })).toMatchObject({
        code: 'render_failed',
        field: 'format',
        hint: expect.stringContaining('Ask for png') as string,
      });
    leaveRoom(1000);
    expect(await request({ cmd: 'run', cmd_args: ['true'] })).toMatchObject({ outcome: 'exited', exit_code: 0 });
    expect(await request({ cmd: 'screenshot', id, inline: true, format: 'webp' })).toMatchObject({ ok: true });
    expect([daemon.exitCode, daemon.signalCode]).toEqual([null, null]);
  },
);

itLimits('with no room for more tasks, the first PNG or WebP is refused, and SVG and HTML are drawn', async () => {
  const { process: daemon, request, leaveRoom } = await limitedDaemon();
  const { id } = await request({ cmd: 'create', cmd_args: ['cat'] });
  await request({ cmd: 'debug', id });
  leaveRoom(0);
  for (const format of ['png', 'webp'])
    expect(await request({ cmd: 'screenshot', id, inline: true, format })).toMatchObject({
      code: 'render_failed',
      field: 'format',
      hint: expect.stringContaining('Ask for svg') as string,
    });
  for (const format of ['svg', 'html'])
    expect(await request({ cmd: 'screenshot', id, inline: true, format })).toMatchObject({ ok: true });
  leaveRoom(1000);
  for (const format of ['webp', 'png'])
    expect(await request({ cmd: 'screenshot', id, inline: true, format })).toMatchObject({ ok: true });
  expect([daemon.exitCode, daemon.signalCode]).toEqual([null, null]);
});

itLimits.each(casesOf([8, 10, 14], (room) => room === 10))(
  'with room for %i more tasks, a terminal is made, and the daemon survives further requests',
  async (room) => {
    const { process: daemon, request, leaveRoom } = await limitedDaemon();
    leaveRoom(room);
    const { id } = await request({ cmd: 'create', cmd_args: ['cat'] });
    for (const format of ['png', 'webp', 'svg', 'jpeg']) await request({ cmd: 'screenshot', id, inline: true, format });
    await request({ cmd: 'debug', id });
    await request({ cmd: 'send', id, input: 'still here\r' });
    expect(await request({ cmd: 'wait', id, until: { text: 'still here' } })).toMatchObject({ outcome: 'matched' });
    for (let more = 0; more < 20; more++) await request({ cmd: 'create', cmd_args: ['cat'] });
    expect(await request({ cmd: 'create', cmd_args: ['cat'] })).toMatchObject({ code: 'spawn_failed' });
    expect(await request({ cmd: 'ping' })).toMatchObject({ ok: true });
    expect([daemon.exitCode, daemon.signalCode]).toEqual([null, null]);
  },
);
