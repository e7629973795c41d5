/** Timers neither fire early nor get lost when the time of day changes or the daemon is stopped for a while. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { RawConnection } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Each SIGUSR2 sets the daemon's time of day by so much, there and back, and says so. */
const JUMPING_CLOCK = `
  const now = Date.now; let offset = 0; const jumps = [${DAY_MS}, ${-DAY_MS}];
  Date.now = () => now() + offset;
  process.on('SIGUSR2', () => { offset = jumps.shift(); process.stderr.write('jumped by ' + offset + '\\n'); });
`;

let daemon: TestDaemon;
let connection: RawConnection;

beforeEach(async () => {
  const planted = path.join(tempDir().path, 'clock.cjs');
  writeFileSync(planted, JUMPING_CLOCK);
  daemon = await startDaemon({ env: { NODE_OPTIONS: `--require=${planted}` } });
  connection = new RawConnection(daemon.socketPath);
});
afterEach(async () => {
  connection.close();
  await daemon.stop();
});

async function jump(): Promise<void> {
  const said = once(daemon.process.stderr ?? daemon.process, 'data');
  daemon.process.kill('SIGUSR2');
  await said;
}

/** Of the pending wait nothing is heard; everybody else is answered. */
async function isStillWaiting(req: number): Promise<void> {
  const { header } = await connection.request({ cmd: 'ping', req: 'fence' });
  expect(header['req'], `not ${req}`).toBe('fence');
}

test('a jump of the time of day neither ends nor delays a wait', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'], env: { NODE_OPTIONS: '' } });
  const { created_at: before } = await request(daemon, { cmd: 'status', id });
  connection.write(
    `${JSON.stringify({ cmd: 'wait', id, req: 1, until: { text: 'later' }, timeout_ms: DAY_MS / 24 })}\n`,
  );
  for (const direction of ['forwards', 'backwards']) {
    await isStillWaiting(1);
    await jump();
    await isStillWaiting(1);
    for (const until of [{ idle_ms: 30 }, { settled_ms: 30 }]) {
      const reply = await request(daemon, { cmd: 'wait', id, until, timeout_ms: 20_000 });
      expect(reply, direction).toMatchObject({ outcome: 'matched' });
      expect(reply['elapsed_ms'], direction).toBeLessThan(20_000);
    }
    const reply = await request(daemon, { cmd: 'wait', id, until: { text: 'never' }, timeout_ms: 30 });
    expect(reply, direction).toMatchObject({ outcome: 'timeout' });
    expect(reply['elapsed_ms'], direction).toBeGreaterThanOrEqual(29);
  }
  // The jumps were real: what is a time of day has moved with them.
  const other = await request(daemon, { cmd: 'create', cmd_args: ['cat'], env: { NODE_OPTIONS: '' } });
  const { created_at: after } = await request(daemon, { cmd: 'status', id: other['id'] });
  expect(Number(after)).toBeLessThan(Number(before));
  await request(daemon, { cmd: 'send', id, input: 'later\r' });
  expect((await connection.reply()).header).toMatchObject({ req: 1, outcome: 'matched' });
});

test('what was a while ago stays so when the time of day is set back', async () => {
  await jump();
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'], env: { NODE_OPTIONS: '' } });
  const print = (text: string) =>
    request(daemon, { cmd: 'type', id, text, submit: true, wait: { until: { text }, timeout_ms: 20_000 } });
  const momentOf = async (at: unknown) =>
    (await request(daemon, { cmd: 'text', id, at }))['at'] as { ts: number; ago_ms: number };
  await print('first');
  const { rev } = await request(daemon, { cmd: 'status', id });
  const before = await momentOf(rev);
  await jump();
  await print('second');
  const after = await momentOf((await request(daemon, { cmd: 'status', id }))['rev']);
  expect(after.ts).toBeGreaterThanOrEqual(before.ts);
  // As much as has passed, and no day.
  await eventually(async () => expect((await momentOf(rev)).ago_ms).toBeGreaterThan(before.ago_ms));
  expect((await momentOf(rev)).ago_ms).toBeLessThan(DAY_MS / 2);
  await eventually(async () => {
    const { lines } = await request(daemon, { cmd: 'text', id, at: '-1ms', trim: true });
    expect(lines).toContain('second');
  });
});

test('a daemon that was stopped for a while ends only the waits whose timeout has passed', async () => {
  const { id } = await request(daemon, { cmd: 'create', cmd_args: ['cat'], env: { NODE_OPTIONS: '' } });
  const wait = (req: number, timeoutMs: number): string =>
    `${JSON.stringify({ cmd: 'wait', id, req, until: { text: 'later' }, timeout_ms: timeoutMs })}\n`;
  connection.write(wait(1, 60 * 60 * 1000) + wait(2, 200));
  await isStillWaiting(2);
  daemon.process.kill('SIGSTOP');
  // Standing still is what is tested: this is the time that passes meanwhile.
  await once(spawn('sleep', ['0.4']), 'exit');
  expect(readFileSync(`/proc/${daemon.process.pid}/stat`, 'latin1')).toMatch(/\) T /);
  daemon.process.kill('SIGCONT');
  expect((await connection.reply()).header).toMatchObject({ req: 2, outcome: 'timeout' });
  await isStillWaiting(1);
  await request(daemon, { cmd: 'send', id, input: 'later\r' });
  expect((await connection.reply()).header).toMatchObject({ req: 1, outcome: 'matched' });
});
