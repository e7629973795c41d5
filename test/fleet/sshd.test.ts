/** A real sshd on this machine, which lets in one key, locked to `t4a stdio --allow use`. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { userInfo } from 'node:os';
import { expect, onTestFinished } from 'vitest';
import { CLI } from '../support/cli.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { findProgram, itNeeds } from '../support/programs.js';

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
  for (const name of ['host-key', 'user-key']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', dir.join(name)]);
  }
  const port = await freePort();
  const { username } = userInfo();
  const locked = `env T4A_SOCKET=${far} ${process.execPath} ${CLI} stdio --allow use`;
  const publicKey = (name: string): string => readFileSync(dir.join(`${name}.pub`), 'utf8');
  writeFileSync(dir.join('authorized_keys'), `command="${locked}",restrict ${publicKey('user-key')}`);
  writeFileSync(dir.join('known_hosts'), `[127.0.0.1]:${port} ${publicKey('host-key')}`);
  writeFileSync(
    dir.join('sshd_config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${dir.join('host-key')}`,
      `AuthorizedKeysFile ${dir.join('authorized_keys')}`,
      'PidFile none',
      // The folder of the test lies in /tmp, which all can write.
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin prohibit-password',
      '',
    ].join('\n'),
  );
  writeFileSync(
    dir.join('ssh_config'),
    [
      `IdentityFile ${dir.join('user-key')}`,
      'IdentitiesOnly yes',
      `UserKnownHostsFile ${dir.join('known_hosts')}`,
      'StrictHostKeyChecking yes',
      '',
    ].join('\n'),
  );
  // ssh finds its configuration by the list of users, not by HOME.
  const real = findProgram('ssh') ?? '';
  writeFileSync(dir.join('bin', 'ssh'), `#!/bin/sh\nexec '${real}' -F '${dir.join('ssh_config')}' "$@"\n`);
  chmodSync(dir.join('bin', 'ssh'), 0o755);
  await startSshd(dir.join('sshd_config'));
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** As the present user. Of root it wants an empty folder, which the package's service makes where there is one. */
async function startSshd(config: string): Promise<void> {
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const child = spawn(findProgram('sshd') ?? '', ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    if (line.startsWith('Server listening on')) {
      child.stderr.resume();
      return;
    }
  }
  throw new Error(`sshd ended: ${said.join('\n')}`);
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
  expect((await t4a(['list', '--on', 'web1'])).stdout).toContain('cat');
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
