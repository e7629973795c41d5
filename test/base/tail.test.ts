import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteTail } from '../../src/base/tail.js';
import { TailAhead, TailsBefore } from '../../src/base/tail-ahead.js';

const pieces = fc.array(fc.uint8Array({ maxLength: 25 }), { maxLength: 20 });
const size = fc.integer({ min: 1, max: 12 });

test('the last bytes are kept, however they were cut', () => {
  fc.assert(
    fc.property(pieces, size, size, size, fc.nat(30), (chunks, capacity, block, first, count) => {
      const tail = new ByteTail(capacity, block, first);
      for (const chunk of chunks) tail.push(chunk);
      const whole = Buffer.concat(chunks);
      const kept = Math.min(count, capacity, whole.length);
      expect(Buffer.from(tail.last(count))).toEqual(whole.subarray(whole.length - kept));
      expect(tail.total).toBe(whole.length);
    }),
  );
});

test('what is kept is read from any offset', () => {
  fc.assert(
    fc.property(pieces, size, size, size, fc.nat(12), fc.nat(30), (chunks, capacity, block, first, after, count) => {
      const tail = new ByteTail(capacity, block, first);
      for (const chunk of chunks) tail.push(chunk);
      const whole = Buffer.concat(chunks);
      expect(tail.first).toBe(Math.max(0, whole.length - capacity));
      const offset = tail.first + after;
      expect(Buffer.from(tail.read(offset, count))).toEqual(whole.subarray(offset, offset + count));
    }),
  );
});

test('memory grows in blocks as bytes come, the first from little, up to the capacity', () => {
  const tail = new ByteTail(10, 4, 1);
  const grown = [0, 1, 1, 2, 1, 4, 90].map((bytes) => {
    tail.push(new Uint8Array(bytes));
    return tail.allocatedBytes;
  });
  expect(grown).toEqual([0, 1, 2, 4, 8, 10, 10]);
});

test('what is forgotten is not kept, and what comes after it has the offsets that it would have', () => {
  fc.assert(
    fc.property(pieces, pieces, size, size, size, (before, after, capacity, block, first) => {
      const tail = new ByteTail(capacity, block, first);
      for (const chunk of before) tail.push(chunk);
      const floor = tail.total;
      tail.forget();
      expect([tail.first, tail.allocatedBytes, tail.last(30).length]).toEqual([floor, 0, 0]);
      for (const chunk of after) tail.push(chunk);
      const whole = Buffer.concat(after);
      expect(tail.first).toBe(Math.max(floor, floor + whole.length - capacity));
      expect(Buffer.from(tail.read(tail.first, 30))).toEqual(whole.subarray(tail.first - floor).subarray(0, 30));
    }),
  );
});

test('a tail whose bytes went ahead while it went on has in the other process what it has here', () => {
  const step = fc.oneof(
    fc.uint8Array({ maxLength: 25 }).map((bytes) => ({ bytes })),
    fc.constant('give' as const),
    fc.constant('give one' as const),
    fc.constant('forget' as const),
  );
  fc.assert(
    fc.property(pieces, fc.array(step, { maxLength: 20 }), size, (earlier, steps, capacity) => {
      const tail = new ByteTail(capacity);
      for (const chunk of earlier) tail.push(chunk);
      const ahead = new TailAhead(tail);
      const before = new TailsBefore(capacity);
      for (const each of steps) {
        if (typeof each === 'object') tail.push(each.bytes);
        else if (each === 'forget') tail.forget();
        else
          for (const part of ahead.parts()) {
            before.add(1, part);
            if (each === 'give one') break;
          }
      }
      const frozen = tail.freeze(ahead.end);
      const other = new ByteTail(capacity);
      other.restore(frozen, before.take(1));
      const more = Uint8Array.from([1, 2, 3]);
      for (const one of [tail, other]) one.push(more);
      expect([other.total, other.first, other.floor]).toEqual([tail.total, tail.first, tail.floor]);
      expect(other.last(capacity)).toEqual(tail.last(capacity));
      expect(frozen.bytes.length).toBeLessThanOrEqual(capacity);
    }),
    { numRuns: 500 },
  );
});

test('what went ahead is not sent again, and what is missing is an error', () => {
  const tail = new ByteTail(100);
  tail.push(new Uint8Array(80));
  const ahead = new TailAhead(tail);
  const parts = [...ahead.parts()];
  expect(parts.map(({ from, bytes }) => [from, bytes.length])).toEqual([[0, 80]]);
  tail.push(new Uint8Array(5));
  const frozen = tail.freeze(ahead.end);
  expect(frozen.bytes.length).toBe(5);
  expect(() => new ByteTail(100).restore(frozen)).toThrow('Output before byte 80 is missing.');
  tail.push(new Uint8Array(96));
  expect(ahead.end).toBeUndefined();
});
