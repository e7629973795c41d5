/** How the replies of large reads are made beside other work. */
import { describe, expect, test } from 'vitest';
import { alone, LongReads } from '../../../src/features/reading/long-reads.js';
import type { MadeBytes } from '../../../src/rpc/made-bytes.js';
import { OneAtATime } from '../../../src/rpc/one-at-a-time.js';
import type { Work } from '../../../src/search/work.js';
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
        alone(() => until(() => hasTurned)),
        testCall(),
      ),
    ).toBe('made');
  });

  test('ends with its caller', async () => {
    const gone = new AbortController();
    const reading = new LongReads().finish(
      alone(() => until(() => false)),
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
    const read = (name: string, work: Work<string>) =>
      long
        .finish(
          alone(() => work),
          call,
        )
        .then(() => order.push(name));
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

describe('what is made of a long read', () => {
  /** Waits for it, and adds the bytes that count to it to the list. */
  const reader = (counted: number[], signal = new AbortController().signal) =>
    testCall({
      signal,
      made: (bytes) => void counted.push(bytes),
      connection: { onGone: () => ({ dispose: () => {} }) },
    });

  test('counts to each call that waits for it, with what was made before', async () => {
    const long = new LongReads<string>();
    let isOpen = false;
    function* making(made: MadeBytes): Work<string> {
      made.add(5);
      yield* until(() => isOpen);
      made.add(7);
      return 'made';
    }
    const [first, second]: [number[], number[]] = [[], []];
    const ask = (counted: number[]) =>
      long.finish(
        long.read(() => ({ of: long, key: '' }), making),
        reader(counted),
      );
    const both = [ask(first), ask(second)];
    expect([first, second]).toEqual([[5], [5]]);
    isOpen = true;
    expect(await Promise.all(both)).toEqual(['made', 'made']);
    expect([first, second]).toEqual([
      [5, 7],
      [5, 7],
    ]);
  });

  test('counts no more to a call that goes on without it', async () => {
    const counted: number[] = [];
    const call = reader(counted);
    function* failing(made: MadeBytes): Work<string> {
      made.readBy(call);
      made.add(5);
      yield 1;
      throw new Error('a fault');
    }
    await expect(new LongReads<string>().finish(alone(failing), call)).rejects.toThrow('a fault');
    expect(counted).toEqual([0, 5, -5]);
  });
});

describe('long reads of the same', () => {
  function open() {
    const long = new LongReads<object>();
    const screen = {};
    let captures = 0;
    let isOpen = false;
    function* made(): Work<object> {
      yield* until(() => isOpen);
      return { number: captures };
    }
    const read = (key = 'same', signal?: AbortSignal): Promise<object> => {
      const given = long.read(
        () => ({ of: screen, key }),
        () => (captures++, made()),
      );
      return long.finish(given, testCall(signal === undefined ? {} : { signal }));
    };
    const turned = () => new Promise(setImmediate);
    return { read, turned, captured: () => captures, open: () => (isOpen = true), shut: () => (isOpen = false) };
  }

  test('are captured and made once for all who ask while it is made', async () => {
    const { read, captured, open: letIt, shut } = open();
    const all = Array.from({ length: 5 }, () => read());
    const other = read('other');
    expect(captured()).toBe(2);
    letIt();
    const [first, ...others] = await Promise.all(all);
    for (const one of others) expect(one).toBe(first);
    expect(await other).not.toBe(first);
    shut();
    const later = read();
    letIt();
    expect(await later).not.toBe(first);
    expect(captured()).toBe(3);
  });

  test('go on for the others when the client that asked first has gone, and end with the last', async () => {
    const { read, turned, captured, open: letIt } = open();
    const [first, second] = [new AbortController(), new AbortController()];
    const gone = [read('same', first.signal), read('same', second.signal)];
    const reading = read();
    await turned();
    first.abort(new Error('the first has gone'));
    await expect(gone[0]).rejects.toThrow('the first has gone');
    second.abort(new Error('the second has gone'));
    await expect(gone[1]).rejects.toThrow('the second has gone');
    const late = read();
    expect(captured()).toBe(1);
    letIt();
    expect(await reading).toBe(await late);
  });

  test('are made anew after all who asked have gone', async () => {
    const { read, turned, captured, open: letIt } = open();
    const gone = new AbortController();
    const first = read('same', gone.signal);
    await turned();
    gone.abort(new Error('the client has gone'));
    await expect(first).rejects.toThrow('the client has gone');
    const next = read();
    expect(captured()).toBe(2);
    letIt();
    expect(await next).toEqual({ number: 2 });
  });

  test('fail for all of them', async () => {
    const long = new LongReads<string>();
    function* failing(): Work<string> {
      for (const endMs = performance.now() + 8; performance.now() < endMs;) yield 1;
      throw new Error('a fault');
    }
    const read = () =>
      long.finish(
        long.read(() => ({ of: long, key: '' }), failing),
        testCall(),
      );
    const results = await Promise.allSettled([read(), read(), read()]);
    expect(results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'made'))).toEqual(
      Array.from({ length: 3 }, () => 'Error: a fault'),
    );
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
