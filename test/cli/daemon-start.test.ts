/** Start and end of the daemon: by the first command, in the foreground, and by `shutdown`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CLI, runCli, streamCli } from '../support/cli.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { itMounts, mountTmpfs } from '../support/mounts.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';

/** A socket on which nothing listens, nor will after the test. */
function unusedSocket(): TempDir {
  const dir = tempDir();
  onTestFinished(() => endDaemonAt(dir.socketPath));
  return dir;
}

describe('without a running daemon', () => {
  test('a command starts one, and shutdown ends it and removes its socket', async () => {
    const { socketPath } = unusedSocket();
    const list = await runCli(['list', '--json'], { socketPath });
    expect(list).toMatchObject({ status: 0, stdout: '{"ok":true,"terminals":[]}\n', stderr: '' });
    expect(existsSync(socketPath)).toBe(true);
    expect(await runCli(['shutdown'], { socketPath })).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(existsSync(socketPath)).toBe(false);
  });

  test('$T4A_SOCKET sets the path of the socket, and --socket overrides it', async () => {
    const { socketPath } = unusedSocket();
    const env = { T4A_SOCKET: socketPath };
    expect((await runCli(['list'], { env })).status).toBe(0);
    expect((await runCli(['ping'], { env })).status).toBe(0);
    expect((await runCli(['ping'], { env, socketPath: tempDir().socketPath })).status).toBe(1);
  });

  test('ping fails and starts none', async () => {
    const { socketPath } = unusedSocket();
    const { status, stdout, stderr } = await runCli(['ping'], { socketPath });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(socketPath);
    expect(existsSync(socketPath)).toBe(false);
  });

  test('shutdown succeeds and starts none', async () => {
    const { socketPath } = unusedSocket();
    const { status, stderr } = await runCli(['shutdown'], { socketPath });
    expect({ status, stderr }).toEqual({ status: 0, stderr: `No daemon listens on ${JSON.stringify(socketPath)}.\n` });
    expect(existsSync(socketPath)).toBe(false);
  });

  test('shutdown prints its reply as one line of JSON if asked to, with a daemon and without one', async () => {
    const { socketPath } = unusedSocket();
    expect((await runCli(['list'], { socketPath })).status).toBe(0);
    for (const stderr of ['', expect.stringContaining('No daemon listens') as string])
      expect(await runCli(['shutdown', '--json'], { socketPath })).toMatchObject({
        status: 0,
        stdout: '{"ok":true}\n',
        stderr,
      });
  });

  test('events starts one', async () => {
    const { socketPath } = unusedSocket();
    const events = streamCli(['events', '--ack'], { socketPath });
    expect(JSON.parse(await events.line())).toMatchObject({ ok: true });
    expect((await runCli(['shutdown'], { socketPath })).status).toBe(0);
    expect(await events.ended()).toEqual({ status: 1, stderr: expect.stringContaining('it has ended') });
  });
});

describe('if the log cannot be written', () => {
  async function failedStart(socketPath: string, prefix: readonly string[] = []): Promise<string> {
    const [file, ...args] = [...prefix, process.execPath, CLI, '--socket', socketPath, 'list'];
    const cli = spawn(file ?? '', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    cli.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    expect(await once(cli, 'close')).toEqual([1, null]);
    expect(existsSync(`${socketPath}.start`)).toBe(false);
    return said;
  }

  test('because of a limit on file sizes, a command still reports why the start failed', async () => {
    const { socketPath } = tempDir();
    const said = await failedStart(socketPath, ['sh', '-c', 'ulimit -f 0; exec "$@"', 'sh']);
    expect(said).toMatch(/: t4a daemon: The socket path .* the limit on the size of files \(ulimit -f\)/);
    expect(said).toMatch(/hint: The log ".*\.log" cannot be written: .*T4A_SOCKET/);
  });

  itMounts('because the disk is full, a command still reports why the start failed', async () => {
    const dir = tempDir();
    mountTmpfs(dir.join('full'), 'size=4k,nr_inodes=16');
    writeFileSync(dir.join('full/everything'), Buffer.alloc(4096));
    const said = await failedStart(dir.join('full/s'));
    expect(said).toMatch(/: t4a daemon: The socket path .* its file system is full/);
    expect(said).toMatch(/hint: .*free some space/);
  });
});

describe('t4a daemon', () => {
  test('serves in the foreground until SIGTERM', async () => {
    const { socketPath } = unusedSocket();
    const daemon = streamCli(['daemon'], { socketPath });
    await listening(daemon);
    const ping = JSON.parse((await runCli(['ping', '--json'], { socketPath })).stdout) as { pid: number };
    expect(ping.pid).toBe(daemon.process.pid);
    daemon.process.kill('SIGTERM');
    expect((await daemon.ended()).status).toBe(0);
    expect(existsSync(socketPath)).toBe(false);
  });

  test('ends by itself after its timeout', async () => {
    const { socketPath } = unusedSocket();
    const daemon = streamCli(['daemon', '200'], { socketPath });
    expect((await daemon.ended()).status).toBe(0);
  });

  test('refuses a timeout that is no number, and makes no socket', async () => {
    const { socketPath } = unusedSocket();
    const { status, stderr } = await runCli(['daemon', 'soon'], { socketPath });
    expect(status).toBe(2);
    expect(stderr).toContain('"soon"');
    expect(existsSync(socketPath)).toBe(false);
  });
});

/** Resolves when the daemon has said on standard error that it listens. */
function listening(daemon: ReturnType<typeof streamCli>): Promise<void> {
  return new Promise((resolve) => {
    let said = '';
    daemon.process.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('listens on')) resolve();
    });
  });
}
