import { expect, it } from 'vitest';
import { randomHex } from '../../src/rpc/random-hex.js';

it('returns two digits a byte, others each time', () => {
  const drawn = Array.from({ length: 50 }, () => randomHex(8));
  for (const hex of drawn) expect(hex).toMatch(/^[0-9a-f]{16}$/);
  expect(new Set(drawn).size).toBe(drawn.length);
});
