/** Folders that cannot be made: each by a process of its own, since what never returns ends with it. */
import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeFolder, makeFolderLater } from '../../src/base/make-folder.js';
import { useCliDaemon } from '../support/cli-daemon.js';
import { runCli } from '../support/cli.js';
import { request, startDaemon } from '../support/daemon.js';
import { tempDir } from '../support/temp-dir.js';

const cli = useCliDaemon();

describe.each([
  ['at once', async (path: string, mode?: number) => makeFolder(path, mode)],
  ['later', makeFolderLater],
])('a folder that is made %s', (_name, make) => {
  test('has those above it, of that mode', async () => {
    const { join } = tempDir();
    await make(join('a/b/c'), 0o700);
    expect(['a', 'a/b', 'a/b/c'].map((folder) => statSync(join(folder)).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
    await make(join('a/b/c'), 0o755);
    expect(statSync(join('a/b/c')).mode & 0o777).toBe(0o700);
  });

  test('may be made by many at once', async () => {
    const { join } = tempDir();
    await Promise.all(Array.from({ length: 8 }, () => make(join('a/b/c'))));
    expect(statSync(join('a/b/c')).isDirectory()).toBe(true);
  });

  test('may be a link to a folder, but not to nothing, and no file', async () => {
    const { join } = tempDir();
    mkdirSync(join('real'));
    symlinkSync(join('real'), join('link'));
    symlinkSync(join('absent'), join('broken'));
    writeFileSync(join('file'), '');
    await make(join('link'));
    await make(join('link/below'));
    expect(statSync(join('real/below')).isDirectory()).toBe(true);
    await expect(make(join('broken'))).rejects.toThrow('ENOENT');
    await expect(make(join('file'))).rejects.toThrow('EEXIST');
    await expect(make(join('file/below'))).rejects.toThrow('ENOTDIR');
  });
});

describe.each([
  ['/proc/nope/x', 'ENOENT'],
  ['/dev/null/x', 'ENOTDIR'],
])('where no folder can be made, %s,', (place, code) => {
  test.each([
    ['XDG_CONFIG_HOME', ['hosts', 'add', 'box', 'ssh://box'], `"${place}/t4a/hosts.json" cannot be written (${code})`],
    ['XDG_RUNTIME_DIR', ['web', '--revoke'], `The folder "${place}/t4a" cannot be made (${code})`],
    ['XDG_RUNTIME_DIR', ['fleet'], `The folder "${place}/t4a" cannot be made (${code})`],
    ['TMPDIR', ['interminai', '--', 'cat'], `No folder can be made in "${place}" (${code})`],
    ['T4A_SOCKET', ['list'], `The socket path "${place}" cannot be used`],
  ])('$%s is refused by t4a %j', async (name, args, says) => {
    const [status, stderr] = await ended(args, { env: { T4A_SOCKET: cli.daemon.socketPath, [name]: place } });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(says) as string });
  });

  test.each(['--frames', '--output'])('%s is refused', async (flag) => {
    const id = await cli.create('--', 'cat');
    const args = flag === '--frames' ? ['film', id, flag, place] : ['screenshot', id, flag, `${place}/y.png`];
    const [status, stderr] = await ended(args, { socketPath: cli.daemon.socketPath });
    expect([status, stderr]).toEqual([2, expect.stringContaining(`(${code})`)]);
  });

  test.each(['XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME', 'HOME'])('t4a goes on without $%s', async (name) => {
    const { socketPath } = cli.daemon;
    expect(await ended(['list'], { socketPath, env: { [name]: place } })).toEqual([0, '']);
  });

  test('a daemon records nothing there, keeps entries in memory, and goes on', async () => {
    const daemon = await startDaemon({ env: { XDG_STATE_HOME: place, HOME: place } });
    // More than the threads that Node has for files.
    const started = await Promise.all(
      Array.from({ length: 6 }, () => request(daemon, { cmd: 'create', cmd_args: ['cat'], record: true })),
    );
    for (const reply of started) expect(reply).toMatchObject({ ok: false, code: expect.any(String) });
    const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'], activity: 'disk' });
    await request(daemon, { cmd: 'type', id, text: 'here', submit: true });
    expect(await request(daemon, { cmd: 'wait', id, until: { text: 'here' } })).toMatchObject({ ok: true });
    await daemon.stop();
  });
});

async function ended(
  args: readonly string[],
  options: Parameters<typeof runCli>[1],
): Promise<[number | string, string]> {
  const { status, stderr } = await runCli(args, options);
  return [status, stderr];
}
