/** What is counted: one connection may take half of it, another one has the rest, and what is over is free at once. */
import { expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { Shares } from '../../src/base/shares.js';
import { DeliveryLine } from '../../src/features/delivery/line.js';
import { InputQueue } from '../../src/terminal/input/queue.js';

/** Takes one place, until `until` resolves. @throws if there is none, or rejects */
type Take = (connection: object | undefined, until: Promise<void>) => Promise<unknown>;

const MEBIBYTE = 1024 * 1024;

const COUNTED: readonly (readonly [what: string, most: number, code: string, make: () => Take])[] = [
  [
    'input that waits, in mebibytes',
    8,
    'input_blocked',
    () => {
      const queue = new InputQueue(new FakeClock());
      return (connection, until) => queue.take(MEBIBYTE, () => until, connection);
    },
  ],
  [
    'requests whose input waits',
    2048,
    'input_blocked',
    () => {
      const queue = new InputQueue(new FakeClock());
      return (connection, until) => queue.take(1, () => until, connection);
    },
  ],
  [
    'prompts that wait for a terminal',
    64,
    'too_many_waits',
    () => {
      const line = new DeliveryLine();
      return (connection, until) => line.within('t1', () => ({ run: () => until }), connection);
    },
  ],
  [
    'shares',
    10,
    'none',
    () => {
      const shares = new Shares(10);
      return async (connection, until) => {
        if (shares.lack(connection) !== undefined) throw Object.assign(new Error('no room'), { code: 'none' });
        shares.take(connection);
        await until;
        shares.free(connection);
      };
    },
  ],
];

test.each(COUNTED)('of %s one connection may take half', async (_, most, code, make) => {
  const take = make();
  const [own, other] = [{}, {}];
  let end = (): void => {};
  const until = new Promise<void>((resolve) => (end = resolve));
  const takeMany = (connection: object | undefined, count: number): Promise<unknown>[] =>
    Array.from({ length: count }, () => take(connection, until));
  const refused = (connection: object | undefined) => expect(take(connection, until)).rejects.toMatchObject({ code });
  const taken = takeMany(own, most / 2);
  await refused(own);
  taken.push(...takeMany(other, most / 2 - 1), ...takeMany(undefined, 1));
  for (const connection of [own, other, {}, undefined]) await refused(connection);
  end();
  await Promise.all(taken);
  await Promise.all([...takeMany(own, most / 2), ...takeMany(undefined, most / 2)]);
});
