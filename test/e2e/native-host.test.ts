/** A host that is no help to the native client is one that is not there. */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { warmFrameOf } from '../../src/cli/warm/frames.js';
import { useCliDaemon } from '../support/cli-daemon.js';
import { CLI } from '../support/cli.js';
import { endHost, itHasNative, NATIVE, runWay, sameByBoth, startHost } from '../support/native.js';
import { otherPlace as placeOf } from '../support/other-place.js';
import { tempDir } from '../support/temp-dir.js';

const cli = useCliDaemon();
let id = '';

beforeAll(async () => {
  id = await cli.printed('one\\n');
});

const otherPlace = (): string => placeOf(cli.daemon.socketPath);

async function startOtherHost(): Promise<{ host: ChildProcess; env: Record<string, string> }> {
  const socketPath = otherPlace();
  const host = await startHost(socketPath);
  onTestFinished(() => endHost(host));
  return { host, env: { T4A_SOCKET: socketPath } };
}

async function works(env: Record<string, string>): Promise<void> {
  const { status, stdout } = await runWay('native', ['text', id], { env });
  expect({ status, stdout: stdout.toString() }).toEqual({ status: 0, stdout: 'one\n' });
}

describe('no help is a host', () => {
  itHasNative('that was stopped before the call', async () => {
    const { host, env } = await startOtherHost();
    host.kill('SIGSTOP');
    await works(env);
  });

  itHasNative('with a file, a folder or a link in the place of its socket', async () => {
    const T4A_SOCKET = otherPlace();
    const place = `${T4A_SOCKET}.cli`;
    writeFileSync(place, '');
    await works({ T4A_SOCKET, T4A_NO_HOST: '0' });
    expect(statSync(place).isFile()).toBe(true);
    rmSync(place);
    mkdirSync(place);
    await works({ T4A_SOCKET, T4A_NO_HOST: '0' });
    rmdirSync(place);
    symlinkSync(T4A_SOCKET, place);
    await works({ T4A_SOCKET, T4A_NO_HOST: '0' });
  });

  itHasNative('of another build, or another program', async () => {
    for (const greeting of [
      warmFrameOf('g', Buffer.from('another\0/x\0/y\0')),
      Buffer.from('{"ok":true}\n'),
      Buffer.alloc(0),
    ]) {
      const T4A_SOCKET = otherPlace();
      const asked: Buffer[] = [];
      const server = createServer((socket) => {
        socket.on('data', (bytes) => asked.push(bytes)).on('error', () => {});
        socket.end(greeting);
      });
      const umask = process.umask(0o177);
      server.listen(`${T4A_SOCKET}.cli`);
      process.umask(umask);
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      await works({ T4A_SOCKET, T4A_NO_HOST: '0' });
      expect(asked).toEqual([]);
    }
  });

  itHasNative('of a path that is too long', async () => {
    const { stderr, status } = await sameByBoth(['list'], {
      env: { T4A_SOCKET: `/tmp/${'x'.repeat(120)}`, T4A_NO_HOST: '0' },
    });
    expect({ stderr, status }).toEqual({ stderr: expect.stringContaining('bytes'), status: 2 });
  });
});

itHasNative('its socket is for its owner alone, and doctor has its process and its memory', async () => {
  const { host, env } = await startOtherHost();
  expect(statSync(`${env['T4A_SOCKET']}.cli`).mode & 0o777).toBe(0o600);
  const findingsOf = async (): Promise<unknown[]> => {
    const { stdout } = await runWay('node', ['doctor', '--json'], { env });
    const { findings } = JSON.parse(stdout.toString()) as { findings: { check: string; says: string }[] };
    return findings.filter(({ check }) => check === 'native client').map(({ says }) => says);
  };
  expect(await findingsOf()).toEqual([expect.stringMatching(new RegExp(`^pid ${host.pid} runs for it, \\d+ MB$`))]);
  await endHost(host);
  expect(await findingsOf()).toEqual([expect.stringContaining('no process')]);
});

itHasNative('who refuses the host has its command done by Node', async () => {
  const { env } = await startOtherHost();
  const dir = tempDir();
  const config = dir.join('t4a');
  mkdirSync(config);
  writeFileSync(path.join(config, 'config.json'), '{"cli_host":false}');
  const calls = dir.join('calls');
  const node = `#!/bin/sh\necho called >> '${calls}'\nexec '${process.execPath}' "$@"\n`;
  writeFileSync(dir.join('node'), node, { mode: 0o755 });
  const PATH = `${dir.path}:${process.env['PATH']}`;
  for (const [more, expected] of [
    [{}, 0],
    [{ XDG_CONFIG_HOME: dir.path, T4A_CLI_HOST: '1' }, 0],
    [{ XDG_CONFIG_HOME: dir.path }, 1],
    [{ T4A_CLI_HOST: 'false' }, 2],
    [{ T4A_NO_HOST: 'yes' }, 3],
  ] as const) {
    await works({ ...env, PATH, ...more });
    expect(existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').length - 1 : 0).toBe(expected);
  }
});

itHasNative('without a host and without Node one sentence says so', () => {
  const copy = tempDir().join('t4a');
  copyFileSync(NATIVE, copy);
  const { status, stderr } = spawnSync(copy, ['list'], { env: { T4A_SOCKET: '/nonexistent/s' }, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 127,
    stderr: expect.stringMatching(/^t4a: This command needs Node .*\.\n$/),
  });
});

itHasNative(
  'the process that finds no host leaves one behind unless it may not, which ends with the daemon',
  async () => {
    const { socketPath: T4A_SOCKET } = tempDir();
    const isThere = (): boolean => statSync(`${T4A_SOCKET}.cli`, { throwIfNoEntry: false }) !== undefined;
    const shutdown = (): unknown =>
      spawnSync(process.execPath, [CLI, 'shutdown'], { env: { ...process.env, T4A_SOCKET } });
    onTestFinished(() => void shutdown());
    for (const refusal of [{ T4A_NO_HOST: '1' }, { T4A_CLI_HOST: '0', T4A_NO_HOST: '0' }])
      expect((await runWay('native', ['list'], { env: { T4A_SOCKET, ...refusal } })).status).toBe(0);
    expect(isThere()).toBe(false);
    expect((await runWay('native', ['list'], { env: { T4A_SOCKET, T4A_NO_HOST: '0' } })).status).toBe(0);
    await expect.poll(isThere).toBe(true);
    shutdown();
    await expect.poll(isThere).toBe(false);
  },
);
