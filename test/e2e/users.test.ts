/** Users of one machine: each has a separate daemon, which all clients of that user find. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { NODE, privateMachine, PROJECT, type Ended } from '../support/private-machine.js';
import { inTrial } from '../support/trial.js';
import { itAsRoot } from '../support/users.js';

const [ALICE, BOB, CAROL] = [12_001, 12_002, 12_003];
const OF_BOB = `/tmp/t4a-${BOB}/t4a.sock`;

const reply = ({ stdout }: Ended): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

/** Of docs/protocol.md, with a look at who answers. */
function documentedClient(): string {
  const page = readFileSync(fileURLToPath(new URL('../../docs/protocol.md', import.meta.url)), 'utf8');
  const code = /```python\n(import os, socket, stat\n.*?)```/s.exec(page)?.[1];
  return `${code}
c = connect()
c.sendall(b'{"cmd":"ping"}\\n')
print(c.makefile().readline() if c else "nobody")`;
}

const PYTHON_CLIENT = `
import t4a
with t4a.connect(t4a_command=("${NODE}", "${PROJECT}/dist/cli.cjs")) as client:
    print(client.ping()["pid"], client.socket_path)`;

const TYPESCRIPT_CLIENT = `
import { connect } from '${PROJECT}/dist/client.js';
const client = await connect();
console.log(client.daemon.pid, client.socketPath);
process.exit();`;

const CLIENT_INFO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

const MCP_CLIENT = `
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
const command = ['${PROJECT}/dist/cli.cjs', 'mcp', '--profile', 'full'];
const server = spawn('${NODE}', command, { stdio: ['pipe', 'pipe', 'inherit'] });
const say = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
say({ id: 1, method: 'initialize', params: ${JSON.stringify(CLIENT_INFO)} });
say({ method: 'notifications/initialized' });
say({ id: 2, method: 'tools/call', params: { name: 'ping', arguments: {} } });
for await (const line of createInterface({ input: server.stdout })) {
  const { id, result } = JSON.parse(line);
  if (id === 2) console.log(JSON.parse(result.content[0].text).pid);
  if (id === 2) server.stdin.end();
}`;

inTrial(() => {
  itAsRoot('python3')(
    'each client of the second user finds a daemon at another path, even after the first one has ended',
    async () => {
      const { run, t4a } = await privateMachine();
      expect(await t4a(ALICE, 'create', '--name', 'hers', 'cat')).toMatchObject({ status: 0, stderr: '' });
      expect(reply(await t4a(ALICE, 'ping', '--json'))).toMatchObject({ socket: '/tmp/t4a.sock' });

      const created = await t4a(BOB, 'create', '--name', 'his', 'cat');
      expect(created).toMatchObject({
        status: 0,
        stderr: `t4a: The daemon is on "${OF_BOB}": "/tmp/t4a.sock.lock" belongs to another user (uid ${ALICE}).\n`,
      });
      const { pid, socket } = reply(await t4a(BOB, 'ping', '--json'));
      expect(socket).toBe(OF_BOB);

      const clients = async (): Promise<unknown> => ({
        cli: await t4a(BOB, 'ping', '--json').then((ended) => [reply(ended)['pid'], ended.stderr]),
        completion: (await t4a(BOB, 'complete', '--', 'status', 'hi')).stdout,
        config: /^socket +(\S+ +\S+)/m
          .exec((await t4a(BOB, 'config', '--sources')).stdout)?.[1]
          ?.replaceAll(/ +/g, ' '),
        python: (await run(BOB, 'python3', ['-c', PYTHON_CLIENT])).stdout,
        typescript: (await run(BOB, NODE, ['--input-type=module', '--eval', TYPESCRIPT_CLIENT])).stdout,
        mcp: (await run(BOB, NODE, ['--input-type=module', '--eval', MCP_CLIENT])).stdout,
        socket: reply(await run(BOB, 'python3', ['-c', documentedClient()]))['pid'],
      });
      const all = {
        cli: [pid, ''],
        completion: 'his\n',
        config: `${OF_BOB} default`,
        python: `${String(pid)} ${OF_BOB}\n`,
        typescript: `${String(pid)} ${OF_BOB}\n`,
        mcp: `${String(pid)}\n`,
        socket: pid,
      };
      expect(await clients()).toEqual(all);
      expect(await t4a(ALICE, 'shutdown')).toMatchObject({ status: 0 });
      await run(0, 'sh', ['-c', 'rm -f /tmp/t4a.sock*']);
      expect(await clients()).toEqual(all);
      expect(await t4a(BOB, 'shutdown')).toMatchObject({ status: 0, stderr: '' });
      expect(await t4a(BOB, 'list')).toMatchObject({ status: 0, stderr: '' });
      expect(reply(await t4a(BOB, 'ping', '--json'))).toMatchObject({ socket: '/tmp/t4a.sock' });
    },
    120_000,
  );
});

itAsRoot('python3')(
  'the Python client also starts the daemon at another path, and the doctor reports the reason',
  async () => {
    const { run, t4a } = await privateMachine();
    await run(ALICE, 'touch', ['/tmp/t4a.sock.log']);
    expect((await run(BOB, 'python3', ['-c', PYTHON_CLIENT])).stdout).toMatch(` ${OF_BOB}\n`);
    const { stdout } = await t4a(BOB, 'doctor');
    expect(stdout).toMatch(
      new RegExp(`^ok +place +The daemon is on "${OF_BOB}": "/tmp/t4a.sock.log" belongs to another user`, 'm'),
    );
    expect(stdout).toMatch(/^ok +socket +\/tmp\/t4a-12002\/t4a\.sock belongs to uid 12002, mode 600$/m);
  },
  120_000,
);

itAsRoot()(
  'if no default path is usable, every command reports the reason and a hint',
  async () => {
    const { run, t4a } = await privateMachine();
    await run(ALICE, 'sh', ['-c', `touch /tmp/t4a.sock.lock; mkdir /tmp/t4a-${CAROL}`]);
    for (const command of ['list', 'ping', 'shutdown', 'daemon']) {
      const { status, stderr } = await t4a(CAROL, command);
      expect(status, command).not.toBe(0);
      expect(stderr, command).toMatch(/^t4a: There is no place for the socket: "\/tmp\/t4a\.sock\.lock" belongs to/);
      expect(stderr, command).toMatch(
        /\n {2}hint: Name a path in a directory that you may write to, with --socket or: export T4A_SOCKET="\$PWD\/t4a\.sock"\n$/,
      );
    }
    const named = `/tmp/home-${CAROL}`;
    await run(CAROL, 'mkdir', ['-p', named]);
    expect(await t4a(CAROL, '--socket', `${named}/s`, 'list', '--json')).toMatchObject({ status: 0, stderr: '' });
  },
  60_000,
);
