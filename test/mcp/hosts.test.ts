/** The tools of models where there is a list of hosts, and where there is none. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { CLI } from '../support/cli.js';
import { testFleet, type TestFleet } from '../support/fleet.js';

interface Session {
  readonly client: Client;
  readonly text: (name: string, input?: Record<string, unknown>) => Promise<string>;
}

async function session({ env, dir }: TestFleet): Promise<Session> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp'],
    env: { ...env, KEY_OF_HOME: 'secret-of-home' },
    cwd: dir.path,
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    async text(name, input = {}) {
      const { content } = (await client.callTool({ name, arguments: input })) as CallToolResult;
      return content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
    },
  };
}

test('create, run and list take a host, and its terminals are addresses', async () => {
  const fleet = testFleet();
  await fleet.output('hosts', 'add', 'web1', `unix:${await fleet.daemon('far')}`);
  const { client, text } = await session(fleet);
  const { tools } = await client.listTools();
  const withHost = tools.filter(({ inputSchema }) => Object.hasOwn(inputSchema.properties ?? {}, 'host'));
  expect(withHost.map(({ name }) => name).toSorted()).toEqual(['create', 'list', 'run']);

  expect(await text('create', { host: 'web1', name: 'a', cmd_args: ['cat'] })).toMatch(
    /^Terminal web1\/a\.\nScreen web1\/a@\d+:\n/,
  );
  expect(await text('create', { name: 'b', cmd_args: ['cat'] })).toMatch(/^Screen b@\d+:\n/);
  expect(await text('type', { id: 'web1/a', text: 'far away', submit: true })).toContain('far away');
  expect(await text('text', { id: '@' })).toBe('far away\nfar away');
  expect(await text('screenshot', { id: 'web1/a' })).toMatch(/^\(image\)/);
  expect(await text('text', { id: 'b' })).toBe('(blank)');
  expect(await text('text', { id: '@' })).toBe('(blank)');
  expect(await text('list')).toMatch(/^b: cat/);
  expect(await text('list', { host: 'web1' })).toMatch(/^web1\/a: cat/);
  expect(await text('kill', { id: ['web1/a', 'b'] })).toContain('One call asks one host, not "web1" and "local".');
  expect(await text('text', { id: 'web1/aa' })).toMatch(
    /\nClosest: web1\/a\nHint: the tool list with {"host":"web1"}$/,
  );
  await fleet.output('control', 'web1/a', 'take', '--as', 'ada', '--person');
  expect(await text('type', { id: 'web1/a', text: 'x' })).toContain(
    'Hint: the tool wait with {"id":"web1/a","until":{"control":"free"}}',
  );
  await fleet.output('control', 'web1/a', 'release', '--as', 'ada');
  expect(await text('kill', { id: 'web1/a' })).toMatch(/^Ended web1\/a: /);

  expect(await text('run', { host: 'web1', command: 'env' })).not.toContain('secret-of-home');
  expect(await text('run', { command: 'env' })).toContain('secret-of-home');
  expect(await text('run', { host: 'wbe1', command: 'true' })).toContain('There is no host "wbe1". (host_unknown)');
  expect(await text('run', { host: 1, command: 'true' })).toContain('invalid_field');
});

test('without a list of hosts no tool has a host', async () => {
  const { client, text } = await session(testFleet());
  const { tools } = await client.listTools();
  expect(tools.filter(({ inputSchema }) => Object.hasOwn(inputSchema.properties ?? {}, 'host'))).toEqual([]);
  expect(await text('create', { host: 'web1', cmd_args: ['cat'] })).toContain('"create" has no field "host"');
});
