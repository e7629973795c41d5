/** Which needs call the person, without a browser. */
import { expect, test } from 'vitest';
import { Calls } from '../../src/page/calls.js';
import { needsOf, type Need } from '../../src/page/state.js';

const MINUTE = 60_000;

function calling() {
  const shown: { readonly title: string; readonly tag: string; closed: boolean }[] = [];
  const calls = new Calls(({ title, tag }) => {
    const one = { title, tag, closed: false };
    shown.push(one);
    return { close: () => void (one.closed = true) };
  });
  return { calls, shown, titles: () => shown.map(({ title }) => title) };
}

function need(id: string | null, number: number, what: Need['what'] = 'asks', daemon = 'local'): Need {
  return { daemon, id, what, key: JSON.stringify([daemon, id, what, number]) };
}

test('a need calls once, and what stands on the screen goes with it', () => {
  const { calls, shown, titles } = calling();
  for (let i = 0; i < 3; i++) calls.see([need('a', 1)], false, i * MINUTE);
  expect(titles()).toEqual(['a asks you']);
  calls.see([], false, 4 * MINUTE);
  expect(shown[0]?.closed).toBe(true);
});

test('what was seen does not call later', () => {
  const { calls, titles } = calling();
  calls.see([need('a', 1)], true, 0);
  calls.see([need('a', 1), need(null, 2)], false, 1);
  expect(titles()).toEqual(['An agent asks you']);
});

test('a terminal calls once a minute, and other terminals at once', () => {
  const { calls, titles } = calling();
  calls.see([need('a', 1)], false, 0);
  const later = [need('a', 2), need('b', 1, 'failed')];
  expect(calls.see(later, false, 1000)).toBe(MINUTE - 1000);
  expect(titles()).toEqual(['a asks you', 'b has failed']);
  expect(calls.see(later, false, MINUTE)).toBeUndefined();
  expect(titles()).toEqual(['a asks you', 'b has failed', 'a asks you']);
});

test('names of other hosts are cut, without the characters that turn text around', () => {
  const { calls, titles } = calling();
  calls.see([need(`\u202E${'x'.repeat(500)}`, 1, 'waits', 'far')], false, 0);
  expect(titles()).toEqual([`${'x'.repeat(60)} waits for you`]);
});

test('the same name at two daemons is two places, with the same tags in every tab', () => {
  const [one, other] = [calling(), calling()];
  one.calls.see([need('a', 1), need('a', 1, 'asks', 'far')], false, 0);
  other.calls.see([need('a', 1)], false, 0);
  expect(one.shown[0]?.tag).not.toBe(one.shown[1]?.tag);
  expect(other.shown[0]?.tag).toBe(one.shown[0]?.tag);
});

test('calls of a crowd are bounded', () => {
  const { calls, shown } = calling();
  const crowd = Array.from({ length: 2000 }, (_, i) => need(`t${i}`, 1));
  calls.see(crowd, false, 0);
  expect(shown).toHaveLength(256);
});

test('needs are open questions, and programs that wait or have failed by what is known of them', () => {
  const terminal = (id: string, needs_you: string | null): never =>
    ({ id, alive: true, doing: { is: 'waiting', needs_you, since: 5 } }) as never;
  const terminals = [
    terminal('a', 'permission'),
    terminal('b', 'error'),
    terminal('c', 'ask'),
    terminal('d', null),
    { id: 'f', alive: true } as never,
  ];
  const asks = [{ ask: 7, id: 'c' } as never];
  const needs = needsOf([{ name: 'local', asks, terminals }]);
  expect(needs.map(({ id, what }) => [id, what])).toEqual([
    ['c', 'asks'],
    ['a', 'waits'],
    ['b', 'failed'],
  ]);
});
