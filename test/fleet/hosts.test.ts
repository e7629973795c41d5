/** The list of hosts: what is added, shown and refused. */
import { chmodSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { testFleet } from '../support/fleet.js';

const written = (dir: { join: (...names: string[]) => string }): unknown =>
  JSON.parse(readFileSync(dir.join('config', 't4a', 'hosts.json'), 'utf8'));

test('hosts add writes hosts.json for its owner alone, and rm takes the host out', async () => {
  const { dir, env, output } = testFleet();
  expect(await output('hosts', 'add', 'web1', 'ssh://me@web1:2222')).toBe('web1\n');
  await output('hosts', 'add', 'docker://ci');
  await output('hosts', 'add', 'vm', '--', 'limactl', 'shell', 'vm', 't4a', 'stdio');
  // A path is a socket, and after "--" a program.
  await output('hosts', 'add', 'wrap', '--', '/opt/wrap');
  await output('hosts', 'add', 'near', '/run/near.sock');
  expect(written(dir)).toEqual({
    hosts: {
      web1: 'ssh://me@web1:2222',
      ci: 'docker://ci',
      vm: { command: ['limactl', 'shell', 'vm', 't4a', 'stdio'] },
      wrap: { command: ['/opt/wrap'] },
      near: 'unix:/run/near.sock',
    },
  });
  expect(statSync(dir.join('config', 't4a', 'hosts.json')).mode & 0o777).toBe(0o600);
  expect(await output('hosts', 'rm', 'web1')).toBe('web1\n');
  await output('hosts', 'rm', 'wrap', 'near');
  const left = 'HOST  ROUTE\nci    docker://ci\nvm    limactl shell vm t4a stdio\n';
  expect(await output('hosts')).toBe(left);
  // By the built command line as well.
  expect(await runCli(['hosts'], { env })).toMatchObject({ status: 0, stdout: left });
  expect(await runCli(['hosts', 'add', 'web2', 'ssh://web2'], { env })).toMatchObject({ status: 0, stdout: 'web2\n' });
  expect(await output('hosts')).toContain('web2  ssh://web2\n');
});

test('rm of a name that a pattern of the list stands for, too, says where it still leads', async () => {
  const { t4a, output } = testFleet();
  await output('hosts', 'add', '*', 'nats://127.0.0.1/farm');
  for (const rest of [[], ['--json']]) {
    await output('hosts', 'add', 'web1', 'nats://127.0.0.1/farm/web1');
    const { status, stdout, stderr } = await t4a(['hosts', 'rm', 'web1', ...rest]);
    expect(status).toBe(0);
    expect(stderr).toBe('t4a: "web1" still leads to a host, by a pattern of the list: nats://127.0.0.1/farm/web1\n');
    const still = [{ name: 'web1', route: 'nats://127.0.0.1/farm/web1' }];
    if (rest.length === 0) expect(stdout).toBe('web1\n');
    else expect(JSON.parse(stdout)).toEqual({ ok: true, hosts: ['web1'], still });
  }
  const { stderr } = await t4a(['hosts', 'rm', '*']);
  expect(stderr).toBe('');
});

test('resolve prints what the routes run, each word as an argument', async () => {
  const { output } = testFleet();
  await output('hosts', 'add', 'ci', 'docker://c1');
  await output('hosts', 'add', 'pod', 'kube://ns/pod/c');
  await output('hosts', 'add', 'web1', 'ssh://me@web1:2222');
  const { hosts } = JSON.parse(await output('hosts', 'resolve', '--json')) as {
    hosts: { name: string; command: string[] }[];
  };
  const command = (name: string): string[] => hosts.find((one) => one.name === name)?.command ?? [];
  expect(command('ci')).toEqual(['docker', 'exec', '-i', 'c1', 't4a', 'stdio']);
  expect(command('pod')).toEqual(['kubectl', 'exec', '-i', '-n', 'ns', 'pod', '-c', 'c', '--', 't4a', 'stdio']);
  expect(command('web1').slice(-6)).toEqual(['-p', '2222', '--', 'me@web1', 't4a', 'stdio']);
  expect(command('web1')).toContain('BatchMode=yes');
});

test('the sockets of vtr are added by the names that vtr gives them', async () => {
  const { dir, output } = testFleet();
  writeFileSync(
    dir.join('config.toml'),
    '[[coordinators]]\npath = "/var/run/vtr/*.sock" # a glob\n[[coordinators]]\npath = "/home/a/.vtr/project-alpha.sock"\n[defaults]\noutput_format = "human"\n',
  );
  expect(await output('hosts', 'add', '--from', 'config.toml')).toBe('*\nproject-alpha\n');
  expect(written(dir)).toEqual({
    hosts: { '*': 'unix:/var/run/vtr/*.sock', 'project-alpha': 'unix:/home/a/.vtr/project-alpha.sock' },
  });
});

test.each([
  ['hosts', 'add', '--', '-x', 'docker://c'],
  ['hosts', 'add', 'x', 'ssh://-oProxyCommand=id'],
  ['hosts', 'add', 'x', 'docker://-v'],
  ['hosts', 'add', 'x', 'kube://ns/-pod'],
  ['hosts', 'add', 'local', 'docker://c'],
  ['hosts', 'add', 'a/b', 'docker://c'],
  ['hosts', 'add', 'x', 'gopher://c'],
  ['hosts', 'add', '*', 'ssh://web1'],
  ['hosts', 'add', 'a*', '--', 'ssh', 'web1'],
  ['hosts', 'add', '--from', 'missing.toml'],
])('%s %s %s %s is refused, and nothing is written', async (...args) => {
  const { dir, t4a } = testFleet();
  expect((await t4a(args)).status).toBe(2);
  expect(() => written(dir)).toThrow('ENOENT');
});

test('a second route for a name is refused', async () => {
  const { output, t4a } = testFleet();
  await output('hosts', 'add', 'x', 'docker://a');
  const { status, stderr } = await t4a(['hosts', 'add', 'x', 'docker://b']);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 't4a: There is a host "x" already.\n  hint: t4a hosts rm x\n',
  });
});

test('a list that others can write is refused, also by commands that need it', async () => {
  const { dir, output, t4a } = testFleet();
  await output('hosts', 'add', 'x', 'docker://a');
  chmodSync(dir.join('config', 't4a', 'hosts.json'), 0o666);
  const { status, stderr } = await t4a(['list', '--on', 'x']);
  expect(status).toBe(2);
  expect(stderr).toContain('can be written by others');
  chmodSync(dir.join('config', 't4a', 'hosts.json'), 0o600);
  chmodSync(dir.join('config', 't4a'), 0o777);
  expect((await t4a(['hosts'])).status).toBe(2);
});

test('a mistake in the list is named with its line', async () => {
  const { dir, output, t4a } = testFleet();
  await output('hosts', 'add', 'x', 'docker://a');
  writeFileSync(
    dir.join('config', 't4a', 'hosts.json'),
    '{"hosts": {\n  "a": "docker://a",\n  "b": "dokcer://b"\n}}\n',
  );
  const { stderr } = await t4a(['hosts']);
  expect(stderr).toContain('hosts.json", line 3: "dokcer://b" is no route to a host.');
});

test('a list that is no regular file is refused, and a folder that is a link counts as what it leads to', async () => {
  const { dir, output, t4a } = testFleet();
  await output('hosts', 'add', 'x', 'docker://a');
  const folder = dir.join('config', 't4a');
  renameSync(folder, dir.join('elsewhere'));
  symlinkSync(dir.join('elsewhere'), folder);
  expect(await output('hosts')).toContain('docker://a');
  chmodSync(dir.join('elsewhere'), 0o777);
  expect((await t4a(['hosts'])).stderr).toContain('can be written by others');
  chmodSync(dir.join('elsewhere'), 0o700);
  rmSync(dir.join('elsewhere', 'hosts.json'));
  symlinkSync('/dev/zero', dir.join('elsewhere', 'hosts.json'));
  const { status, stderr } = await t4a(['hosts']);
  expect(status).toBe(2);
  expect(stderr).toContain('is a device, no regular file');
});

test('a list of more than 4 MiB is refused, and one of that length is read', async () => {
  const { dir, output, t4a } = testFleet();
  await output('hosts', 'add', 'x', 'docker://a');
  const list = readFileSync(dir.join('config', 't4a', 'hosts.json'), 'utf8').trimEnd();
  const write = (length: number): void =>
    writeFileSync(dir.join('config', 't4a', 'hosts.json'), list + ' '.repeat(length - list.length));
  write(4 * 1024 * 1024);
  expect(await output('hosts')).toContain('docker://a');
  write(4 * 1024 * 1024 + 1);
  const { status, stderr } = await t4a(['hosts']);
  expect(status).toBe(2);
  expect(stderr).toContain('hosts.json" has more than 4194304 bytes');
});
