import { expect, test } from 'vitest';
import { PartKey, Parts } from '../../src/base/parts.js';

const LABELS = new PartKey<string[]>(() => []);
const LAST = new PartKey<number | undefined>(() => undefined);

test('a part is made when it is first asked for, and is the same from then on', () => {
  const parts = new Parts();
  parts.part(LABELS).value.push('a');
  parts.part(LAST).value ??= 1;
  parts.part(LAST).value ??= 2;
  expect(parts.part(LABELS).value).toEqual(['a']);
  expect(parts.part(LAST).value).toBe(1);
});

test('the same key has another part of another owner', () => {
  const [one, other] = [new Parts(), new Parts()];
  one.part(LABELS).value.push('a');
  expect(other.part(LABELS).value).toEqual([]);
});
