import { describe, expect, test } from 'vitest';
import { ParseQueue, type QueueItem, type Slice } from '../../../src/vt/parsing/queue.js';
import { bytesOf } from '../screens.js';

const GRID = { cols: 80, rows: 24 };
/** So large that one scroll of it is a slice. */
const LARGE_GRID = { cols: 1000, rows: 1000 };

function bytes(text: string): QueueItem {
  return { kind: 'bytes', bytes: bytesOf(text) };
}

function resize(cols: number): QueueItem {
  return { kind: 'resize', cols, rows: 24, applied: () => {} };
}

function queueOf(...items: readonly QueueItem[]): ParseQueue {
  const queue = new ParseQueue();
  for (const item of items) queue.push(item);
  return queue;
}

/** The text of a slice, or the columns of a change of size. */
function shown(slice: Slice | undefined): string | number | undefined {
  if (slice?.kind === 'resize') return slice.cols;
  return slice && Buffer.concat(slice.pieces).toString();
}

function state({ accepted, taken, pendingBytes, empty }: ParseQueue): object {
  return { accepted, taken, pendingBytes, empty };
}

describe('the parse queue', () => {
  test('is empty at first', () => {
    const queue = new ParseQueue();
    expect(state(queue)).toEqual({ accepted: 0, taken: 0, pendingBytes: 0, empty: true });
    expect(queue.take(100, GRID)).toBeUndefined();
  });

  test('keeps its order, joins small pieces and takes each resize alone', () => {
    const queue = queueOf(bytes('one '), bytes('two'), resize(90), resize(91), bytes('three'));
    expect(state(queue)).toEqual({ accepted: 5, taken: 0, pendingBytes: 12, empty: false });
    expect(shown(queue.take(100, GRID))).toBe('one two');
    expect(state(queue)).toEqual({ accepted: 5, taken: 2, pendingBytes: 5, empty: false });
    expect(shown(queue.take(100, GRID))).toBe(90);
    expect(shown(queue.take(100, GRID))).toBe(91);
    expect(state(queue)).toEqual({ accepted: 5, taken: 4, pendingBytes: 5, empty: false });
    expect(shown(queue.take(100, GRID))).toBe('three');
    expect(state(queue)).toEqual({ accepted: 5, taken: 5, pendingBytes: 0, empty: true });
    expect(queue.take(100, GRID)).toBeUndefined();
  });

  test('cuts a slice at its limit, and counts an item as taken with its last byte', () => {
    const queue = queueOf(bytes('abc'), bytes('defgh'));
    const first = queue.take(5, GRID);
    expect([shown(first), first?.kind === 'bytes' && first.length]).toEqual(['abcde', 5]);
    expect(state(queue)).toEqual({ accepted: 2, taken: 1, pendingBytes: 3, empty: false });
    expect(shown(queue.take(5, GRID))).toBe('fgh');
    expect(state(queue)).toEqual({ accepted: 2, taken: 2, pendingBytes: 0, empty: true });
  });

  test('cuts a slice at its limit between items, without an empty piece', () => {
    const queue = queueOf(bytes('abc'), bytes('def'));
    const slice = queue.take(3, GRID);
    expect(slice).toMatchObject({ kind: 'bytes', length: 3, pieces: [bytesOf('abc')] });
    expect(state(queue)).toEqual({ accepted: 2, taken: 1, pendingBytes: 3, empty: false });
    expect(shown(queue.take(3, GRID))).toBe('def');
  });

  test('cuts a slice when the cost of parsing is spent, even between items', () => {
    const scroll = '\x1b[9999S';
    const queue = queueOf(bytes(scroll), bytes(`${scroll}text`));
    expect(shown(queue.take(100, LARGE_GRID))).toBe(scroll);
    expect(state(queue)).toEqual({ accepted: 2, taken: 1, pendingBytes: scroll.length + 4, empty: false });
    expect(shown(queue.take(100, LARGE_GRID))).toBe(scroll);
    expect(shown(queue.take(100, LARGE_GRID))).toBe('text');
    expect(queue.empty).toBe(true);
  });

  test('takes an empty piece together with its neighbour', () => {
    const queue = queueOf(bytes(''), bytes('ab'), bytes(''));
    expect(shown(queue.take(100, GRID))).toBe('ab');
    expect(state(queue)).toEqual({ accepted: 3, taken: 3, pendingBytes: 0, empty: true });
  });

  test('can grow while slices are taken from it', () => {
    const queue = queueOf(bytes('a'), resize(90));
    expect(shown(queue.take(100, GRID))).toBe('a');
    queue.push(bytes('b'));
    expect(shown(queue.take(100, GRID))).toBe(90);
    queue.push(bytes('c'));
    expect(shown(queue.take(100, GRID))).toBe('bc');
    queue.push(resize(91));
    expect(state(queue)).toEqual({ accepted: 5, taken: 4, pendingBytes: 0, empty: false });
    expect(shown(queue.take(100, GRID))).toBe(91);
    expect(queue.empty).toBe(true);
  });
});

describe('discarding the parse queue', () => {
  test('drops the remaining bytes but keeps resizes', () => {
    const queue = queueOf(bytes('abc'), resize(90), bytes('def'), resize(91), bytes('g'));
    expect(shown(queue.take(2, GRID))).toBe('ab');
    expect(queue.discardBytes()).toBe(5);
    expect(state(queue)).toEqual({ accepted: 5, taken: 3, pendingBytes: 0, empty: false });
    expect([shown(queue.take(9, GRID)), shown(queue.take(9, GRID))]).toEqual([90, 91]);
    expect(state(queue)).toEqual({ accepted: 5, taken: 5, pendingBytes: 0, empty: true });
    expect(queue.discardBytes()).toBe(0);
    queue.push(bytes('new'));
    expect(shown(queue.take(9, GRID))).toBe('new');
  });

  test('at the end drops everything and returns it in order', () => {
    const queue = queueOf(bytes('abc'), resize(90), bytes('def'));
    queue.take(9, GRID);
    expect(queue.clear().map(({ kind }) => kind)).toEqual(['resize', 'bytes']);
    expect([queue.pendingBytes, queue.empty]).toEqual([0, true]);
    expect(queue.take(9, GRID)).toBeUndefined();
    expect(queue.clear()).toEqual([]);
  });
});
