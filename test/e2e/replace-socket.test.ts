/** The socket is deleted while a daemon takes the place of another: it is there again, and the same terminals are behind it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/client.js';
import { DIST } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';
import { RawConnection } from '../support/raw.js';
import { replaceable, underWay } from '../support/replaceable.js';
import { tempDir } from '../support/temp-dir.js';

/** The built daemon, which deletes the socket all the time for a while. */
function deleting(socketPath: string, ms: number): string {
  const file = path.join(tempDir().path, 'deletes.cjs');
  const source = `const { rmSync } = require('node:fs');
    const timer = setInterval(() => rmSync(${JSON.stringify(socketPath)}, { force: true }), 2);
    setTimeout(() => clearInterval(timer), ${ms});
    require(${JSON.stringify(path.join(DIST, 'daemon.cjs'))});`;
  writeFileSync(file, source, { mode: 0o600 });
  return file;
}

it('a socket that is deleted before, during and after a replacement is there again', { timeout: 60_000 }, async () => {
  const { daemon, ask } = await replaceable();
  await ask({ cmd: 'create', name: 'a', cmd_args: ['sh', '-c', 'read x; echo got $x; exec cat'] });
  const client = new RawConnection(daemon.socketPath);
  onTestFinished(() => client.close());
  rmSync(daemon.socketPath);
  const { header } = await client.request({
    cmd: 'replace',
    entry: deleting(daemon.socketPath, 2500),
    within_ms: 30_000,
  });
  expect(header['error']).toBeUndefined();
  const ping = async (): Promise<unknown> => {
    const answer: Record<string, unknown> = await ask({ cmd: 'ping' }).catch(() => ({}));
    return answer['replaced'];
  };
  await expect.poll(ping, { timeout: 20_000 }).toBe(1);
  expect(await ask({ cmd: 'ping' })).toMatchObject({ pid: (header['to'] as { readonly pid: number }).pid });
  const typed = { cmd: 'type', id: 'a', text: 'word', submit: true, wait: { until: { text: 'got word' } } };
  expect(await ask(typed)).toMatchObject({ wait: { outcome: 'matched' } });
});

it(
  'calls of a client go on where the socket is deleted while another daemon takes over',
  { timeout: 60_000 },
  async () => {
    const { daemon, ask } = await replaceable();
    const client = await connect({ socketPath: daemon.socketPath, autoStart: false });
    onTestFinished(() => client.close());
    const { id } = await client.call('create', { cmd_args: ['sh', '-c', 'read x; echo got $x; exec cat'] });
    const waiting = client.call('wait', { id, until: { text: 'got word' }, timeout_ms: 30_000 });
    await underWay({ ask }, 1);
    const raw = new RawConnection(daemon.socketPath);
    onTestFinished(() => raw.close());
    const { header } = await raw.request({
      cmd: 'replace',
      entry: deleting(daemon.socketPath, 1500),
      within_ms: 30_000,
    });
    expect(header['error']).toBeUndefined();
    await client.call('type', { id, text: 'word', submit: true });
    expect(await waiting).toMatchObject({ outcome: 'matched' });
  },
);

/** Three clients: two wait, the third is idle until its event has come. */
const PYTHON = `
import asyncio, sys, threading, t4a
path = sys.argv[1]
idle = t4a.connect(path, auto_start=False)
stream = idle.events(types=["published"])
busy = t4a.connect(path, auto_start=False)
outcomes = []
wait = threading.Thread(target=lambda: outcomes.append(busy.call("wait", id="p", until={"text": "got word"})["outcome"]))
wait.start()
async def main():
    client = await t4a.async_connect(path, auto_start=False)
    wait = asyncio.ensure_future(client.call("wait", id="p", until={"text": "got word"}))
    events = await client.events(types=["published"])
    print("ready", flush=True)
    async for event in events:
        print(event["name"], flush=True)
        break
    print((await wait)["outcome"], flush=True)
    await client.close()
asyncio.run(main())
wait.join()
print(outcomes, next(iter(stream))["name"], idle.call("status", id="p")["alive"], flush=True)
`;

itNeeds('python3')(
  'calls and events of the Python client go on where the socket is deleted while another daemon takes over',
  async () => {
    const { daemon, ask } = await replaceable();
    await ask({ cmd: 'create', name: 'p', cmd_args: ['sh', '-c', 'read x; echo got $x; exec cat'] });
    const child = spawn('python3', ['-B', '-c', PYTHON, daemon.socketPath], {
      env: { ...process.env, PYTHONPATH: fileURLToPath(new URL('../../clients/python/', import.meta.url)) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = once(child, 'close');
    await underWay({ ask }, 2);
    await expect.poll(() => said, { timeout: 10_000 }).toBe('ready\n');
    const raw = new RawConnection(daemon.socketPath);
    onTestFinished(() => raw.close());
    const entry = deleting(daemon.socketPath, 1500);
    expect((await raw.request({ cmd: 'replace', entry, within_ms: 30_000 })).header['error']).toBeUndefined();
    const ping = (): Promise<unknown> => ask({ cmd: 'publish', name: 'there' }).catch(() => ({}));
    await expect.poll(ping, { timeout: 20_000 }).toMatchObject({ ok: true });
    await ask({ cmd: 'type', id: 'p', text: 'word', submit: true });
    await ended;
    expect(said).toBe("ready\nthere\nmatched\n['matched'] there True\n");
  },
  60_000,
);
