/** The board of health, and its lines. */
import { expect, test } from 'vitest';
import { readingsOf } from '../../src/page/readings.js';
import { needs } from '../support/programs.js';
import { browserOfFile, DESK, opened, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

function outOf(stats: Parameters<typeof readingsOf>[0]): string[] {
  return readingsOf(stats).flatMap(({ name, isOut }) => (isOut ? [name] : []));
}

test('figures within their bounds are not marked', () => {
  const stats = {
    memory: { rss: 100, limit: 1000, pressure: 'none', heap_used: 10, heap_limit: 100, scrollback_lines_dropped: 0 },
    event_loop: { lag_p50_ms: 1, lag_p99_ms: 9, lag_max_ms: 20, busy: 0.2 },
    output: { pending_bytes: 0 },
    input: { pending_bytes: 0 },
    events: { dropped: 0 },
  } as const;
  expect(readingsOf(stats)).toHaveLength(7);
  expect(outOf(stats)).toEqual([]);
});

test.each([
  ['Memory', { memory: { rss: 1, limit: 2, pressure: 'high' } }],
  ['Heap', { memory: { heap_used: 90, heap_limit: 100 } }],
  ['Lag', { event_loop: { lag_p99_ms: 250 } }],
  ['Lag', { event_loop: { lag_p99_ms: 1, busy: 0.99 } }],
  ['Output that waits', { output: { pending_bytes: 9 * 1024 * 1024 } }],
  ['Input that waits', { input: { pending_bytes: 10 } }],
  ['Connections', { connections: { open: 1, refused: 2 } }],
  ['Events lost', { events: { dropped: 1 } }],
  ['Lines lost', { memory: { scrollback_lines_dropped: 4 } }],
] as const)('%s is marked where it is out of its bounds', (name, stats) => {
  expect(outOf(stats)).toEqual([name]);
});

test('a daemon that lacks the figures has no lines, and no error', () => {
  expect(readingsOf({})).toEqual([]);
});

test('the health of a daemon is asked for only while it is shown', async () => {
  const { page, complaints } = await opened(DESK, ({ client }) =>
    client.call('create', { name: 'build', cmd_args: ['sh', '-c', 'printf made; exec sleep 600'] }),
  );
  await rowWith(page, 'made').waitFor();
  let asked = 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.webSocketFrameSent', ({ response }) => {
    if (response.payloadData.includes('"cmd":"stats"')) asked++;
  });
  await page.getByRole('button', { name: 'Health' }).click();
  await page.getByRole('row', { name: /Memory/ }).waitFor();
  await expect.poll(() => asked).toBe(2);
  await page.getByRole('button', { name: 'Health' }).click();
  await rowWith(page, 'made').waitFor();
  // More than its interval, and nothing is asked.
  await page.waitForTimeout(2500);
  expect(asked).toBe(2);
  expect(complaints).toEqual([]);
});
