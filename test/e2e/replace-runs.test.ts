/** Runs and waits that are under way go on with the daemon that takes the place of another, and those of clients that have gone end. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect, type Client } from '../../src/client/client.js';
import { runCli } from '../support/cli.js';
import { passingTime } from '../support/passing-time.js';
import { RawConnection } from '../support/raw.js';
import { replaceable } from '../support/replaceable.js';

/** For a client to go on with its run, and more. */
const RESUME_MS = 31_000;

async function clientOf(socketPath: string): Promise<Client> {
  const client = await connect({ socketPath, autoStart: false });
  onTestFinished(() => client.close());
  return client;
}

it('a run at the prompt of a shell goes on, with its output, its exit code and its time', async () => {
  const { ask, daemon, replace } = await replaceable();
  const client = await clientOf(daemon.socketPath);
  await ask({ cmd: 'create', name: 's', cmd_args: ['bash'], cwd: daemon.dir, env: { PS1: '$ ' } });
  expect(await ask({ cmd: 'run', id: 's', command: 'true' })).toMatchObject({ exit_code: 0 });
  const script = 'seq 1 40; touch begun; while [ ! -e go ]; do sleep 0.05; done; seq 41 80; rm go begun; (exit 7)';
  const begun = (): boolean => existsSync(path.join(daemon.dir, 'begun'));
  const lines = Array.from({ length: 80 }, (_, at) => String(at + 1));
  for (const run of [
    async () => client.call('run', { id: 's', command: script, timeout_ms: 60_000 }),
    async () => {
      const { status, stdout } = await runCli(['run', '--id', 's', '--json', '--command', script], {
        socketPath: daemon.socketPath,
      });
      expect(status).toBe(7);
      return JSON.parse(stdout) as object;
    },
  ]) {
    const running = run();
    await expect.poll(begun).toBe(true);
    await replace();
    await replace();
    writeFileSync(path.join(daemon.dir, 'go'), '');
    expect(await running).toMatchObject({ outcome: 'done', exit_code: 7, lines, omitted_lines: 0, lost_lines: 0 });
  }
});

it('a wait for what is new misses nothing that is printed while its client comes back', async () => {
  const { ask, daemon, replace } = await replaceable();
  const client = await clientOf(daemon.socketPath);
  // The lock names the new daemon just before it takes over.
  const script = 'p=$(cat "$0"); while [ "$(cat "$0")" = "$p" ]; do sleep 0.001; done; printf "now\\007"; exec cat';
  await ask({ cmd: 'create', name: 'a', cmd_args: ['bash', '-c', script, `${daemon.socketPath}.lock`] });
  const text = client.call('wait', { id: 'a', until: { text: 'now' }, fresh: true, timeout_ms: 20_000 });
  const bell = client.call('wait', { id: 'a', until: { event: 'bell' }, timeout_ms: 20_000 });
  await expect
    .poll(async () => ((await ask({ cmd: 'stats' }))['connections'] as { readonly in_flight: number }).in_flight)
    .toBe(3);
  await replace();
  expect(await text).toMatchObject({ outcome: 'matched' });
  expect(await bell).toMatchObject({ outcome: 'matched' });
});

it('the terminal of a run whose client has gone meanwhile is removed', async () => {
  const { ask, daemon, replace } = await replaceable();
  const gone = new RawConnection(daemon.socketPath);
  const run = { cmd: 'run', cmd_args: ['sleep', '1000'], timeout_ms: 300_000 };
  const lost = gone.request({ ...run, req: 1 });
  gone.write(`${JSON.stringify({ ...run, keep: true, req: 2 })}\n`);
  await expect.poll(async () => (await ask({ cmd: 'list' }))['terminals']).toHaveLength(2);
  const { entry, pass } = passingTime();
  const pid = await replace(entry);
  expect((await lost).header).toMatchObject({ code: 'replaced', acted: true });
  gone.close();
  expect((await ask({ cmd: 'list' }))['terminals']).toHaveLength(2);
  pass(pid, RESUME_MS);
  await expect.poll(async () => (await ask({ cmd: 'list' }))['terminals']).toHaveLength(1);
});

it('a prompt in line is delivered once by the other daemon, and its receipt goes along', async () => {
  const { ask, daemon, replace } = await replaceable();
  const client = await clientOf(daemon.socketPath);
  const script = 'while [ ! -e go ]; do sleep 0.05; done; while read -r x; do echo "<$x>"; done';
  await ask({ cmd: 'create', name: 'a', cwd: daemon.dir, cmd_args: ['sh', '-c', script] });
  const prompt = { id: 'a', text: 'word', key: 'k', timeout_ms: 60_000 };
  const delivered = client.call('deliver', prompt);
  const inFlight = async (): Promise<unknown> =>
    ((await ask({ cmd: 'stats' }))['connections'] as { readonly in_flight: number }).in_flight;
  await expect.poll(inFlight).toBe(2);
  await replace();
  await expect.poll(inFlight).toBe(2);
  writeFileSync(path.join(daemon.dir, 'go'), '');
  const receipt = await delivered;
  expect(receipt).toMatchObject({ outcome: 'submitted', written: true });
  await replace();
  expect(await client.call('deliver', prompt)).toMatchObject({ delivered: receipt.delivered, repeated: true });
  expect(await ask({ cmd: 'deliver', ...prompt, text: 'other' })).toMatchObject({ ok: false, code: 'key_reused' });
  const { lines } = await ask({ cmd: 'text', id: 'a', trim: true });
  expect((lines as string[]).filter((line) => line === '<word>')).toHaveLength(1);
});
