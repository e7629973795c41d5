/** Terminals that end with whoever made them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLI, runCli } from '../support/cli.js';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { RawConnection } from '../support/raw.js';
import { EventStream } from '../support/wait-for.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

async function ids(): Promise<string[]> {
  const { terminals } = await request(daemon, { cmd: 'list' });
  return (terminals as { id: string }[]).map(({ id }) => id);
}

it('a terminal tied to its connection is removed with it, and others stay', async () => {
  const events = await EventStream.open(daemon.socketPath, { types: ['removed'] });
  const maker = new RawConnection(daemon.socketPath);
  await maker.request({ cmd: 'create', name: 'tied', cmd_args: ['cat'], tied: true });
  await maker.request({
    cmd: 'create',
    name: 'tied-ended',
    cmd_args: ['true'],
    tied: true,
    wait: { until: { exit: true } },
  });
  await maker.request({ cmd: 'create', name: 'free', cmd_args: ['cat'] });
  expect(await ids()).toEqual(expect.arrayContaining(['tied', 'tied-ended', 'free']));
  maker.close();
  const first = await events.next();
  const removed = [first, await events.next()].map(({ terminal }) => String(terminal));
  expect(new Set(removed)).toEqual(new Set(['tied', 'tied-ended']));
  expect(await ids()).toEqual(['free']);
  await request(daemon, { cmd: 'kill', id: 'free' });
  events.close();
});

it('a terminal that was ended before its connection closes is no error', async () => {
  const maker = new RawConnection(daemon.socketPath);
  await maker.request({ cmd: 'create', name: 'short', cmd_args: ['cat'], tied: true });
  await request(daemon, { cmd: 'kill', id: 'short' });
  await request(daemon, { cmd: 'create', name: 'short', cmd_args: ['cat'] });
  const events = await EventStream.open(daemon.socketPath, { types: ['removed', 'published'] });
  maker.close();
  await request(daemon, { cmd: 'publish', name: 'fence' });
  expect(await events.next()).toMatchObject({ event: 'published' });
  expect(await ids()).toEqual(['short']);
  await request(daemon, { cmd: 'kill', id: 'short' });
  events.close();
});

it('a terminal that --tied makes ends with the process that ran t4a', async () => {
  const events = await EventStream.open(daemon.socketPath, { types: ['created', 'removed'] });
  const line = `"$0" "$1" --socket "$2" create --name script --tied -- cat && echo made && read -r _`;
  const script = spawn('sh', ['-c', line, process.execPath, CLI, daemon.socketPath], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  expect(await events.next()).toMatchObject({ event: 'created', terminal: 'script' });
  expect(await ids()).toEqual(['script']);
  const closed = once(script, 'close');
  script.stdin.end('\n');
  await closed;
  expect(await events.next()).toMatchObject({ event: 'removed', terminal: 'script' });
  events.close();
});

it('a terminal that an MCP server with --tied creates ends with the server', async () => {
  const events = await EventStream.open(daemon.socketPath, { types: ['removed'] });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, '--socket', daemon.socketPath, 'mcp', '--tied'],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  await client.callTool({ name: 'create', arguments: { name: 'agent', cmd_args: ['cat'] } });
  expect(await ids()).toEqual(['agent']);
  await client.close();
  expect(await events.next()).toMatchObject({ terminal: 'agent' });
  events.close();
});

it('mcp --config passes --tied on', async () => {
  const { stdout } = await runCli(['mcp', '--config', 'cursor', '--tied']);
  expect(stdout).toContain('"--tied"');
});

it.each([
  [{ pid: 2 ** 30 }, 'tied'],
  [{ pid: process.pid, started: '1' }, 'tied'],
  [{ pid: 0 }, 'tied.pid'],
  [{ started: '1' }, 'tied'],
  ['yes', 'tied'],
])('%j is refused, and no terminal is made', async (tied, field) => {
  const reply = await request(daemon, { cmd: 'create', tied });
  expect(reply).toMatchObject({ ok: false, code: 'invalid_field', field: expect.stringContaining(field) });
  expect(await ids()).toEqual([]);
});
