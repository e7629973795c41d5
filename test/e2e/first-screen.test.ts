/** The first screen of a terminal: a program that has printed nothing yet has not settled. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const create = (script: string, fields: object = {}): ReturnType<typeof request> =>
  request(daemon, {
    cmd: 'create',
    cmd_args: ['sh', '-c', script],
    wait: { until: { settled_ms: 200 } },
    observe: { text: true },
    ...fields,
  });

const elapsed = (reply: Record<string, unknown>): number => (reply['wait'] as { elapsed_ms: number }).elapsed_ms;

it.each([
  ['nothing', ''],
  ['sequences that show nothing', String.raw`printf '\033[2J\033]0;title\007\033[?25l'; `],
  ['blank lines', 'echo; echo; '],
])('create sees the first line of a program that prints %s for a second', async (_, before) => {
  const reply = await create(`${before}sleep 1; echo listening; exec sleep 100`);
  expect(reply).toMatchObject({ wait: { outcome: 'matched' } });
  expect(JSON.stringify(reply['observed'])).toContain('listening');
  await request(daemon, { cmd: 'kill', id: reply['id'] });
});

it('create waits no three seconds for a program that reads, or ends, without a word', async () => {
  const reading = await create('exec cat');
  expect(reading).toMatchObject({ wait: { outcome: 'matched' }, observed: { lines: [] } });
  expect(elapsed(reading)).toBeLessThan(2500);
  await request(daemon, { cmd: 'kill', id: reading['id'] });
  const ended = await create('exit 3');
  expect(ended).toMatchObject({ wait: { outcome: 'exited', exit_code: 3 } });
  expect(elapsed(ended)).toBeLessThan(2500);
});

it('a blank screen is settled after three seconds, and at once in a terminal that was there', async () => {
  const made = await create('exec sleep 100', { name: 'quiet' });
  expect(made).toMatchObject({ wait: { outcome: 'matched' }, observed: { lines: [] } });
  expect(elapsed(made)).toBeGreaterThanOrEqual(2990);
  const reused = await create('exec sleep 100', { name: 'quiet', reuse: true });
  expect(reused).toMatchObject({ id: made['id'], wait: { outcome: 'matched' } });
  expect(elapsed(reused)).toBeLessThan(2500);
  await request(daemon, { cmd: 'kill', id: made['id'] });
});

it('the deadline of the wait comes first', async () => {
  const reply = await create('exec sleep 100', { wait: { until: { settled_ms: 200 }, timeout_ms: 400 } });
  expect(reply).toMatchObject({ wait: { outcome: 'timeout' } });
  await request(daemon, { cmd: 'kill', id: reply['id'] });
});
