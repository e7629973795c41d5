import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ring } from '../../src/base/ring.js';

test('the ring has the newest items that were pushed and not taken, in any order of calls', () => {
  const steps = fc.array(fc.oneof(fc.nat(), fc.constantFrom('shift' as const, 'clear' as const)), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), steps, (capacity, taken) => {
      const ring = new Ring<number>(capacity);
      let model: number[] = [];
      let dropped = 0;
      for (const step of taken) {
        if (step === 'clear') {
          ring.clear();
          [model, dropped] = [[], 0];
        } else if (step === 'shift') {
          expect(ring.peek()).toBe(model[0]);
          expect(ring.shift()).toBe(model.shift());
        } else {
          ring.push(step);
          model.push(step);
          if (model.length > capacity) dropped += model.splice(0, 1).length;
        }
        expect([...ring]).toEqual(model);
        expect([ring.size, ring.capacity, ring.dropped]).toEqual([model.length, capacity, dropped]);
      }
    }),
  );
});

test.each([0, -1, 1.5, Number.NaN])('the ring has room for at least one item, not for %d', (capacity) => {
  expect(() => new Ring(capacity)).toThrow(`ring capacity ${capacity}: expected at least 1`);
});
