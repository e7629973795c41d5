/** A stopped daemon (SIGSTOP): clients report it, and send it no requests that it would carry out later unnoticed. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, type Client } from '../../src/client/client.js';
import { CLI, runCli } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { stopProcess } from '../support/processes.js';
import { RawConnection } from '../support/raw.js';
import { TestTerminal } from '../support/screen-fence.js';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

async function ownDaemon(): Promise<{ daemon: TestDaemon; pid: number; goOn: () => void }> {
  const daemon = await startDaemon();
  const pid = daemon.process.pid ?? -1;
  const goOn = (): void => void process.kill(pid, 'SIGCONT');
  onTestFinished(async () => {
    goOn();
    await daemon.stop();
  });
  return { daemon, pid, goOn };
}

async function clientOf({ socketPath }: TestDaemon): Promise<Client> {
  const client = await connect({ socketPath, autoStart: false });
  onTestFinished(() => client.close());
  return client;
}

describe.runIf(process.platform === 'linux')('a stopped daemon', () => {
  test('is reported by commands with a way to continue it, and gets no request', async () => {
    const { daemon, pid, goOn } = await ownDaemon();
    const terminal = await TestTerminal.start(daemon, ['cat']);
    await stopProcess(pid);
    const commands = [
      ['list'],
      ['type', terminal.id, 'hello'],
      ['run', '--', 'true'],
      ['ping'],
      ['events'],
      ['shutdown'],
    ];
    for (const command of commands) {
      const { status, stderr } = await runCli(command, { socketPath: daemon.socketPath });
      expect([status, stderr], command[0]).toEqual([
        command[0] === 'run' ? 125 : 1,
        `t4a: The daemon (pid ${pid}) is stopped by SIGSTOP and answers no requests.\n  hint: kill -CONT ${pid}\n`,
      ]);
    }
    goOn();
    expect((await runCli(['ping'], { socketPath: daemon.socketPath })).status).toBe(0);
    // Had it been asked, it would have typed, in the order in which connections came.
    expect((await terminal.lines()).join('')).toBe('');
    await terminal.end();
  });

  test('fails a call on an open connection, and carries it out once it continues', async () => {
    const { daemon, pid, goOn } = await ownDaemon();
    const client = await clientOf(daemon);
    await stopProcess(pid);
    await expect(client.call('create', { name: 'late', cmd_args: ['cat'] })).rejects.toMatchObject({
      code: 'daemon_stopped',
      message: `The daemon (pid ${pid}) is stopped by SIGSTOP and answers no requests. "create" reaches it once it is continued.`,
      details: { hint: `kill -CONT ${pid}` },
    });
    goOn();
    expect((await client.call('list')).terminals.map((terminal) => terminal.id)).toEqual(['late']);
  });

  test('is reported to models by a running MCP server', async () => {
    const { daemon, pid, goOn } = await ownDaemon();
    const client = new McpClient({ name: 'test', version: '1' });
    const args = [CLI, '--socket', daemon.socketPath, 'mcp'];
    const env = { PATH: process.env['PATH'] ?? '' };
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' }));
    onTestFinished(() => client.close());
    const list = async () => JSON.stringify((await client.callTool({ name: 'list', arguments: {} })).content);
    expect(await list()).toContain('No terminals.');
    await stopProcess(pid);
    expect(await list()).toContain(`The daemon (pid ${pid}) is stopped`);
    goOn();
    expect(await list()).toContain('No terminals.');
  });

  test('answers a wait of an open connection once it continues', async () => {
    const { daemon, pid, goOn } = await ownDaemon();
    const terminal = await TestTerminal.start(daemon, ['cat']);
    const connection = new RawConnection(daemon.socketPath);
    connection.write(`${JSON.stringify({ cmd: 'wait', id: terminal.id, until: { text: 'ready' } })}\n`);
    await stopProcess(pid);
    goOn();
    await terminal.do('type', { text: 'ready' });
    expect((await connection.reply()).header).toMatchObject({ ok: true, outcome: 'matched' });
    connection.close();
    await terminal.end();
  });
});
