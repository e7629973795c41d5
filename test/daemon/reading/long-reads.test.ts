/** How the replies of large reads are made beside other work. */
import { describe, expect, test } from 'vitest';
import { LongReads } from '../../../src/daemon/reading/long-reads.js';
import { OneAtATime } from '../../../src/daemon/reading/one-at-a-time.js';
import type { Work } from '../../../src/events/search/work.js';
import { testCall } from '../../support/test-call.js';

/** Until the condition is true; `late` if it is not after two seconds. */
function* until(condition: () => boolean): Work<string> {
  const endMs = performance.now() + 2000;
  while (!condition()) {
    if (performance.now() > endMs) return 'late';
    yield 1;
  }
  return 'made';
}

describe('a long read', () => {
  test('lets the event loop turn', async () => {
    let hasTurned = false;
    setTimeout(() => (hasTurned = true), 10);
    expect(
      await new LongReads().finish(
        until(() => hasTurned),
        testCall(),
      ),
    ).toBe('made');
  });

  test('ends with its caller', async () => {
    const gone = new AbortController();
    const reading = new LongReads().finish(
      until(() => false),
      testCall({ signal: gone.signal }),
    );
    setTimeout(() => gone.abort(new Error('the client has gone')), 10);
    await expect(reading).rejects.toThrow('the client has gone');
  });

  test('of the same connection waits for the one before, and a short one for none', async () => {
    const long = new LongReads();
    const call = testCall();
    let isOpen = false;
    const order: string[] = [];
    const read = (name: string, work: Work<string>) => long.finish(work, call).then(() => order.push(name));
    const first = read(
      'first',
      until(() => isOpen),
    );
    const second = read(
      'second',
      until(() => order.includes('first')),
    );
    await read(
      'short',
      until(() => true),
    );
    isOpen = true;
    await Promise.all([first, second]);
    expect(order).toEqual(['short', 'first', 'second']);
  });
});

test('what fails holds up nothing behind it', async () => {
  const queue = new OneAtATime();
  const call = testCall();
  const failing = queue.run(call, async () => {
    throw new Error('a fault');
  });
  await expect(failing).rejects.toThrow('a fault');
  expect(await queue.run(call, async () => 'made')).toBe('made');
});
