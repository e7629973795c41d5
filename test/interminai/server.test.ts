/** The socket of `t4a interminai`: its clients, its end, its place. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { useCommandLine } from '../support/cli-daemon.js';
import { runCli } from '../support/cli.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { interminai } from '../support/interminai.js';
import { itNeeds } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';

const cli = useCommandLine();

const serve = (...args: string[]) => interminai(cli.daemon.socketPath, ...args);

const RUNNING = '{"status":"ok","data":{"running":true}}\n';
const STOPPED = '{"status":"ok","data":{"message":"Shutting down"}}\n';

const idsOf = async (): Promise<unknown[]> => {
  const { terminals } = await cli.reply(['list', '--json']);
  return (terminals as { id: string }[]).map(({ id }) => id);
};

describe('clients', () => {
  test('that come at once are all answered', async () => {
    const { ask } = await serve('--', 'cat');
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask({ type: 'STATUS' })));
    expect(replies).toEqual(Array.from({ length: 20 }, () => RUNNING));
  });

  test('may send a request in pieces, while others are answered', async () => {
    const { ask, socketPath } = await serve('--', 'cat');
    const slow = createConnection({ path: socketPath });
    const reply = text(slow);
    slow.write('{"type":"STA');
    expect(await ask({ type: 'STATUS' })).toBe(RUNNING);
    slow.write('TUS"}\n');
    expect(await reply).toBe(RUNNING);
  });

  test('get one reply to a connection, to its first line', async () => {
    const { ask } = await serve('--', 'cat');
    expect(await ask('{"type":"STATUS"}\n{"type":"STOP"}\n')).toBe(RUNNING);
    expect(await ask({ type: 'STATUS' })).toBe(RUNNING);
  });

  test('may close their writing side, with or without a line break, also in a WAIT', async () => {
    const { socketPath } = await serve('--', 'sleep', '1.5');
    const halfClosed = (request: string): Promise<string> => {
      const socket = createConnection({ path: socketPath, allowHalfOpen: true });
      socket.end(request);
      return text(socket);
    };
    expect(await halfClosed('{"type":"STATUS"}')).toBe(RUNNING);
    expect(await halfClosed('{"type":"WAIT"}\n')).toBe('{"status":"ok","data":{"exit_code":0}}\n');
  });

  test('that go in a WAIT hold up no other client any more', async () => {
    const { ask, socketPath } = await serve('--', 'cat');
    const waiting = createConnection({ path: socketPath });
    await once(waiting, 'connect');
    waiting.write('{"type":"WAIT"}\n');
    const later = ask({ type: 'STATUS' });
    waiting.destroy();
    expect(await later).toBe(RUNNING);
  });

  test('that go before they have read their reply do no harm', async () => {
    const { ask, socketPath } = await serve('--', 'cat');
    const gone = createConnection({ path: socketPath });
    await once(gone, 'connect');
    gone.write('{"type":"OUTPUT"}\n', () => gone.destroy());
    await once(gone, 'close');
    expect(await ask({ type: 'STATUS' })).toBe(RUNNING);
  });

  itNeeds('socat')('may be socat', async () => {
    const { socketPath } = await serve('--', 'cat');
    const input = '{"type":"INPUT","data":"ihello\\u001b:wq\\n"}\n';
    const { stdout } = spawnSync('socat', ['-t', '10', '-', `UNIX:${socketPath}`], { input, encoding: 'utf8' });
    expect(stdout).toBe('{"status":"ok"}\n');
  });

  itNeeds('python3')('may be Python', async () => {
    const { socketPath } = await serve('--', 'cat');
    const program = `
import json, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(json.dumps({"type": "STATUS"}).encode() + b"\\n")
print(s.makefile().readline(), end="")`;
    expect(spawnSync('python3', ['-c', program, socketPath], { encoding: 'utf8' }).stdout).toBe(RUNNING);
  });
});

describe('the terminal', () => {
  test('is one that exists already; its earlier output is no activity, and a signal leaves it', async () => {
    const id = await cli.create('--', 'sh', '-c', 'echo before; exec cat');
    await cli.output(['wait', id, '--text', 'before']);
    const { ask, server } = await serve('--terminal', id);
    expect(await ask({ type: 'STATUS', activity: true })).toBe(
      '{"status":"ok","data":{"running":true,"activity":false}}\n',
    );
    server.process.kill('SIGTERM');
    expect(await server.ended()).toMatchObject({ status: 0 });
    expect(await idsOf()).toContain(id);
  });

  test('that was removed by another client is an error, and STOP still works', async () => {
    const id = await cli.create('--', 'cat');
    const { ask, server } = await serve('--terminal', id);
    await cli.output(['kill', id]);
    const gone = `{"status":"error","error":${JSON.stringify(`No terminal "${id}".`)}}\n`;
    for (const type of ['STATUS', 'OUTPUT', 'DEBUG', 'WAIT']) expect(await ask({ type })).toBe(gone);
    expect(await ask({ type: 'STOP' })).toBe(STOPPED);
    expect(await server.ended()).toMatchObject({ status: 0 });
  });

  test.each([
    [['--terminal', 'none'], 4, 'No terminal "none".'],
    [['--terminal', 'none', '--', 'cat'], 2, 'takes no program and no size'],
    [['--', 'no-such-program'], 2, 'no-such-program'],
    [['--debug-buffer', '257', '--', 'cat'], 2, '"--debug-buffer" is 257: expected 0 to 256.'],
  ])('%j is refused', async (args, status, words) => {
    const { path } = tempDir();
    const result = await runCli(['interminai', ...args], {
      env: { T4A_SOCKET: cli.daemon.socketPath, TMPDIR: path },
    });
    expect(result).toMatchObject({ status, stdout: '' });
    expect(result.stderr).toContain(words);
    expect(readdirSync(path)).toEqual([]);
  });
});

describe('the end', () => {
  test('with STOP: the reply, then neither terminal, process nor socket', async () => {
    const before = await idsOf();
    const { ask, server, socketPath, isGenerated } = await serve('--', 'cat');
    expect(isGenerated).toBe('Auto-generated: true');
    expect(lstatSync(socketPath).mode & 0o777).toBe(0o600);
    expect(lstatSync(dirname(socketPath)).mode & 0o777).toBe(0o700);
    expect(await ask({ type: 'STOP' })).toBe(STOPPED);
    expect(await server.ended()).toEqual({ status: 0, stderr: '' });
    expect(existsSync(dirname(socketPath))).toBe(false);
    expect(await idsOf()).toEqual(before);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s leaves neither the terminal nor a socket, also in a WAIT',
    async (signal) => {
      const before = await idsOf();
      const { path } = tempDir();
      const { ask, server, socketPath, isGenerated } = await serve('--socket', join(path, 'i'), '--', 'cat');
      expect(isGenerated).toBe('Auto-generated: false');
      const waiting = ask({ type: 'WAIT' });
      waiting.catch(() => {
        // The connection may be reset.
      });
      expect(await connects(socketPath)).toBe('connected');
      server.process.kill(signal);
      expect(await server.ended()).toEqual({ status: 0, stderr: '' });
      await waiting.catch(() => '');
      expect(readdirSync(path)).toEqual([]);
      expect(await idsOf()).toEqual(before);
    },
  );

  test('of the daemon is an error of every request', async () => {
    const own = tempDir();
    onTestFinished(() => endDaemonAt(own.socketPath));
    const started = await interminai(own.socketPath, '--', 'cat');
    expect(await runCli(['shutdown'], { socketPath: own.socketPath })).toMatchObject({ status: 0 });
    expect(await started.ask({ type: 'STATUS' })).toMatch(/^\{"status":"error","error":"[^"]+/);
    expect(await started.ask({ type: 'STOP' })).toBe(STOPPED);
    expect(await started.server.ended()).toMatchObject({ status: 0 });
  });
});

/** Whether the server takes a connection. */
async function connects(path: string): Promise<string> {
  const socket = createConnection({ path });
  await once(socket, 'connect');
  socket.destroy();
  return 'connected';
}

describe('the place', () => {
  const refused = async (path: string): Promise<string> => {
    const args = ['interminai', '--socket', path, '--', 'cat'];
    const { status, stderr } = await runCli(args, { env: { T4A_SOCKET: cli.daemon.socketPath } });
    expect(status).toBe(2);
    return stderr;
  };

  test('may hold the socket of a server that was killed', async () => {
    const { path } = tempDir();
    const first = await serve('--socket', join(path, 'i'), '--', 'cat');
    first.server.process.kill('SIGKILL');
    await first.server.ended();
    expect(existsSync(first.socketPath)).toBe(true);
    const second = await serve('--socket', first.socketPath, '--', 'cat');
    expect(await second.ask({ type: 'STATUS' })).toBe(RUNNING);
    expect(readdirSync(path)).toEqual(['i']);
  });

  test('is refused if a process serves it, and that one stays', async () => {
    const { path } = tempDir();
    const { ask, socketPath } = await serve('--socket', join(path, 'i'), '--', 'cat');
    const before = await idsOf();
    expect(await refused(socketPath)).toContain('Another process serves');
    expect(await ask({ type: 'STATUS' })).toBe(RUNNING);
    expect(await idsOf()).toEqual(before);
    const other = createServer().listen(join(path, 'o'));
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    expect(await refused(join(path, 'o'))).toContain('Another process serves');
  });

  test('is refused if it is a file, in no directory, or too long', async () => {
    const { path } = tempDir();
    writeFileSync(join(path, 'file'), 'kept');
    expect(await refused(join(path, 'file'))).toContain('something that is not a socket is there');
    expect(await refused(join(path, 'none', 'i'))).toContain('its directory does not exist');
    expect(await refused(join(path, 'x'.repeat(120)))).toMatch(/it has \d+ bytes, and a socket's path at most 107/);
    expect(readdirSync(path)).toEqual(['file']);
  });

  test('is left alone at the end if it is not the own socket any more', async () => {
    const { path } = tempDir();
    const { server, socketPath } = await serve('--socket', join(path, 'i'), '--', 'cat');
    rmSync(socketPath);
    writeFileSync(socketPath, 'kept');
    server.process.kill('SIGTERM');
    expect(await server.ended()).toEqual({ status: 0, stderr: '' });
    expect(readFileSync(socketPath, 'utf8')).toBe('kept');
  });
});
