/** Clients and daemons of different versions: a clear error, and no terminal ends without a request for it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/client.js';
import { CLI } from '../support/cli.js';
import { ROOT } from '../support/consumer.js';
import { builtDaemonEntry } from '../support/daemon.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { installation } from '../support/installation.js';
import { ofFile } from '../support/of-file.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

const { version: VERSION } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** It speaks a later version of the protocol. */
const newer = ofFile(async (atEnd) => {
  const replacements = {
    'PROTOCOL_VERSION = 1;': 'PROTOCOL_VERSION = 2;',
    // The daemon's program has no blanks.
    'PROTOCOL_VERSION=1': 'PROTOCOL_VERSION=2',
    [`"${VERSION}"`]: '"9.0.0"',
  };
  return installation(replacements, atEnd).cli;
});

interface Place {
  readonly socketPath: string;
  readonly path: string;
  readonly t4a: (cli: string, ...args: string[]) => Promise<{ status: number; stdout: string; stderr: string }>;
}

function place(): Place {
  const { socketPath, path: cwd } = tempDir();
  const own: Place = {
    socketPath,
    path: cwd,
    t4a: async (cli, ...args) => {
      const { PATH, HOME } = process.env;
      const env = { PATH, HOME, XDG_CONFIG_HOME: '/nonexistent', T4A_SOCKET: socketPath };
      const child = spawn(process.execPath, [cli, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      onTestFinished(() => void (child.exitCode === null && child.kill('SIGKILL')));
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const [status] = (await once(child, 'close')) as [number];
      return { status, stdout, stderr };
    },
  };
  onTestFinished(() => endDaemonAt(socketPath));
  return own;
}

test('a newer command line keeps an older daemon with terminals, reports it, and can end it', async () => {
  const { t4a } = place();
  const later = await newer();
  expect(await t4a(CLI, 'create', '--name', 'kept', 'cat')).toMatchObject({ status: 0 });
  const { status, stderr } = await t4a(later, 'list');
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^t4a: The running daemon \(t4a \S+, pid \d+\) speaks version 1 of the protocol, this client version 2\.\n  hint: "t4a replace" puts this one in its place, and its terminals \(1\) go on; commands work then\.$/m,
  );
  expect((await t4a(CLI, 'list')).stdout).toMatch(/^kept +(?:waiting|unknown) /m);
  expect(await t4a(later, 'shutdown')).toMatchObject({ status: 0, stderr: '' });
  expect(JSON.parse((await t4a(later, 'list', '--json')).stdout)).toMatchObject({ terminals: [] });
  expect(JSON.parse((await t4a(later, 'ping', '--json')).stdout)).toMatchObject({ version: '9.0.0', protocol: 2 });
});

test('an older daemon without terminals is replaced by a newer one', async () => {
  const { t4a } = place();
  expect(await t4a(CLI, 'list')).toMatchObject({ status: 0 });
  expect(await t4a(await newer(), 'create', 'cat')).toMatchObject({ status: 0, stdout: 't1\n', stderr: '' });
});

test('an older command line keeps a newer daemon, and reports it with a hint', async () => {
  const { t4a } = place();
  const later = await newer();
  expect(await t4a(later, 'list', '--json')).toMatchObject({ status: 0 });
  const { status, stderr } = await t4a(CLI, 'list');
  expect(status).toBe(1);
  expect(stderr).toMatch(/\(t4a 9\.0\.0, pid \d+\) speaks version 2 of the protocol, this client version 1\./);
  expect(stderr).toContain('hint: Use the newer t4a that started it, or set another T4A_SOCKET.');
  expect(await t4a(later, 'ping', '--json')).toMatchObject({ status: 0 });
});

itNeeds('python3')('older libraries refuse a newer daemon with version_mismatch', async () => {
  const { t4a, socketPath } = place();
  expect(await t4a(await newer(), 'list')).toMatchObject({ status: 0 });
  const mismatch = /speaks version 2 of the protocol, this client version 1/;
  await expect(connect({ socketPath, daemonEntry: builtDaemonEntry })).rejects.toMatchObject({
    code: 'version_mismatch',
    message: expect.stringMatching(mismatch) as string,
  });
  const program = `import sys; sys.path.insert(0, ${JSON.stringify(path.join(ROOT, 'clients/python'))}); import t4a\ntry: t4a.connect(${JSON.stringify(socketPath)})\nexcept t4a.T4aError as error: print(error.code, error)`;
  const python = spawn('python3', ['-B', '-c', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  python.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(python, 'close');
  expect(said).toMatch(/^version_mismatch The running daemon \(t4a 9\.0\.0/);
  expect(said).toMatch(mismatch);
});

test('an older MCP server refuses a newer daemon, and works once that daemon has ended', async () => {
  const { t4a, socketPath } = place();
  const later = await newer();
  expect(await t4a(later, 'create', 'cat')).toMatchObject({ status: 0 });
  const client = new McpClient({ name: 'test', version: '1' });
  const args = [CLI, '--socket', socketPath, 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' }));
  onTestFinished(() => client.close());
  const list = async (): Promise<unknown> => client.callTool({ name: 'list', arguments: {} });
  const said = expect.stringMatching(/speaks version 2 of the protocol, this client version 1/) as string;
  expect(await list()).toMatchObject({ isError: true, content: [{ type: 'text', text: said }] });
  expect(await t4a(later, 'shutdown')).toMatchObject({ status: 0 });
  expect((await list()) as { isError?: boolean }).not.toMatchObject({ isError: true });
});

test('a daemon whose program files were removed continues in its own version', async () => {
  const { t4a, path: dir } = place();
  const former = installation({ [`"${VERSION}"`]: '"0.0.9"' });
  expect(await t4a(former.cli, 'list')).toMatchObject({ status: 0 });
  rmSync(path.dirname(former.cli), { recursive: true });
  expect(await t4a(CLI, 'run', '--', 'echo', 'hi')).toMatchObject({ status: 0, stdout: 'hi\n' });
  expect(
    await t4a(CLI, 'create', '--name', 'a', '--wait', 'text=ready', '--', 'sh', '-c', 'echo ready; cat'),
  ).toMatchObject({ status: 0 });
  expect(await t4a(CLI, 'screenshot', 'a', '-o', path.join(dir, 'a.png'))).toMatchObject({ status: 0 });
  expect(existsSync(path.join(dir, 'a.png'))).toBe(true);
  expect(JSON.parse((await t4a(CLI, 'ping', '--json')).stdout)).toMatchObject({ version: '0.0.9' });
});

test('a daemon that lacks a newer command is reported with both versions', async () => {
  const { t4a } = place();
  const older = installation({
    [`"${VERSION}"`]: '"0.0.9"',
    'Object.hasOwn(COMMANDS,cmd)': '(Object.hasOwn(COMMANDS,cmd)&&cmd!=="find")',
  });
  expect(await t4a(older.cli, 'create', '--name', 'a', 'cat')).toMatchObject({ status: 0 });
  expect(await t4a(CLI, 'text', 'a')).toMatchObject({ status: 0 });
  const { status, stderr } = await t4a(CLI, 'find', 'a', 'x');
  expect(status).toBe(2);
  expect(stderr).toContain('Unknown command "find".');
  expect(stderr).toContain(
    `The daemon is t4a 0.0.9, this is ${VERSION}: "t4a replace" puts this one in its place, and its terminals (1) go on.`,
  );
});
