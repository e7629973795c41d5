/** What each rule has found. */
import { expect, it } from 'vitest';
import { Tally } from '../../../src/features/rules/tally.js';
import { profileOf } from '../../activity/watched.js';

it('counts by rule, lists rules that found nothing and fallbacks, and forgets what is no rule any more', () => {
  const [a, b] = [
    { id: 'a', start: 'a', fallback: 'b', emit: { kind: 'x' } },
    { id: 'b', start: 'b', emit: { kind: 'y' } },
  ];
  const tally = new Tally();
  expect(tally.of([profileOf(a, b)])).toEqual([]);
  tally.use('mine');
  const add = (op: 'upsert' | 'finalize' | 'delete', rule: string, version: number): void =>
    tally.add('mine', { op, entry: { rule, version } });
  add('upsert', 'a', 1);
  add('upsert', 'a', 2);
  add('finalize', 'a', 2);
  add('upsert', 'a', 1);
  add('delete', 'a', 1);
  expect(tally.of([profileOf(a, b)])).toEqual([
    { profile: 'mine', rule: 'a', kind: 'x', found: 2, changed: 1, deleted: 1 },
    { profile: 'mine', rule: 'b', kind: 'y', found: 0, changed: 0, deleted: 0 },
  ]);
  tally.of([profileOf(b)]);
  expect(tally.of([profileOf(a, b)])[0]).toMatchObject({ rule: 'a', found: 0 });
});
