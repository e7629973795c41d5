/** Turns of inboxes: whose work comes when is counted, and not timed. */
import { expect, test } from 'vitest';
import { InboxTurns } from '../../src/nats/inbox-turns.js';
import { Requests } from '../../src/nats/refused-requests.js';

/** Of the thread. */
function work(ms: number): void {
  for (const endMs = performance.now() + ms; performance.now() < endMs;);
}

test('a message of one inbox comes after a slice of another one, and not after all that this has sent', async () => {
  const turns = new InboxTurns();
  const order: string[] = [];
  const act = (inbox: string) => () => {
    work(0.2);
    order.push(inbox);
  };
  for (let i = 0; i < 500; i++) expect(turns.take('greedy', 10, act('greedy'))).toBe(true);
  expect(turns.take('other', 10, act('other'))).toBe(true);
  expect(order).toEqual([]);
  await expect.poll(() => order).toHaveLength(501);
  // One slice, and the message that crosses its end.
  expect(order.indexOf('other')).toBeLessThan(40);
});

test('messages of one inbox keep their order', async () => {
  const turns = new InboxTurns();
  const order: number[] = [];
  for (let i = 0; i < 300; i++) {
    turns.take('one', 10, () => {
      work(0.05);
      order.push(i);
    });
  }
  await expect.poll(() => order).toEqual(Array.from({ length: 300 }, (_, i) => i));
});

test('what waits has a bound, half of it for one inbox, and is free once it was done', async () => {
  const turns = new InboxTurns();
  let done = 0;
  const take = (inbox: string): boolean => turns.take(inbox, 1024 * 1024, () => done++);
  let taken = 0;
  while (take('greedy')) taken++;
  expect(taken).toBe(31);
  expect([take('other'), take('greedy')]).toEqual([true, false]);
  await expect.poll(() => done).toBe(32);
  expect(take('greedy')).toBe(true);
});

test('what is dropped is not done, and its room is free', async () => {
  const turns = new InboxTurns();
  const done: string[] = [];
  for (let i = 0; i < 31; i++) turns.take('one', 1024 * 1024, () => done.push('dropped'));
  turns.drop();
  expect(turns.take('one', 1024 * 1024, () => done.push('later'))).toBe(true);
  await expect.poll(() => done).toEqual(['later']);
});

test('many links of one inbox have one turn together', async () => {
  const turns = new InboxTurns();
  let refusals = 0;
  const link = (inbox: string): Requests =>
    new Requests({ refuse: () => void refusals++, turn: () => turns.next(inbox) });
  const greedy = Array.from({ length: 64 }, () => link('greedy'));
  const other = link('other');
  const before = new Promise<number>((resolve) => other.once('data', () => resolve(refusals)));
  const message = '{"cmd":"type","secret":true}\n'.repeat(4000);
  for (const one of greedy) turns.take('greedy', message.length, () => one.write(message));
  turns.take('other', 15, () => other.write('{"cmd":"list"}\n'));
  // Each of its links would have refused as many as come into a slice.
  expect(await before).toBeLessThan(4000);
  await expect.poll(() => refusals, { timeout: 60_000 }).toBe(64 * 4000);
});

test('connections of one inbox to the daemon have one name, which others cannot know', () => {
  const [one, two] = [new InboxTurns(), new InboxTurns()];
  const names = [one.nameOf('_INBOX.a'), one.nameOf('_INBOX.b'), two.nameOf('_INBOX.a')];
  expect(new Set(names).size).toBe(3);
  expect(one.nameOf('_INBOX.a')).toBe(names[0]);
  expect(names.every((name) => name.length >= 16 && name.length <= 128)).toBe(true);
});
