/** The recipe of docs/installing.md for a container without Node: a root that holds the native client alone. */
import type { ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { endHost, NATIVE, startHost } from '../support/native.js';
import { bubblewrap, type Ended, itIn, runIn } from '../support/sandboxes.js';
import { tempDir } from '../support/temp-dir.js';

const itInContainer = existsSync(NATIVE) ? itIn(bubblewrap()) : test.skip;

const cli = useCliDaemon();
let host: ChildProcess | undefined;

beforeAll(async () => {
  host = await startHost(cli.daemon.socketPath);
});
afterAll(() => host && endHost(host));

interface Container {
  readonly root: string;
  readonly t4a: (...words: string[]) => Promise<Ended>;
}

/** @param more options of bwrap */
function container(...more: string[]): Container {
  const root = tempDir().join('root');
  mkdirSync(path.join(root, 'work'), { recursive: true });
  copyFileSync(NATIVE, path.join(root, 't4a'));
  const { socketPath } = cli.daemon;
  const mounts = ['--bind', root, '/', '--bind', path.dirname(socketPath), '/run/t4a', ...more];
  const environment = ['--clearenv', '--setenv', 'T4A_SOCKET', `/run/t4a/${path.basename(socketPath)}`];
  const inside = ['bwrap', '--die-with-parent', ...mounts, ...environment, '--chdir', '/work'] as const;
  return { root, t4a: (...words) => runIn(inside, ['/t4a', ...words], {}) };
}

describe('in a root that holds the client alone', () => {
  itInContainer.each([
    ['with /proc', ['--proc', '/proc']],
    ['without /proc', []],
  ])('%s, terminals are created and read', async (_name, mounts) => {
    const { t4a } = container(...mounts);
    const { stdout, ...created } = await t4a('create', 'printf', 'seen inside');
    expect(created).toEqual({ status: 0, stderr: '' });
    const id = stdout.trim();
    await cli.output(['wait', id, '--exit']);
    expect(await t4a('text', id)).toEqual({ status: 0, stdout: 'seen inside\n', stderr: '' });
    expect(await t4a('text', 'nosuch')).toEqual({
      status: 4,
      stdout: '',
      stderr: expect.stringContaining('"nosuch"'),
    });
  });

  itInContainer('a picture lies in the directory of the caller there', async () => {
    const { root, t4a } = container('--proc', '/proc');
    const id = await cli.printed('drawn');
    expect((await t4a('screenshot', id, '-o', 'shot.png')).status).toBe(0);
    const picture = readFileSync(path.join(root, 'work/shot.png'));
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    const outside = tempDir().join('shot.png');
    await cli.output(['screenshot', id, '-o', outside]);
    expect(picture.equals(readFileSync(outside))).toBe(true);
  });

  itInContainer('what needs Node ends with 127, and one sentence says so', async () => {
    const { t4a } = container('--proc', '/proc');
    const id = await cli.printed('looked at');
    expect(await t4a('attach', id)).toEqual({
      status: 127,
      stdout: '',
      stderr: expect.stringMatching(/^t4a: This command needs Node [^\n]*\n$/),
    });
  });
});
