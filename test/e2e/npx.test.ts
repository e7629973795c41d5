/** `npx t4a`: programs in a terminal do not inherit the variables that npx adds. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { CLI } from '../support/cli.js';
import { ROOT } from '../support/consumer.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { execute } from '../support/execute.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { inTrial } from '../support/trial.js';

/** npm's own folders first would be those of `npm test`. */
const PATH = `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;

/** A project that has t4a, so that npx downloads nothing. */
function project(): { readonly dir: string; readonly env: Record<string, string> } {
  const { path: dir, join, socketPath } = tempDir();
  mkdirSync(join('node_modules/.bin'), { recursive: true });
  symlinkSync(ROOT, join('node_modules/t4a'));
  symlinkSync(CLI, join('node_modules/.bin/t4a'));
  writeFileSync(join('package.json'), '{ "name": "project", "private": true, "scripts": { "t4a": "t4a" } }');
  writeFileSync(join('.npmrc'), 'offline=true\nupdate-notifier=false\n');
  const env = { PATH, HOME: dir, SHELL: '/bin/sh', T4A_SOCKET: socketPath, KEPT: 'yes', PWD: dir };
  onTestFinished(() => endDaemonAt(socketPath));
  return { dir, env };
}

const PRINT = 'console.log(JSON.stringify(Object.entries(process.env).sort()))';
/** Of the terminal, the shell that it was called from, and the run. */
const UNLIKE = /^(T4A_|_$|SHLVL$|OLDPWD$)/;

function variables(stdout: string): unknown {
  return (JSON.parse(stdout) as [string, string][]).filter(([name]) => !UNLIKE.test(name));
}

describe('through npx', () => {
  const run = ['run', '--cols', '1000', '--max-lines', '1000', '--', process.execPath, '-e', PRINT];

  itNeeds('npx')('a program in a terminal has the environment of the shell that called npx', async () => {
    const { dir, env } = project();
    const direct = await execute(process.execPath, [CLI, ...run], { env, cwd: dir });
    const through = await execute('npx', ['--', 't4a', ...run], { env, cwd: dir });
    expect(through.stderr).toBe('');
    expect(variables(through.stdout)).toEqual(variables(direct.stdout));
    expect(variables(through.stdout)).toContainEqual(['KEPT', 'yes']);
    expect(variables(through.stdout)).toContainEqual(['PATH', PATH]);
  });

  inTrial(() => {
    itNeeds('npx')('a program that gets the environment of the daemon has no variables of npx', async () => {
      const { dir, env } = project();
      expect((await execute('npx', ['--', 't4a', 'list'], { env, cwd: dir })).status).toBe(0);
      const request = JSON.stringify({ cmd: 'run', cmd_args: [process.execPath, '-e', PRINT], cols: 1000 });
      const ask = `const s = require('node:net').connect(process.env.T4A_SOCKET, () => s.write(${JSON.stringify(`${request}\n`)}));
      require('node:readline').createInterface({ input: s }).once('line', (line) => { console.log(line); process.exit(); });`;
      const { stdout } = await execute(process.execPath, ['-e', ask], { env, cwd: dir });
      const [printed = ''] = (JSON.parse(stdout) as { lines: string[] }).lines;
      const names = (variables(printed) as [string, string][]).map(([name]) => name);
      expect(names.filter((name) => /^npm_|^INIT_CWD$/.test(name))).toEqual([]);
      expect(variables(printed)).toContainEqual(['PATH', PATH]);
    });
  });

  itNeeds('npm')('a script of `npm run` keeps the variables of npm', async () => {
    const { dir, env } = project();
    const { stdout } = await execute('npm', ['run', '--silent', 't4a', '--', 'run', 'printenv', 'INIT_CWD'], {
      env,
      cwd: dir,
    });
    expect(stdout).toBe(`${dir}\n`);
  });

  inTrial(() => {
    itNeeds('npx', 'python3')('the Python client leaves out the same variables', async () => {
      const { dir, env } = project();
      const python = `
import json, os, t4a
print(json.dumps(sorted(t4a._without_npx(os.environ).items())))`;
      const command = ['python3', '-c', python];
      const withClient = { ...env, PYTHONPATH: path.join(ROOT, 'clients/python') };
      writeFileSync(path.join(dir, 'node_modules/.bin/python-of-npx'), '#!/bin/sh\nexec python3 "$@"\n', {
        mode: 0o755,
      });
      const direct = await execute('python3', command.slice(1), { env: withClient, cwd: dir });
      const through = await execute('npx', ['--', 'python-of-npx', ...command.slice(1)], { env: withClient, cwd: dir });
      expect(variables(through.stdout)).toEqual(variables(direct.stdout));
    });
  });
});
