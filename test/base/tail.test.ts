import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteTail } from '../../src/base/tail.js';

test('the last bytes are kept, however they were cut', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 25 }), { maxLength: 20 });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 12 }), fc.nat(30), (pieces, capacity, count) => {
      const tail = new ByteTail(capacity);
      for (const piece of pieces) tail.push(piece);
      const whole = Buffer.concat(pieces);
      const kept = Math.min(count, capacity, whole.length);
      expect(Buffer.from(tail.last(count))).toEqual(whole.subarray(whole.length - kept));
      expect(tail.total).toBe(whole.length);
    }),
  );
});
