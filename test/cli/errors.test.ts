/** Errors of the built command line. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CLI, runCli, spawnCli } from '../support/cli.js';
import { useCliDaemon } from '../support/cli-daemon.js';
import { tempDir } from '../support/temp-dir.js';

const cli = useCliDaemon();

describe('errors', () => {
  test('with --json are one JSON line on standard error', async () => {
    const { status, stdout, stderr } = await cli.t4a(['text', 'nobody', '--json']);
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({
      ok: false,
      code: 'terminal_not_found',
      error: expect.stringContaining('nobody'),
    });
    expect(JSON.parse((await cli.t4a(['--json', 'txet'])).stderr)).toMatchObject({ code: 'usage', closest: 'text' });
  });

  test('of the command line are reported without starting a daemon', async () => {
    const dir = tempDir();
    for (const args of [['lsit'], ['text', '--trmi'], ['resize', 't1'], ['create', '--env', 'x'], []]) {
      const { status, stdout, stderr } = await runCli(args, { socketPath: dir.socketPath });
      expect({ args, status, stdout }).toEqual({ args, status: 2, stdout: '' });
      expect(stderr).not.toBe('');
    }
    expect(() => readFileSync(dir.socketPath)).toThrow('ENOENT');
  });

  test('report that the working directory does not exist any more', () => {
    const script = `mkdir gone && cd gone && rmdir ../gone && "$0" "$@"; echo $?`;
    const command = [process.execPath, CLI, '--socket', cli.daemon.socketPath, 'create'];
    const told = execFileSync('sh', ['-c', `{ ${script}; } 2>&1`, ...command], {
      cwd: tempDir().path,
      encoding: 'utf8',
    });
    expect(told).toContain('does not exist any more');
    expect(told.trimEnd().split('\n').at(-1)).toBe('2');
  });

  test('end with the same status if standard error is closed', async () => {
    const child = spawnCli(['lsit'], {});
    child.stderr?.destroy();
    expect(await once(child, 'exit')).toEqual([2, null]);
  });
});
