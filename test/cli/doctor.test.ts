import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { copiedPackage } from '../support/copied-package.js';
import { useCliDaemon } from '../support/cli-daemon.js';
import { requireProgram } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly says: string;
  readonly advice?: string;
}

const cli = useCliDaemon();

async function findings(socketPath: string, env: Record<string, string> = {}): Promise<Map<string, Finding>> {
  const { stdout, stderr } = await runCli(['doctor', '--json'], { socketPath, env });
  expect(stderr).toBe('');
  const { findings: found } = JSON.parse(stdout) as { findings: Finding[] };
  return new Map(found.map((finding) => [finding.check, finding]));
}

test('the doctor finds no failure beside a healthy daemon', async () => {
  const { status, stdout } = await cli.t4a(['doctor'], { env: { LANG: 'C.UTF-8' } });
  expect(status, stdout).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith('FAILURE'))).toEqual([]);
  for (const check of [
    'versions',
    'pseudoterminals',
    'socket',
    'daemon',
    'memory',
    'start',
    'terminal',
    'fonts',
    'shell',
  ]) {
    expect(
      lines.find((line) => line.split(/ +/)[1] === check),
      check,
    ).toMatch(/^ok /);
  }
});

test('the doctor starts no daemon on the socket that it examines', async () => {
  const found = await findings(tempDir().socketPath);
  expect(found.get('daemon')).toMatchObject({ state: 'ok', says: expect.stringContaining('none runs') });
  expect(found.get('socket')?.says).toContain('is not there');
});

test('the doctor reports each problem with its advice, and exits with 1', async () => {
  const { path, join } = tempDir();
  writeFileSync(join('file'), '');
  mkdirSync(join('open'), { mode: 0o777 });
  expect((await findings(join('file'))).get('socket')).toMatchObject({ state: 'failure', advice: expect.any(String) });
  expect((await findings(`${path}/no/s`)).get('directory')).toMatchObject({ state: 'failure' });
  expect((await findings(join('x'), { LANG: 'C' })).get('locale')).toMatchObject({ state: 'warning' });
  const told = await runCli(['doctor', '--color', 'always'], { socketPath: join('file'), env: { LANG: 'C' } });
  expect(told.status).toBe(1);
  const { says = '', advice = '' } = (await findings(join('file'))).get('socket') ?? {};
  const lines = told.stdout.replaceAll('\x1b', 'ESC').split('\n');
  const line = lines.find((each) => each.includes(' socket '));
  expect(line?.replace(/^ESC\[1;31mFAILUREESC\[m +socket +/, '')).toBe(`${says.replace(/\.$/, '')}. ${advice}`);
  expect(lines.find((each) => each.includes(' locale '))).toMatch(/^ESC\[33mWARNINGESC\[m +locale {2,}\w/);
  expect(lines.find((each) => each.includes(' versions '))).toMatch(/^ESC\[32mokESC\[m +versions {2,}\w/);
  expect(told.stdout).not.toContain('undefined');
});

test('the doctor reports the reason why the shell of the user cannot report its commands', async () => {
  const { join, socketPath } = tempDir();
  writeFileSync(join('.bashrc'), 'readonly PROMPT_COMMAND\n');
  const found = await findings(socketPath, { HOME: join(), SHELL: requireProgram('bash') });
  expect(found.get('shell')).toMatchObject({
    state: 'warning',
    says: 'bash cannot report its commands: PROMPT_COMMAND is readonly',
  });
});

test('--verbose reports socket, command and durations on standard error', async () => {
  const { stdout, stderr } = await cli.t4a(['ping', '--json', '--verbose']);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true });
  expect(stderr).toMatch(
    /^t4a: connected to \S+ after [\d.]+ ms\nt4a: "ping" was done after [\d.]+ ms, exit status 0\n$/,
  );
});

test('the doctor of a package without the scripts for shells names that as a failure', () => {
  const { cli: program, socketPath, home } = copiedPackage();
  rmSync(path.join(path.dirname(program), '../shell'));
  const env = { PATH: process.env['PATH'], HOME: home, SHELL: requireProgram('bash'), LANG: 'C.UTF-8' };
  const { status, stdout } = spawnSync(process.execPath, [program, '--socket', socketPath, 'doctor', '--json'], {
    env,
    encoding: 'utf8',
  });
  const { findings: found } = JSON.parse(stdout) as { findings: Finding[] };
  expect(found.find(({ check }) => check === 'shell')).toMatchObject({
    state: 'failure',
    says: expect.stringContaining('The folder shell/ of the t4a that runs is not there'),
  });
  expect(status).toBe(1);
});
