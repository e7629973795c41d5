/** What clients send with every request, and to which daemons. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connect, connectAndCall } from '../../src/client/client.js';
import { envelopeFor } from '../../src/client/envelope.js';
import { attach, launch } from '../../src/client/index.js';
import { CLI, runCli } from '../support/cli.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { olderDaemon, type OlderDaemon } from '../support/older-daemon.js';
import { itNeeds } from '../support/programs.js';

const PYTHON_CLIENT = fileURLToPath(new URL('../../clients/python/', import.meta.url));

async function python(socketPath: string, program: string): Promise<string> {
  const child = spawn('python3', ['-B', '-c', program], {
    env: { ...process.env, PYTHONPATH: PYTHON_CLIENT, T4A_SOCKET: socketPath },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number];
  expect(status, output).toBe(0);
  return output.trim();
}

async function mcp(socketPath: string, name = 'Some Client', args: readonly string[] = []): Promise<McpClient> {
  const client = new McpClient({ name, version: '1' });
  const command = [CLI, '--socket', socketPath, ...args, 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args: command, stderr: 'pipe' }));
  onTestFinished(() => client.close());
  return client;
}

/** Requests beside the handshake. */
const asked = ({ requests }: OlderDaemon) => requests.filter(({ cmd }) => cmd !== 'ping');

describe('a daemon that announces no features is sent no field that it refuses', () => {
  test('by the TypeScript client, in calls, early calls and event streams', async () => {
    const daemon = await olderDaemon();
    const options = { socketPath: daemon.socketPath, scope: 's', as: 'ada' };
    await using client = await connect(options);
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect(await client.call('list', {}, { traceparent })).toEqual({ terminals: [] });
    const events = client.events();
    expect(await events.subscribed).toBe(0);
    events.close();
    const early = await connectAndCall(options, 'list', {});
    expect(await early.result).toEqual({ terminals: [] });
    await early.client.close();
    expect(asked(daemon).map(({ cmd }) => cmd)).toEqual(['list', 'events', 'list']);
    expect(daemon.requests.some((sent) => 'scope' in sent || 'as' in sent || 'traceparent' in sent)).toBe(false);
  });

  test('by the command line', async () => {
    const daemon = await olderDaemon();
    const env = { T4A_SCOPE: 's', T4A_AS: 'ada' };
    for (const args of [
      ['list', '--json'],
      ['--as', 'bob', 'create', 'cat'],
      ['status', '@'],
    ])
      expect(await runCli(args, { socketPath: daemon.socketPath, env })).toMatchObject({ status: 0, stderr: '' });
    expect(asked(daemon).map(({ cmd }) => cmd)).toEqual(['list', 'create', 'status']);
    expect(daemon.requests.some((sent) => 'scope' in sent || 'as' in sent)).toBe(false);
  });

  itNeeds('python3')('by the Python client', async () => {
    const daemon = await olderDaemon();
    const program = `
import asyncio, t4a
with t4a.connect(scope="s", as_="ada") as client:
    client.list()
    client.events().close()
async def later():
    client = await t4a.async_connect(scope="s", as_="ada")
    await client.list()
    (await client.events()).close()
    await client.close()
asyncio.run(later())`;
    await python(daemon.socketPath, program);
    expect(asked(daemon).map(({ cmd }) => cmd)).toEqual(['list', 'events', 'list', 'events']);
    expect(daemon.requests.some((sent) => 'scope' in sent || 'as' in sent)).toBe(false);
  });

  test('by the MCP server', async () => {
    const daemon = await olderDaemon();
    const client = await mcp(daemon.socketPath, 'x', ['--as', 'bob']);
    expect(await client.callTool({ name: 'list', arguments: {} })).not.toMatchObject({ isError: true });
    expect(asked(daemon)).toHaveLength(1);
    expect(daemon.requests.some((sent) => 'scope' in sent || 'as' in sent)).toBe(false);
  });

  test('nor one that announces others, or only one of them', async () => {
    const daemon = await olderDaemon(['host', 'scope', 'later']);
    await using client = await connect({ socketPath: daemon.socketPath, scope: 's', as: 'ada' });
    await client.call('list');
    const [sent] = asked(daemon);
    expect(sent).toMatchObject({ cmd: 'list', scope: 's' });
    expect(sent).not.toHaveProperty('as');
    const both = { scope: 's', as: 'a' };
    for (const announced of [undefined, {}, { features: 'scope' }, { features: null }, { features: [] }])
      expect(envelopeFor(both, announced)).toEqual({});
    expect(envelopeFor(both, { features: ['as', 'scope'] })).toEqual(both);
    expect(envelopeFor({}, { features: ['as', 'scope'] })).toEqual({});
  });
});

describe('a daemon that announces them gets', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon();
  });
  afterAll(() => daemon.stop());

  const at = () => ({ socketPath: daemon.socketPath });
  const latest = async (scope: string) => (await request(daemon, { cmd: 'status', id: '@', scope }))['id'];
  const authors = async (id: string) => {
    const { inputs } = (await request(daemon, { cmd: 'debug', id })) as { inputs: { seen: { as: string | null }[] } };
    return inputs.seen.map(({ as }) => as);
  };
  const made = (name: string) => request(daemon, { cmd: 'create', name, cmd_args: ['cat'] });

  test('the scope of each TypeScript client, its own or a given one, and its author', async () => {
    await using one = await connect(at());
    await using other = await connect({ ...at(), as: 'ada' });
    await one.call('create', { name: 'ts1', cmd_args: ['cat'] });
    await other.call('create', { name: 'ts2', cmd_args: ['cat'] });
    expect(await one.call('status', { id: '@' })).toMatchObject({ id: 'ts1' });
    expect(await other.call('status', { id: '@' })).toMatchObject({ id: 'ts2' });
    await one.call('type', { id: '@', text: 'a' });
    await other.call('type', { id: 'ts1', text: 'b' });
    expect(await authors('ts1')).toEqual([null, 'ada']);
    const events = one.events({ terminal: '@', types: ['resized'] });
    await events.subscribed;
    await other.call('resize', { id: 'ts2', cols: 90, rows: 20 });
    await other.call('resize', { id: 'ts1', cols: 90, rows: 20 });
    for await (const event of events) {
      expect(event).toMatchObject({ event: 'resized', terminal: 'ts1' });
      break;
    }
    await using given = await launch({ ...at(), name: 'ts3', command: 'cat', scope: 'shared', as: 'bob' });
    expect(await latest('shared')).toBe('ts3');
    await given.type('c');
    expect(await authors('ts3')).toEqual(['bob']);
    await made('ts4');
    const held = await attach('ts4', { ...at(), scope: 'shared' });
    expect(await latest('shared')).toBe('ts4');
    await held.close();
  });

  test('a restriction on each connection of a client that renounces what is above, as the MCP server does', async () => {
    await using client = await connect({ ...at(), reach: 'create' });
    await client.call('create', { name: 'restricted', cmd_args: ['cat'] });
    const person = client.call('control', { id: 'restricted', action: 'take', person: true });
    await expect(person).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(client.call('shutdown')).rejects.toMatchObject({ code: 'not_allowed' });
    const restrictionOf = async (start: (daemon: OlderDaemon) => Promise<unknown>) => {
      const announcing = await olderDaemon(['restrict', 'as', 'scope']);
      await start(announcing);
      return announcing.requests.filter(({ cmd }) => cmd === 'restrict');
    };
    const byMcp = restrictionOf(async ({ socketPath }) =>
      (await mcp(socketPath)).callTool({ name: 'list', arguments: {} }),
    );
    expect(await byMcp).toMatchObject([{ reach: 'create', person: false }]);
  });

  test('a refusal of a wrong scope or name as an error of the call', async () => {
    await using client = await connect({ ...at(), scope: 'x'.repeat(65) });
    await expect(client.call('list')).rejects.toMatchObject({ code: 'invalid_field', details: { field: 'scope' } });
    expect(await runCli(['--as', 'a b', 'list'], at())).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('"as" of the request is not valid') as string,
    });
  });

  test('the scope and author that the environment of the command line names, or --as', async () => {
    const env = { T4A_SCOPE: 'cli', T4A_AS: 'ada' };
    expect(await runCli(['create', '--name', 'c1', 'cat'], { ...at(), env })).toMatchObject({ status: 0 });
    await made('c2');
    expect(await latest('cli')).toBe('c1');
    expect(await runCli(['type', '@', 'x'], { ...at(), env })).toMatchObject({ status: 0, stderr: '' });
    expect(await runCli(['--as', 'bob', 'type', 'c1', 'x'], { ...at(), env })).toMatchObject({ status: 0, stderr: '' });
    const without = { T4A_SCOPE: 'cli', T4A_AS: '' };
    expect(await runCli(['type', '@', 'x'], { ...at(), env: without })).toMatchObject({ status: 0, stderr: '' });
    expect(await authors('c1')).toEqual(['ada', 'bob', null]);
    expect(await authors('c2')).toEqual([]);
  });

  test('no "@" to act on before the environment of the command line has named one, unless it is that of a shell', async () => {
    await made('c3');
    const env = { T4A_SCOPE: 'cli-fresh' };
    expect(await runCli(['type', '@', 'x'], { ...at(), env })).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('"@" names none to act on') as string,
    });
    expect(await runCli(['text', '@'], { ...at(), env })).toMatchObject({ status: 0 });
    const shell = { ...at(), env: { T4A_SCOPE: '' } };
    expect(await runCli(['type', '@', 'typed'], shell)).toMatchObject({ status: 0, stderr: '' });
    expect(await runCli(['send', '@'], { ...shell, input: 'piped' })).toMatchObject({ status: 0, stderr: '' });
    expect(await runCli(['wait', 'c3', '--text', 'typedpiped'], { ...at(), env })).toMatchObject({ status: 0 });
    await request(daemon, { cmd: 'kill', id: 'c3' });
  });

  test('one scope for the commands of each shell without T4A_SCOPE', async () => {
    const shell = (name: string) => {
      const t4a = `"${process.execPath}" "${CLI}" --socket "${daemon.socketPath}"`;
      const script = `${t4a} create --name ${name} cat && read line && ${t4a} status --json | cat`;
      const env = { PATH: process.env['PATH'], HOME: daemon.dir };
      // Detached: a session of its own, as a terminal gives its shell.
      const child = spawn('sh', ['-c', script], { detached: true, env, stdio: ['pipe', 'pipe', 'inherit'] });
      let said = '';
      const isMade = new Promise<void>((resolve) => {
        child.stdout.on('data', (chunk: Buffer) => {
          said += chunk.toString();
          if (said.startsWith(`${name}\n`)) resolve();
        });
      });
      return {
        isMade,
        async status() {
          child.stdin.end('go\n');
          await once(child, 'close');
          return JSON.parse(said.split('\n')[1] ?? '') as unknown;
        },
      };
    };
    const one = shell('s1');
    await one.isMade;
    const other = shell('s2');
    await other.isMade;
    expect(await one.status()).toMatchObject({ id: 's1' });
    expect(await other.status()).toMatchObject({ id: 's2' });
  });

  itNeeds('python3')('the scope of each Python client and its author', async () => {
    await made('py0');
    const program = `
import asyncio, t4a
with t4a.connect() as one, t4a.connect(scope="python", as_="ada") as other:
    one.create(["cat"], name="py1")
    other.create(["cat"], name="py2")
    print(one.call("status", id="@")["id"], other.call("status", id="@")["id"])
    one.call("type", id="@", text="a")
    other.call("type", id="py1", text="b")
    with one.events("@", types=["resized"]) as events:
        other.call("resize", id="py2", cols=90, rows=20)
        other.call("resize", id="py1", cols=90, rows=20)
        print(next(iter(events))["terminal"])
    with t4a.connect() as third:
        third.create(["cat"], name="py4")
    print(one.restrict("read")["reach"])
    try:
        one.call("type", id="@", text="c")
    except t4a.T4aError as error:
        print(error.code)
async def later():
    client = await t4a.async_connect(scope="python", as_="bob")
    print((await client.call("status", id="@"))["id"])
    await client.call("type", id="py1", text="d")
    await client.close()
asyncio.run(later())
with t4a.launch("cat", scope="launched", as_="eve", name="py3") as terminal:
    terminal.type("x")
    print([sent["as"] for sent in terminal.debug()["inputs"]["seen"]])`;
    expect((await python(daemon.socketPath, program)).split('\n')).toEqual([
      'py1 py2',
      'py1',
      'read',
      'not_allowed',
      'py1',
      "['eve']",
    ]);
    expect(await authors('py1')).toEqual([null, 'ada', 'bob']);
  });

  test('a scope and an author of each MCP server', async () => {
    const one = await mcp(daemon.socketPath);
    const other = await mcp(daemon.socketPath, '名 前');
    const named = await mcp(daemon.socketPath, 'x', ['--as', 'bob']);
    const call = (client: McpClient, name: string, fields: object) =>
      client.callTool({ name, arguments: { ...fields } });
    await call(one, 'create', { name: 'm1', cmd_args: ['cat'] });
    await call(other, 'create', { name: 'm2', cmd_args: ['cat'] });
    await call(one, 'type', { id: '@', text: 'a' });
    await call(other, 'type', { id: '@', text: 'b' });
    await call(named, 'type', { id: 'm1', text: 'c' });
    expect(await authors('m1')).toEqual([expect.stringMatching(/^Some-Client-[a-z0-9]{1,4}$/), 'bob']);
    expect(await authors('m2')).toEqual([expect.stringMatching(/^mcp-[a-z0-9]{1,4}$/)]);
  });
});
