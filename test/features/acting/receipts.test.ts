/** Receipts of deliveries by their keys. */
import { expect, it } from 'vitest';
import { Parts } from '../../../src/base/parts.js';
import { type Receipt, withReceipt } from '../../../src/features/delivery/receipts.js';
import { MAX_DELIVERY_KEYS } from '../../../src/protocol/delivery.js';
import type { Terminal } from '../../../src/terminal/terminal.js';

it('of more keys than are kept the oldest one delivers anew', async () => {
  const terminal = Object.assign(new Parts(), { id: 't1', generation: 1 }) as unknown as Terminal;
  const delivered: string[] = [];
  const deliver = async (key: string): Promise<boolean> => {
    const { repeated } = await withReceipt(terminal, key, 'text', new AbortController().signal, () => {
      delivered.push(key);
      return Promise.resolve({ outcome: 'submitted', written: true } as Receipt);
    });
    return repeated === true;
  };
  const keys = Array.from({ length: MAX_DELIVERY_KEYS }, (_, i) => `key ${i}`);
  for (const key of keys) expect(await deliver(key)).toBe(false);
  for (const key of keys) expect(await deliver(key)).toBe(true);
  expect(await deliver('one more')).toBe(false);
  expect(await deliver('key 1')).toBe(true);
  expect(await deliver('key 0')).toBe(false);
  expect(delivered).toEqual([...keys, 'one more', 'key 0']);
});
