/** The native client while its host works for it: what ends, stops and resizes its process, and the end of the host. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, onTestFinished } from 'vitest';
import { type WarmFrame, FrameReader } from '../../src/cli/warm/frames.js';
import { useCliDaemon } from '../support/cli-daemon.js';
import { eventually } from '../support/eventually.js';
import { endHost, endOf, itHasNative, NATIVE, runWay, startHost, startWay } from '../support/native.js';
import { otherPlace } from '../support/other-place.js';

const cli = useCliDaemon();
let host: ChildProcess;
let socketPath = '';

beforeEach(async () => {
  socketPath = otherPlace(cli.daemon.socketPath);
  host = await startHost(socketPath);
});
afterEach(() => endHost(host));

const screen = (id: string): Promise<string> => cli.output(['text', id]);
const shows = (id: string, regex: string): Promise<string> => cli.output(['wait', id, '--regex', regex]);

describe('a host that ends during a call', () => {
  itHasNative.each(['SIGKILL', 'SIGTERM'] as const)(
    'by %s ends it with 125, and no act is done twice',
    async (signal) => {
      const id = await cli.create('cat');
      const running = startWay('native', ['type', id, 'once\\n', '--wait', 'text=never'], {
        env: { T4A_SOCKET: socketPath },
      });
      const ended = endOf(running);
      await shows(id, 'once');
      host.kill(signal);
      expect(await ended).toEqual({
        status: 125,
        stdout: Buffer.alloc(0),
        stderr:
          't4a: The process that does the work of this command has ended. What it asked for may have been done.\n',
      });
      await cli.output(['type', id, 'after']);
      await shows(id, 'after');
      expect((await screen(id)).match(/once/g)?.length).toBeLessThanOrEqual(2);
      expect((await runWay('native', ['list'], { env: { T4A_SOCKET: socketPath } })).status).toBe(0);
    },
  );
});

/** Between the clients and the host: shows what they say. */
async function overhear(): Promise<{ readonly heard: WarmFrame[]; readonly socketPath: string }> {
  const heard: WarmFrame[] = [];
  const between = otherPlace(cli.daemon.socketPath);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const reader = new FrameReader(1 << 24);
    const behind = connect(`${socketPath}.cli`);
    for (const socket of [client, behind]) open.add(socket.on('error', () => {}));
    client.on('data', (bytes) => heard.push(...reader.read(bytes)));
    client.pipe(behind).pipe(client);
  });
  const umask = process.umask(0o177);
  server.listen(`${between}.cli`);
  process.umask(umask);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
    rmSync(`${between}.cli`, { force: true });
  });
  return { heard, socketPath: between };
}

describe('in a terminal', () => {
  const inShell = async (): Promise<string> => {
    const id = await cli.create('--env', 'T4A_NO_HOST=0', '--env', 'PS1=$ ', '--', 'bash', '--norc');
    await shows(id, '^\\$ $');
    return id;
  };

  itHasNative('Ctrl+Z stops it, fg goes on with it, and nothing is lost', async () => {
    const waitedFor = await cli.create('cat');
    const shell = await inShell();
    await cli.output(['type', shell, `${NATIVE} --socket ${socketPath} wait ${waitedFor} --text HEARD\n`]);
    await eventually(async () => expect(await cli.output(['status', shell, '--json'])).toContain('"t4a"'));
    await cli.output(['press', shell, 'Ctrl+z']);
    await shows(shell, 'Stopped');
    await cli.output(['type', waitedFor, 'HEARD\n']);
    await cli.output(['type', shell, 'fg\n']);
    await shows(shell, '^outcome +matched');
  });

  itHasNative('Ctrl+C ends a wait, and reaches a program that it runs', async () => {
    const waitedFor = await cli.create('cat');
    const shell = await inShell();
    for (const words of [
      `wait ${waitedFor} --text NEVER`,
      `run -- sh -c 'trap "exit 130" INT; echo UP; while :; do sleep .05; done'`,
    ]) {
      await cli.output(['type', shell, `clear; ${NATIVE} --socket ${socketPath} ${words}\n`]);
      await eventually(async () => expect(await cli.output(['status', shell, '--json'])).toContain('"t4a"'));
      if (words.startsWith('run')) await shows(shell, '^UP');
      await cli.output(['press', shell, 'Ctrl+c']);
      await cli.output(['type', shell, 'echo ENDED $?\n']);
      await shows(shell, '^ENDED 130');
    }
  });

  itHasNative('the host learns its size when it changes', async () => {
    const { heard, socketPath: between } = await overhear();
    const waitedFor = await cli.create('cat');
    const wait = [NATIVE, '--socket', between, 'wait', waitedFor, '--text', 'NEVER'];
    const id = await cli.create('--env', 'T4A_NO_HOST=0', '--', ...wait);
    await eventually(() => expect(heard.map(({ letter }) => letter)).toEqual(['h']));
    await cli.output(['resize', id, '91', '33']);
    await eventually(() => expect(heard[1]).toEqual({ letter: 'z', content: Buffer.from([91, 0, 33, 0]) }));
  });
});
