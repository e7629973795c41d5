/** Commands for other hosts: through sockets, and programs that stand for ssh, docker and kubectl. */
import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { holdSocket } from '../../src/fleet/held-socket.js';
import { rawRequest } from '../support/raw.js';
import { testFleet, type TestFleet } from '../support/fleet.js';
import { ofFile, type AtEnd } from '../support/of-file.js';

/** A host `web1` behind a stand-in of ssh. */
async function behindSsh(before = '', atEnd: AtEnd = onTestFinished): Promise<BehindSsh> {
  const fleet = testFleet(atEnd);
  const far = await fleet.daemon('far');
  const { calls } = fleet.standIn('ssh', far, before);
  await fleet.output('hosts', 'add', 'web1', 'ssh://me@web1');
  return { ...fleet, calls, far };
}

type BehindSsh = TestFleet & { readonly calls: () => string[]; readonly far: string };

/** A host `web1` whose route ends before a daemon is asked. */
async function endedSsh(before: string): Promise<TestFleet> {
  const fleet = testFleet();
  fleet.standIn('ssh', fleet.dir.join('far'), before);
  await fleet.output('hosts', 'add', 'web1', 'ssh://me@web1');
  return fleet;
}

/** Of tests that end their terminals, or name them. */
const sharedSsh = ofFile((atEnd) => behindSsh('', atEnd));

test('ssh gets options that ask, forward and send nothing, then the host, then what it runs', async () => {
  const { output, calls } = await behindSsh();
  await output('list', '--on', 'web1');
  const argv = calls();
  expect(argv.slice(0, 3)).toEqual(['-T', '-a', '-x']);
  expect(argv.filter((word) => /^(BatchMode|ClearAllForwardings|ConnectTimeout)=/.test(word))).toEqual([
    'BatchMode=yes',
    'ClearAllForwardings=yes',
    'ConnectTimeout=10',
  ]);
  expect(argv.slice(-4)).toEqual(['--', 'me@web1', 't4a', 'stdio']);
});

test('docker and kubectl get the container and the pod', async () => {
  const { output, daemon, standIn } = testFleet();
  const far = await daemon('far');
  const docker = standIn('docker', far);
  const kubectl = standIn('kubectl', far);
  await output('create', '--on', 'docker://c1', '--name', 'a', 'cat');
  expect(docker.calls()).toEqual(['exec', '-i', 'c1', 't4a', 'stdio']);
  expect(await output('list', '--on', 'kube://ns/pod/c')).toContain('cat');
  expect(kubectl.calls()).toEqual(['exec', '-i', '-n', 'ns', 'pod', '-c', 'c', '--', 't4a', 'stdio']);
});

test('a terminal is addressed as host/terminal, and by --on', async () => {
  const { output } = await sharedSsh();
  expect(await output('create', '--on', 'web1', '--name', 'build', 'cat')).toBe('build\n');
  await output('type', 'web1/build', 'far away');
  await output('wait', 'web1/build', '--text', 'far away');
  expect(await output('text', 'web1/build')).toContain('far away');
  expect(await output('text', '--on', 'web1', 'build')).toContain('far away');
  expect(await output('text', '--on', 'web1')).toContain('far away');
  expect(await output('list')).toBe('');
  const picture = await output('screenshot', 'web1/build', '-o', '-');
  expect(picture.slice(1, 4)).toBe('PNG');
  await output('kill', 'web1/build');
  expect(await output('list', '--on', 'web1')).toBe('');
});

test('what a shell prints before the wire is skipped', async () => {
  const { output } = await behindSsh('printf \'Welcome to web1!\\n{"ok":true}\\nno newline\'');
  expect(await output('list', '--on', 'web1')).toBe('');
});

test('what is no daemon is quoted, without its controls', async () => {
  const { t4a } = await endedSsh("printf 'no \\033[31mshell here\\n'; exit 0");
  const { status, stderr } = await t4a(['list', '--on', 'web1']);
  expect(status).toBe(1);
  expect(stderr).toContain('"web1" cannot be reached: no daemon of t4a answers: it says "no [31mshell here".');
});

test.each([
  ['exit 127', 't4a is not installed on web1'],
  ["echo 'Permission denied (publickey).' >&2; exit 255", '"Permission denied (publickey)." (exit status 255)'],
  ['exit 3', 'the command of its route ended with exit status 3'],
])('a route that ends with "%s" says why', async (before, reason) => {
  const { t4a } = await endedSsh(before);
  const { status, stderr } = await t4a(['list', '--json', '--on', 'web1']);
  expect(status).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({
    code: 'host_unreachable',
    error: expect.stringContaining(reason) as string,
  });
});

test('directory and environment of the caller stay at home', async () => {
  const { t4a, output } = await sharedSsh();
  const args = ['create', '--on', 'web1', '--name', 'a', '--env', 'SENT=1', '--wait', 'exit', 'env'];
  await t4a(args, { env: { API_KEY: 'secret-of-home' } });
  expect(await output('grep', 'web1/a', 'SENT=1')).toContain('SENT=1');
  expect((await t4a(['grep', 'web1/a', 'secret-of-home'])).status).toBe(1);
  expect((await t4a(['create', '--on', 'web1', '--cwd', 'here', 'cat'])).status).toBe(2);
  expect((await t4a(['create', '--on', 'web1', '--tied', 'cat'])).status).toBe(2);
});

/** Hosts `x` and `y` behind a glob of sockets. */
async function globbed(atEnd: AtEnd = onTestFinished): Promise<TestFleet> {
  const fleet = testFleet(atEnd);
  for (const name of ['x', 'y']) {
    mkdirSync(fleet.dir.join(name));
    await fleet.daemon(`${name}/t4a.sock`);
  }
  await fleet.output('hosts', 'add', '*', `unix:${fleet.dir.path}/*/t4a.sock`);
  return fleet;
}

const globOfFile = ofFile((atEnd) => globbed(atEnd));

/** Of tests that leave its list of hosts as it was. Terminals end with each. */
async function sharedGlob(): Promise<TestFleet> {
  const fleet = await globOfFile();
  onTestFinished(async () => {
    for (const name of ['x', 'y']) {
      const socketPath = fleet.dir.join(name, 't4a.sock');
      const { header } = await rawRequest(socketPath, { cmd: 'list' });
      for (const { id } of header['terminals'] as { id: string }[]) await rawRequest(socketPath, { cmd: 'kill', id });
    }
  });
  return fleet;
}

test('a glob of sockets names its hosts by what the asterisk stands for', async () => {
  const { output } = await sharedGlob();
  await output('create', '--on', 'y', '--name', 'here', 'cat');
  expect(await output('list', '--all')).toMatch(/^ID .*\ny\/here +(?:probably )?(?:waiting|working|unknown) /);
  const { terminals } = JSON.parse(await output('list', '--all', '--json')) as { terminals: object[] };
  expect(terminals).toMatchObject([{ host: 'y', id: 'here' }]);
});

test('a bare name is looked for on all hosts, unless it is ambiguous or a generated one', async () => {
  const { output, t4a } = await sharedGlob();
  await output('create', '--on', 'x', '--name', 'one', 'cat');
  const { status, stderr } = await t4a(['text', 'one']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: 't4a: x/one\n' });
  for (const on of ['x', 'y']) await output('create', '--on', on, '--name', 'both', 'cat');
  const both = await t4a(['text', 'both', '--json']);
  expect(JSON.parse(both.stderr)).toMatchObject({
    code: 'terminal_ambiguous',
    error: expect.stringContaining('x/both, y/both') as string,
    hint: 'Name its host: x/both',
  });
  const generated = await output('create', '--on', 'x', 'cat');
  expect((await t4a(['text', generated.trim()])).status).toBe(4);
});

/** A file without a listener, as a process that was killed leaves it. */
function refusingSocket(path: string): string {
  const listen = "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
  spawnSync(process.execPath, ['-e', listen, path]);
  return path;
}

test('a bare name is found beside hosts whose socket refuses, or is that of another program', async () => {
  const { dir, output, t4a, daemon } = testFleet();
  await output('hosts', 'add', 'near', `unix:${await daemon('near.sock')}`);
  await output('create', '--on', 'near', '--name', 'one', 'cat');
  await output('hosts', 'add', 'ended', `unix:${refusingSocket(dir.join('ended.sock'))}`);
  expect(await t4a(['text', 'one'])).toMatchObject({ status: 0, stderr: 't4a: near/one\n' });
  const coordinator = createServer((socket) => socket.end(Buffer.from('000000040000000000', 'hex')));
  onTestFinished(() => void coordinator.close());
  await new Promise<void>((resolve) => coordinator.listen(dir.join('vtr.sock'), resolve));
  await output('hosts', 'add', 'vtr', `unix:${dir.join('vtr.sock')}`);
  expect(await t4a(['text', 'one'])).toMatchObject({ status: 0, stderr: 't4a: near/one\n' });
  // The list still names them.
  expect((await t4a(['list', '--all'])).stderr).toMatch(/^t4a: ended: .*no daemon listens.*\nt4a: vtr: .*gRPC.*\n$/);
  // A name that no host has is no terminal, and not uncertain.
  expect(await t4a(['text', 'nowhere'])).toMatchObject({
    status: 4,
    stderr: expect.stringMatching(/No terminal/) as string,
  });
});

test('a bare name stays uncertain beside a host that may only be unreachable now', async () => {
  const { dir, output, t4a, daemon } = testFleet();
  await output('hosts', 'add', 'near', `unix:${await daemon('near.sock')}`);
  await output('create', '--on', 'near', '--name', 'one', 'cat');
  // A folder that is not mounted.
  await output('hosts', 'add', 'away', `unix:${dir.join('away.sock')}`);
  const { status, stderr } = await t4a(['text', 'one', '--json']);
  expect(status).not.toBe(0);
  expect(JSON.parse(stderr)).toMatchObject({
    code: 'terminal_ambiguous',
    error: expect.stringContaining('no answer from away') as string,
  });
});

test.each([
  ['type', 'far', 'meant for here', '--submit'],
  ['press', 'far', 'x'],
  ['send', 'far', 'x'],
  ['paste', 'far', 'x'],
  ['resize', 'far', '70', '20'],
  ['run', '--id', 'far', 'echo x'],
  ['trigger', 'far', '--when', 'text=x', '--press', 'y'],
  ['label', 'far', '--set', 'a=b'],
  ['restart', 'far'],
  ['kill', 'far'],
  ['kill', 'far', '--signal', 'INT'],
  ['debug', 'far', '--clear'],
  ['control', 'far', 'take', '--as', 'ada'],
])('an act that names a terminal which this machine lacks reaches no other host: %s %s', async (...args) => {
  const { dir, t4a } = await sharedGlob();
  const onX = async (request: object) => (await rawRequest(dir.join('x', 't4a.sock'), request)).header;
  await onX({ cmd: 'create', name: 'far', cols: 80, cmd_args: ['cat'] });
  const before = await onX({ cmd: 'status', id: 'far' });
  const { status, stderr } = await t4a(['--json', ...args]);
  expect({ status, ...(JSON.parse(stderr) as object) }).toMatchObject({
    status: args[0] === 'run' ? 125 : 4,
    code: 'terminal_not_found',
    hint: 'Name its host: x/far',
  });
  expect(before).toMatchObject({ ok: true });
  const { rev, inputs, pid, cols, labels, control } = before;
  expect(await onX({ cmd: 'status', id: 'far' })).toMatchObject({
    rev,
    inputs,
    pid,
    cols,
    labels,
    control,
  });
});

test('an act in place of a terminal that has ended here is not certain of a host that does not answer either', async () => {
  const { output, t4a } = await sharedGlob();
  await output('hosts', 'add', 'gone', 'unix:/nonexistent/t4a.sock');
  onTestFinished(async () => void (await output('hosts', 'rm', 'gone')));
  const { status, stderr } = await t4a(['type', 'one', 'x', '--json']);
  expect({ status, ...(JSON.parse(stderr) as object) }).toMatchObject({ status: 4, code: 'terminal_not_found' });
});

test('a host that does not answer makes a bare name uncertain, and is named in the list', async () => {
  const { output, t4a } = await sharedGlob();
  await output('create', '--on', 'x', '--name', 'one', 'cat');
  await output('hosts', 'add', 'gone', 'unix:/nonexistent/t4a.sock');
  onTestFinished(async () => void (await output('hosts', 'rm', 'gone')));
  expect((await t4a(['text', 'one'])).stderr).toContain('x/one; no answer from gone');
  const { status, stdout, stderr } = await t4a(['list', '--all']);
  expect({ status, stdout: stdout.split('\n')[1]?.split(' ')[0] }).toEqual({ status: 1, stdout: 'x/one' });
  expect(stderr).toContain('gone: The host "gone" cannot be reached');
});

test('a socket that is swapped for a link to the own daemon, or for its socket, gets nothing', async () => {
  const { dir, output, t4a } = await globbed();
  await output('create', '--name', 'own', 'cat');
  renameSync(dir.join('x', 't4a.sock'), dir.join('x', 'away'));
  symlinkSync(dir.join('local'), dir.join('x', 't4a.sock'));
  expect((await t4a(['list', '--on', 'x'])).stderr).toContain('There is no host "x"');
  await output('hosts', 'add', 'alias', `unix:${dir.join('local')}`);
  const { status, stderr } = await t4a(['text', 'alias/own', '--json']);
  expect(status).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({ code: 'host_alias' });
  // One that is known by its place is not even asked who it is.
  mkdirSync(dir.join('z'));
  const heard: string[] = [];
  const listening = createServer((socket) => {
    socket.on('error', () => {}).on('data', (bytes) => heard.push(bytes.toString()));
  });
  await new Promise<void>((resolve) => void listening.listen(dir.join('z', 't4a.sock'), resolve));
  onTestFinished(() => void listening.close());
  rmSync(dir.join('x', 't4a.sock'));
  linkSync(dir.join('z', 't4a.sock'), dir.join('x', 't4a.sock'));
  const asked = await t4a(['list', '--on', 'x', '--json']);
  expect(JSON.parse(asked.stderr)).toMatchObject({ code: 'host_alias' });
  expect(heard).toEqual([]);
});

test('what closes each connection at once is no daemon, and is said to be none', async () => {
  const { dir, output, t4a } = testFleet();
  await output('hosts', 'add', 'closing', `unix:${dir.join('closing')}`);
  const listening = createServer((socket) => void socket.on('error', () => {}).destroy());
  await new Promise<void>((resolve) => void listening.listen(dir.join('closing'), resolve));
  onTestFinished(() => void listening.close());
  const { status, stderr } = await t4a(['text', 'closing/a', '--json']);
  expect(status).toBe(1);
  expect(JSON.parse(stderr)).toMatchObject({ code: 'host_unreachable' });
});

test('a second name of another socket, and a folder that is a link, lead a route to no other daemon', async () => {
  const { dir, t4a } = await globbed();
  rmSync(dir.join('x', 't4a.sock'));
  linkSync(dir.join('y', 't4a.sock'), dir.join('x', 't4a.sock'));
  const second = await t4a(['list', '--on', 'x', '--json']);
  expect(JSON.parse(second.stderr)).toMatchObject({ code: 'host_alias' });
  const path = dir.join('z', 't4a.sock');
  symlinkSync(dir.join('y'), dir.join('z'));
  expect(() => holdSocket(path, dir.path)).toThrow('link');
  expect(holdSocket(dir.join('none', 't4a.sock'), dir.path)).toBeUndefined();
});

test('an unknown host is answered with the closest name', async () => {
  const { t4a } = await sharedGlob();
  await t4a(['hosts', 'add', 'web1', 'docker://c']);
  onTestFinished(async () => void (await t4a(['hosts', 'rm', 'web1'])));
  const { status, stderr } = await t4a(['text', 'wbe1/build']);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 't4a: There is no host "wbe1".\n  hint: Did you mean "web1"?\n',
  });
});

test('one command asks one host', async () => {
  const { t4a } = await sharedGlob();
  expect((await t4a(['text', '--on', 'x', 'y/a'])).stderr).toContain('One command asks one host, not "x" and "y".');
  expect((await t4a(['kill', 'x/a', 'b'])).stderr).toContain('not "x" and "local"');
  expect((await t4a(['doctor', '--on', 'x'])).status).toBe(2);
});

test('without a list of hosts an address is an unknown host', async () => {
  const { t4a } = testFleet();
  expect((await t4a(['list', '--on', 'web1'])).stderr).toContain('There is no host "web1".');
});
