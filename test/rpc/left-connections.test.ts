/** Connections of the daemon before: whose client is back, and for how long one that stays away is waited for. */
import { expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { LeftConnections } from '../../src/rpc/left-connections.js';
import type { CallConnection } from '../../src/rpc/service.js';

class Connection implements CallConnection {
  readonly #listeners: (() => void)[] = [];

  onGone(listener: () => void) {
    this.#listeners.push(listener);
    return { dispose: () => {} };
  }

  close(): void {
    for (const listener of this.#listeners) listener();
  }
}

function left() {
  const clock = new FakeClock();
  const all = new LeftConnections(clock);
  const connection = all.thaw({ scope: 'mine', leftMs: 10_000 });
  let isGone = false;
  connection.onGone(() => (isGone = true));
  return { clock, all, connection, isGone: () => isGone };
}

test('a client that stays away is gone after its time, and not before', () => {
  const { clock, isGone } = left();
  clock.advance(9999);
  expect(isGone()).toBe(false);
  clock.advance(1);
  expect(isGone()).toBe(true);
});

test('a client that is back is there as long as one of its connections', () => {
  const { clock, all, isGone } = left();
  const [one, other] = [new Connection(), new Connection()];
  all.asked('mine', one);
  all.asked('mine', other);
  clock.advance(60_000);
  one.close();
  expect(isGone()).toBe(false);
  other.close();
  expect(isGone()).toBe(true);
});

test('a program of the same scope that asks once takes no time from the client', () => {
  const { clock, all, connection, isGone } = left();
  clock.advance(1000);
  const once = new Connection();
  all.asked('mine', once);
  once.close();
  expect([isGone(), all.freeze(connection, 'mine').leftMs]).toEqual([false, 9000]);
  clock.advance(1000);
  all.asked('mine', new Connection());
  clock.advance(60_000);
  expect(isGone()).toBe(false);
});

test('a request of another scope, or of none, is of another client', () => {
  const { clock, all, isGone } = left();
  all.asked('other', new Connection());
  all.asked(undefined, new Connection());
  clock.advance(10_000);
  expect(isGone()).toBe(true);
});
