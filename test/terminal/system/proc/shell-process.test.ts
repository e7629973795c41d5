/** Real shells, which say on standard output that they are there. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { platform } from 'node:os';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { isIntegratedShell, isInteractiveShell } from '../../../../src/terminal/system/proc/shell-process.js';
import { integrateShell } from '../../../../src/terminal/launching/shell-integration.js';
import { requireProgram } from '../../../support/programs.js';
import { tempDir } from '../../../support/temp-dir.js';

const SCRIPTS = fileURLToPath(new URL('../../../../shell', import.meta.url));
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const child = spawn(requireProgram(program), [...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], HOME: '/dev/null', ...env },
  });
  children.push(child);
  // Without an answer it has not replaced the process that started it yet.
  child.stdin?.write('echo ready\n');
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}

const pidOf = (child: ChildProcess): number => child.pid ?? 0;

describe.runIf(platform() === 'linux')('a process is an interactive shell', () => {
  test.each([
    ['bash', [], true],
    ['bash', ['--norc', '--noprofile', '-i'], true],
    ['bash', ['--rcfile', '/dev/null', '-O', 'extglob', '-s'], true],
    ['bash', ['-c', 'echo ready; read -r line; read -r line'], false],
    ['bash', ['-ic', 'echo ready; read -r line; read -r line'], false],
    ['zsh', ['-f'], true],
    ['zsh', ['-o', 'shwordsplit', '-s'], true],
    ['fish', ['--no-config', '--command', 'echo ready; read; read'], false],
    ['dash', [], true],
    ['cat', [], false],
  ] as const)('%s %j: %j', async (program, args, expected) => {
    expect(isInteractiveShell(pidOf(await start(program, args)))).toBe(expected);
  });

  test('and not with a script', async () => {
    const script = tempDir().join('script');
    writeFileSync(script, 'echo ready; read -r line; read -r line');
    expect(isInteractiveShell(pidOf(await start('bash', ['--norc', script])))).toBe(false);
  });

  test('and not when it is gone', () => {
    expect(isInteractiveShell(2 ** 22 + 1)).toBe(false);
    expect(isIntegratedShell(2 ** 22 + 1, SCRIPTS)).toBe(false);
  });

  // fish reads all of a pipe before it runs any of it; test/e2e/shells.test.ts has it on a terminal.
  test.each(['bash', 'zsh'])('of ours, until %s is replaced by another', async (shell) => {
    const file = requireProgram(shell);
    const { args, env } = integrateShell({ file, args: ['-i'], env: { HOME: '/dev/null' } }, SCRIPTS);
    const child = await start(shell, args, env);
    expect(isIntegratedShell(pidOf(child), SCRIPTS)).toBe(true);
    expect(isInteractiveShell(pidOf(child))).toBe(true);
    child.stdin?.write(`exec ${file}\necho replaced\n`);
    for (let told = ''; !told.includes('replaced');) {
      const [data] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
      told += data.toString();
    }
    expect(isIntegratedShell(pidOf(child), SCRIPTS)).toBe(false);
  });
});
