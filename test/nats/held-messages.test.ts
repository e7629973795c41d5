/** How long a host that has stood still holds what it hears, by a clock that stands until it is advanced. */
import { headers, type Msg } from '@nats-io/transport-node';
import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { HeldMessages } from '../../src/nats/held-messages.js';

/** What the host takes for a standstill. */
const STILL_MS = 2500;
/** In which a gateway closes what leads to a host that is listed no more. */
const LEAST_MS = 1500;

interface Host {
  readonly clock: FakeClock;
  readonly held: HeldMessages;
  /** What was acted on, in its order. */
  readonly acted: readonly string[];
  readonly hear: (text: string) => void;
  /** Another host has the name, or none: it is known now. */
  readonly nameIsKnown: () => void;
  /** What follows from what has come has followed. */
  readonly followed: () => Promise<void>;
}

function host(): Host {
  const clock = new FakeClock();
  const acted: string[] = [];
  let known: () => void = () => {};
  const held = new HeldMessages({
    clock,
    nats: { publish: () => {}, flush: async () => {} },
    at: () => '_INBOX.host.address',
    askName: () => new Promise((resolve) => (known = resolve)),
    onGone: () => {},
    onFull: () => {},
  });
  onTestFinished(() => held.dispose());
  return {
    clock,
    held,
    acted,
    hear(text) {
      const message = messageOf(text);
      held.note(message);
      held.hear(message, () => acted.push(text));
    },
    nameIsKnown: () => known(),
    followed: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

function messageOf(text: string): Msg {
  return {
    subject: 't4a.host',
    reply: '_INBOX.asker.1',
    data: Buffer.from(text),
    headers: headers(),
  } as unknown as Msg;
}

test('what a host hears while it runs is done at once', () => {
  const { clock, acted, hear } = host();
  clock.advance(STILL_MS - 1);
  hear('a');
  expect(acted).toEqual(['a']);
  expect(clock.pendingTimers).toBe(0);
});

test('after a standstill all is held for the least time, also when the name is known before, and is done in its order then', async () => {
  const { clock, held, acted, hear, nameIsKnown, followed } = host();
  clock.advance(STILL_MS);
  hear('a');
  nameIsKnown();
  clock.advance(LEAST_MS - 1);
  await followed();
  hear('b');
  expect(acted).toEqual([]);
  const { asking } = held;
  clock.advance(1);
  await asking;
  expect(acted).toEqual(['a', 'b']);
  hear('c');
  expect(acted).toEqual(['a', 'b', 'c']);
});

test('after the least time all is held until the name is known', async () => {
  const { clock, held, acted, hear, nameIsKnown, followed } = host();
  clock.advance(STILL_MS);
  hear('a');
  clock.advance(LEAST_MS);
  await followed();
  expect(acted).toEqual([]);
  const { asking } = held;
  expect(asking).toBeDefined();
  nameIsKnown();
  await asking;
  expect(acted).toEqual(['a']);
});
