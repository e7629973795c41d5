import { expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { Log } from '../../src/base/log.js';
import { endTerminals } from '../../src/daemon/end-terminals.js';
import type { Terminal } from '../../src/terminal/terminal.js';

/** A daemon with terminals that end as configured, and its clock. */
function leaving(ends: Readonly<Record<string, () => Promise<number[]>>>) {
  const clock = new FakeClock();
  const said: string[] = [];
  const killed: string[] = [];
  const left = new Map(Object.keys(ends).map((id) => [id, { id, killAtOnce: () => void killed.push(id) }] as const));
  const core = {
    clock,
    log: new Log((line) => said.push(line)),
    terminals: { all: () => [...left.values()] as unknown as Terminal[] },
  };
  const remove = async ({ id }: { id: string }) => {
    const orphans = (await ends[id]?.()) ?? [];
    left.delete(id);
    return orphans;
  };
  return { clock, said, killed, ended: endTerminals(core, 1000, remove) };
}

const never = (): Promise<never> => new Promise(() => {});

test('all are ended, and survivors are reported', async () => {
  const { clock, said, killed, ended } = leaving({ a: async () => [7], b: async () => [], c: async () => [8, 9] });
  expect(await ended).toEqual([7, 8, 9]);
  expect([said, killed]).toEqual([[], []]);
  expect(clock.pendingTimers).toBe(0);
});

test('one that does not end is killed at the deadline, and the others are ended', async () => {
  const { clock, said, killed, ended } = leaving({ a: never, b: async () => [7] });
  let isOver = false;
  void ended.then(() => (isOver = true));
  clock.advance(5999);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  clock.advance(1);
  expect(await ended).toEqual([7]);
  expect(killed).toEqual(['a']);
  expect(said.join('')).toContain('terminal a has not ended');
});

test('one that fails to end is killed at once, with the reason in the log', async () => {
  const { said, killed, ended } = leaving({ a: () => Promise.reject(new Error('no way')), b: async () => [] });
  expect(await ended).toEqual([]);
  expect(killed).toEqual(['a']);
  expect(said.join('')).toContain('ending terminal a: Error: no way');
});

test('a daemon without terminals leaves at once', async () => {
  const { clock, ended } = leaving({});
  expect(await ended).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
});
