/**
 * The daemon is killed in the middle of a call: in each client the call fails within a second of the kill, and the next
 * call starts another daemon. (The tests of the Python client check the same.)
 */
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/client.js';
import { CLI, runCli } from '../support/cli.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { tempDir } from '../support/temp-dir.js';
import { EventStream } from '../support/wait-for.js';

const SOON_MS = 1000;

interface Case {
  /** Runs a command to its end. @returns the code of its failure, else undefined */
  readonly run: (command: string) => Promise<string | undefined>;
  readonly close?: () => Promise<unknown>;
}

const CLIENTS: Readonly<Record<string, (socketPath: string) => Promise<Case>>> = {
  async TypeScript(socketPath) {
    const client = await connect({ socketPath, daemonEntry: builtDaemonEntry });
    return {
      run: (command) =>
        client.call('run', { command }).then(
          () => undefined,
          (error: { code: string }) => error.code,
        ),
      close: () => client.close(),
    };
  },

  async 'command line'(socketPath) {
    return {
      async run(command) {
        const { status, stderr } = await runCli(['run', '--json', '--command', command], { socketPath });
        return status === 0 ? undefined : (JSON.parse(stderr) as { code: string }).code;
      },
    };
  },

  async MCP(socketPath) {
    const client = new McpClient({ name: 'test', version: '1' });
    const args = [CLI, '--socket', socketPath, 'mcp'];
    const env = { PATH: process.env['PATH'] ?? '' };
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }));
    return {
      async run(command) {
        const result = await client.callTool({ name: 'run', arguments: { command } });
        const [{ text = '' } = {}] = result.content as { text?: string }[];
        return result.isError === true ? /\((\w+)\)/.exec(text)?.[1] : undefined;
      },
      close: () => client.close(),
    };
  },
};

test.each(Object.entries(CLIENTS))(
  'the %s client fails within a second, and its next call starts another daemon',
  async (_name, open) => {
    const { socketPath } = tempDir();
    const { run, close } = await open(socketPath);
    onTestFinished(async () => {
      await close?.();
      await endDaemonAt(socketPath);
    });
    expect(await run('true')).toBeUndefined();
    const before = await daemonPid(socketPath);
    const events = await EventStream.open(socketPath, { types: ['created'] });
    const order: string[] = [];
    const underWay = run('sleep 60').then((code) => order.push(`failed with ${code}`));
    await events.until('created');
    process.kill(before, 'SIGKILL');
    const second = setTimeout(() => order.push('a second has passed'), SOON_MS);
    await underWay;
    clearTimeout(second);
    events.close();
    expect(order).toEqual(['failed with connection_lost']);
    expect(await run('true')).toBeUndefined();
    expect(await daemonPid(socketPath)).not.toBe(before);
  },
);

async function daemonPid(socketPath: string): Promise<number> {
  return (JSON.parse((await runCli(['ping', '--json'], { socketPath })).stdout) as { pid: number }).pid;
}

test.each([
  ['a result', 'list', {}, 'No terminals.'],
  ['an error', 'text', { id: 'web' }, 'terminal_not_found'],
])('over MCP the first call at another daemon says so, before %s', async (_what, name, input, says) => {
  const { socketPath } = tempDir();
  const client = new McpClient({ name: 'test', version: '1' });
  const args = [CLI, '--socket', socketPath, 'mcp'];
  const env = { PATH: process.env['PATH'] ?? '' };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }));
  onTestFinished(async () => {
    await client.close();
    await endDaemonAt(socketPath);
  });
  const call = async (tool: string, given: Record<string, unknown>) => {
    const { content } = await client.callTool({ name: tool, arguments: given });
    return (content as { text?: string }[]).map(({ text = '' }) => text);
  };
  expect(await call('create', { name: 'web', command: 'cat' })).not.toContainEqual(expect.stringContaining('replaced'));
  process.kill(await daemonPid(socketPath), 'SIGKILL');
  let texts = await call(name, input);
  // A call that was on its way when the daemon ended fails, and is not repeated.
  if (texts[0]?.includes('connection_lost') === true) texts = await call(name, input);
  expect(texts[0]).toContain('The daemon was replaced');
  expect(texts.slice(1).join('\n')).toContain(says);
  expect(await call('list', {})).toEqual(['No terminals.']);
});
