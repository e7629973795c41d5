import { describe, expect, test } from 'vitest';
import { ParseQueue, type QueueItem } from '../../../src/vt/parsing/queue.js';
import { bytesOf } from '../screens.js';

function bytes(text: string): QueueItem {
  return { kind: 'bytes', bytes: bytesOf(text) };
}

function resize(cols: number): QueueItem {
  return { kind: 'resize', cols, rows: 24, follow: undefined, applied: () => {} };
}

function queueOf(...items: readonly QueueItem[]): ParseQueue {
  const queue = new ParseQueue();
  for (const item of items) queue.push(item);
  return queue;
}

/** The text of the next bytes, which are consumed, or the columns of the next change of size. */
function take(queue: ParseQueue, maxBytes: number): string | number | undefined {
  const next = queue.next(maxBytes);
  if (next?.kind === 'resize') return next.cols;
  queue.consume(next?.bytes.length ?? 0);
  return next && Buffer.from(next.bytes).toString();
}

function state({ accepted, taken, pendingBytes, empty }: ParseQueue): object {
  return { accepted, taken, pendingBytes, empty };
}

describe('the parse queue', () => {
  test('is empty at first', () => {
    const queue = new ParseQueue();
    expect(state(queue)).toEqual({ accepted: 0, taken: 0, pendingBytes: 0, empty: true });
    expect(queue.next(100)).toBeUndefined();
  });

  test('keeps what it has joined until it is released, also while other queues join', () => {
    const [one, other] = [queueOf(bytes('one '), bytes('two')), queueOf(bytes('three '), bytes('four'))];
    const read = (queue: ParseQueue) => {
      const next = queue.next(100);
      return next?.kind === 'bytes' ? next.bytes : new Uint8Array(0);
    };
    const [mine, theirs] = [read(one), read(other)];
    expect([mine, theirs].map((joined) => Buffer.from(joined).toString())).toEqual(['one two', 'three four']);
    one.release();
    expect(Buffer.from(theirs).toString()).toBe('three four');
    expect(take(one, 100)).toBe('one two');
    expect(take(other, 100)).toBe('three four');
  });

  test('keeps its order, joins small pieces and takes each resize alone', () => {
    const queue = queueOf(bytes('one '), bytes('two'), resize(90), resize(91), bytes('three'));
    expect(state(queue)).toEqual({ accepted: 5, taken: 0, pendingBytes: 12, empty: false });
    expect(take(queue, 100)).toBe('one two');
    expect(state(queue)).toEqual({ accepted: 5, taken: 2, pendingBytes: 5, empty: false });
    expect(take(queue, 100)).toBe(90);
    expect(take(queue, 100)).toBe(91);
    expect(state(queue)).toEqual({ accepted: 5, taken: 4, pendingBytes: 5, empty: false });
    expect(take(queue, 100)).toBe('three');
    expect(state(queue)).toEqual({ accepted: 5, taken: 5, pendingBytes: 0, empty: true });
    expect(queue.next(100)).toBeUndefined();
  });

  test('cuts a slice at its limit, and counts an item as taken with its last byte', () => {
    const queue = queueOf(bytes('abc'), bytes('defgh'));
    expect(take(queue, 5)).toBe('abcde');
    expect(state(queue)).toEqual({ accepted: 2, taken: 1, pendingBytes: 3, empty: false });
    expect(take(queue, 5)).toBe('fgh');
    expect(state(queue)).toEqual({ accepted: 2, taken: 2, pendingBytes: 0, empty: true });
  });

  test('cuts a slice at its limit between items, without an empty piece', () => {
    const queue = queueOf(bytes('abc'), bytes('def'));
    expect(take(queue, 3)).toBe('abc');
    expect(state(queue)).toEqual({ accepted: 2, taken: 1, pendingBytes: 3, empty: false });
    expect(take(queue, 3)).toBe('def');
  });

  test('keeps what is not consumed, also of joined pieces', () => {
    const queue = queueOf(bytes('abc'), bytes('def'), resize(90));
    expect(queue.next(100)).toEqual({ kind: 'bytes', bytes: Buffer.from('abcdef') });
    queue.consume(4);
    expect(state(queue)).toEqual({ accepted: 3, taken: 1, pendingBytes: 2, empty: false });
    queue.consume(0);
    expect(take(queue, 100)).toBe('ef');
    queue.consume(7);
    expect(take(queue, 100)).toBe(90);
    expect(state(queue)).toEqual({ accepted: 3, taken: 3, pendingBytes: 0, empty: true });
  });

  test('passes on a piece as it is where nothing is to be joined', () => {
    const [one, two] = [bytesOf('abc'), bytesOf('def')];
    const queue = queueOf({ kind: 'bytes', bytes: one }, { kind: 'bytes', bytes: two });
    const first = queue.next(3);
    expect(first?.kind === 'bytes' && first.bytes.buffer).toBe(one.buffer);
    queue.consume(3);
    const second = queue.next(100);
    expect(second?.kind === 'bytes' && second.bytes.buffer).toBe(two.buffer);
  });

  test('takes an empty piece together with its neighbour', () => {
    const queue = queueOf(bytes(''), bytes('ab'), bytes(''));
    expect(take(queue, 100)).toBe('ab');
    expect(state(queue)).toEqual({ accepted: 3, taken: 3, pendingBytes: 0, empty: true });
  });

  test('can grow while slices are taken from it', () => {
    const queue = queueOf(bytes('a'), resize(90));
    expect(take(queue, 100)).toBe('a');
    queue.push(bytes('b'));
    expect(take(queue, 100)).toBe(90);
    queue.push(bytes('c'));
    expect(take(queue, 100)).toBe('bc');
    queue.push(resize(91));
    expect(state(queue)).toEqual({ accepted: 5, taken: 4, pendingBytes: 0, empty: false });
    expect(take(queue, 100)).toBe(91);
    expect(queue.empty).toBe(true);
  });
});

describe('discarding the parse queue', () => {
  test('drops the remaining bytes but keeps resizes', () => {
    const queue = queueOf(bytes('abc'), resize(90), bytes('def'), resize(91), bytes('g'));
    expect(take(queue, 2)).toBe('ab');
    expect(queue.discardBytes()).toBe(5);
    expect(state(queue)).toEqual({ accepted: 5, taken: 3, pendingBytes: 0, empty: false });
    expect([take(queue, 9), take(queue, 9)]).toEqual([90, 91]);
    expect(state(queue)).toEqual({ accepted: 5, taken: 5, pendingBytes: 0, empty: true });
    expect(queue.discardBytes()).toBe(0);
    queue.push(bytes('new'));
    expect(take(queue, 9)).toBe('new');
  });

  test('at the end drops everything and returns it in order', () => {
    const queue = queueOf(bytes('abc'), resize(90), bytes('def'));
    take(queue, 9);
    expect(queue.clear().map(({ kind }) => kind)).toEqual(['resize', 'bytes']);
    expect([queue.pendingBytes, queue.empty]).toEqual([0, true]);
    expect(queue.next(9)).toBeUndefined();
    expect(queue.clear()).toEqual([]);
  });
});
