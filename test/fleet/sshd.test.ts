/** A real sshd on this machine, which lets in one key, locked to `t4a stdio --allow use`. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { CLI } from '../support/cli.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { findProgram, itNeeds } from '../support/programs.js';
import { startSshd } from '../support/sshd.js';

interface Ssh extends TestFleet {
  readonly url: string;
  /** Standard output of ssh itself, to that host. */
  readonly ssh: (...args: string[]) => string;
}

/** The daemon behind it has a terminal `a`. */
async function lockedSsh(): Promise<Ssh> {
  const given = testFleet();
  const { dir } = given;
  // Sockets of ssh lie there.
  mkdirSync(dir.join('run'), { mode: 0o700 });
  const env = { ...given.env, XDG_RUNTIME_DIR: dir.join('run') };
  const far = await given.daemon('far');
  await given.output('--socket', far, 'create', '--name', 'a', 'cat');
  const command = `env T4A_SOCKET=${far} ${process.execPath} ${CLI} stdio --allow use`;
  const { port, username, clientConfig, stop } = await startSshd(dir.path, findProgram('sshd') ?? '', command);
  onTestFinished(stop);
  // ssh finds its configuration by the list of users, not by HOME.
  const real = findProgram('ssh') ?? '';
  writeFileSync(dir.join('bin', 'ssh'), `#!/bin/sh\nexec '${real}' -F '${clientConfig}' "$@"\n`);
  chmodSync(dir.join('bin', 'ssh'), 0o755);
  const ssh = (...args: string[]): string =>
    execFileSync(
      dir.join('bin', 'ssh'),
      ['-p', String(port), '-o', 'BatchMode=yes', `${username}@127.0.0.1`, ...args],
      {
        input: '',
        encoding: 'utf8',
      },
    );
  const t4a: Ssh['t4a'] = (args, options = {}) => given.t4a(args, { ...options, env: { ...env, ...options.env } });
  const url = `ssh://${username}@127.0.0.1:${port}`;
  // The session that all connections share would outlive them by a minute.
  onTestFinished(async () => {
    const { stdout } = await t4a(['hosts', 'resolve', '--json']);
    const { hosts } = JSON.parse(stdout) as { hosts: { command: string[] }[] };
    const shared = hosts[0]?.command.find((word) => word.startsWith('ControlPath=')) ?? '';
    execFileSync(dir.join('bin', 'ssh'), ['-p', String(port), '-o', shared, '-O', 'exit', `${username}@127.0.0.1`], {
      stdio: 'ignore',
    });
  });
  return { ...given, env, t4a, url, ssh };
}

itNeeds(
  'sshd',
  'ssh',
  'ssh-keygen',
)('a key that is locked to t4a types and looks, and does nothing else', async () => {
  const { t4a, url, ssh } = await lockedSsh();
  expect(await t4a(['hosts', 'add', 'web1', url])).toMatchObject({ status: 0 });
  const code = async (command: string, ...args: string[]): Promise<unknown> => {
    const { stderr } = await t4a([command, '--json', ...args]);
    return (JSON.parse(stderr) as { code: string }).code;
  };
  expect(await t4a(['list', '--on', 'web1'])).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining('cat'),
  });
  expect(await t4a(['type', 'web1/a', 'over ssh'])).toMatchObject({ status: 0 });
  expect(await t4a(['wait', 'web1/a', '--text', 'over ssh'])).toMatchObject({ status: 0 });
  const { bytes } = await t4a(['screenshot', 'web1/a', '-o', '-']);
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
  expect(await code('create', '--on', 'web1', 'cat')).toBe('not_allowed');
  expect(await code('kill', 'web1/a')).toBe('not_allowed');
  expect(await code('shutdown', '--on', 'web1')).toBe('not_allowed');
  // The wire in place of what was asked for: with no request it says nothing.
  expect(ssh('id')).toBe('');
  expect((await t4a(['text', 'web1/a'])).stdout).toContain('over ssh');
});
