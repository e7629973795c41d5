/** `t4a run`, built, against a real daemon. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { useCliDaemon } from '../support/cli-daemon.js';
import { requireProgram } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

const PNG_SIGNATURE = '89504e470d0a1a0a';
const cli = useCliDaemon();

describe('run', () => {
  test("prints the output and exits with the command's own status", async () => {
    expect(await cli.t4a(['run', '--', 'sh', '-c', 'echo out; echo err >&2; exit 7'])).toMatchObject({
      status: 7,
      stdout: 'out\nerr\n',
      stderr: '',
    });
    expect(await cli.t4a(['run', 'true'])).toMatchObject({ status: 0, stdout: '' });
  });

  test('exits with 128 and the number of the signal that ended the command', async () => {
    const { status, stderr } = await cli.t4a(['run', '--command', 'kill -TERM $$']);
    expect({ status, stderr }).toEqual({ status: 143, stderr: 't4a: The command was ended by SIGTERM.\n' });
  });

  test('exits with 124 at its deadline, and prints the output so far', async () => {
    const { status, stdout, stderr } = await cli.t4a([
      'run',
      '--timeout',
      '300',
      '--',
      'sh',
      '-c',
      'echo begun; sleep 100',
    ]);
    expect({ status, stdout }).toEqual({ status: 124, stdout: 'begun\n' });
    expect(stderr).toMatch(/^t4a: The command had not ended after \d+ ms\.\n$/);
  });

  test('exits with 127 if the program does not exist', async () => {
    expect(await cli.t4a(['run', '--', '/no/such/program'])).toMatchObject({ status: 127, stdout: '' });
  });

  test('reports the number of lines left out', async () => {
    const { stdout, stderr } = await cli.t4a(['run', '--max-lines', '4', '--', 'seq', '10']);
    expect(stdout).toBe('1\n2\n9\n10\n');
    expect(stderr).toContain('6 lines left out');
  });

  test('writes a picture of the last screen besides the output', async () => {
    const dir = tempDir();
    expect(await cli.output(['run', '--screenshot', 'end.png', '--', 'echo', 'hi'], { cwd: dir.path })).toBe('hi\n');
    expect(readFileSync(dir.join('end.png')).subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
  });

  test('with --json prints the reply and keeps the status of the command', async () => {
    const { status, stdout } = await cli.t4a(['run', '--json', '--', 'sh', '-c', 'echo x; exit 3']);
    expect(status).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, outcome: 'exited', exit_code: 3, lines: ['x'] });
  });
});

describe('run --id', () => {
  const inShell = (id: string, ...args: string[]) => cli.t4a(['run', '--id', id, '--timeout', '20000', ...args]);

  test('runs at the prompt of a persistent shell, in its current directory', async () => {
    const id = await cli.create('--', requireProgram('bash'));
    expect(await inShell(id, '--', 'cd', '/')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(await inShell(id, '--command', 'pwd; (exit 7)')).toMatchObject({ status: 7, stdout: '/\n', stderr: '' });
    expect(await inShell('@', '--', 'echo', 'a  b', '$HOME')).toMatchObject({ status: 0, stdout: 'a  b $HOME\n' });
    // One of its own in between leaves "@" as it was.
    await cli.output(['run', '--', 'true']);
    expect(await inShell('@', '--json', '--', 'true')).toMatchObject({ status: 0 });
    const dir = tempDir();
    const shot = ['run', '--id', id, '--screenshot', 'end.png', '--', 'echo', 'hi'];
    expect(await cli.output(shot, { cwd: dir.path })).toBe('hi\n');
    expect(readFileSync(dir.join('end.png')).subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
  });

  test('reports a line that the shell refused, a command that continues, and a busy shell', async () => {
    const id = await cli.create('--', requireProgram('bash'));
    const broken = await inShell(id, '--command', 'echo )');
    expect(broken).toMatchObject({ status: 2, stdout: expect.stringContaining('syntax error') as unknown });
    expect(broken.stderr).toContain('ran nothing');
    const late = await cli.t4a(['run', '--id', id, '--timeout', '300', '--', 'sleep', '100']);
    expect(late).toMatchObject({ status: 124, stdout: '' });
    expect(late.stderr).toMatch(
      /^t4a: The command had not ended after \d+ ms, and continues: t4a wait \w+ --done\.\n$/,
    );
    const busy = await inShell(id, '--', 'true');
    expect(busy).toMatchObject({ status: 125, stdout: '' });
    expect(busy.stderr).toContain('"sleep 100"');
    expect(await inShell('nobody', '--', 'true')).toMatchObject({ status: 125, stdout: '' });
    expect(await inShell(id, '--cwd', '/', '--', 'true')).toMatchObject({ status: 125, stdout: '' });
    expect(await inShell(id, '--env', 'A=b', '--', 'true')).toMatchObject({ status: 125, stdout: '' });
  });
});

test('long output is printed completely', async () => {
  const lines = (await cli.output(['run', '--max-lines', '100000', '--scrollback', '40000', '--', 'seq', '30000']))
    .trimEnd()
    .split('\n');
  expect({ count: lines.length, last: lines.at(-1) }).toEqual({ count: 30_000, last: '30000' });
});
