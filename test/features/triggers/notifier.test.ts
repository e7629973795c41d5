/** When a person is called, without any command or webhook. */
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { type Call, Notifier } from '../../../src/features/triggers/notifier.js';
import type { PublishedEvent } from '../../../src/protocol/events.js';
import type { Terminal } from '../../../src/terminal/terminal.js';
import type { NotifyRule } from '../../../src/protocol/triggers.js';

const RULE: NotifyRule = { on: ['ask', 'waiting', 'failed'], command: ['true'], format: 'text' };

function notifying(rules: readonly NotifyRule[] = [RULE], send?: () => Promise<void>) {
  let wallMs = 0;
  const clock = Object.assign(new FakeClock(), { wallNow: () => wallMs });
  const setWall = (ms: number): void => void (wallMs = ms);
  const calls: Call[] = [];
  const warnings: string[] = [];
  const notifier = new Notifier({
    clock,
    rules: () => rules,
    find: (id) => ({ id }) as Terminal,
    answersRun: ({ id }) => id.startsWith('run'),
    send: async (call) => {
      calls.push(call);
      await send?.();
    },
    warn: (message) => void warnings.push(message),
  });
  const take = (event: object): void => notifier.take({ seq: 1, ts: 5, ...event } as PublishedEvent);
  return { clock, setWall, calls, warnings, take, whats: () => calls.map(({ what, terminal }) => [what, terminal]) };
}

test('a question, a program that waits or has failed, and an end with another status than 0 call', async () => {
  const { take, whats } = notifying();
  take({ event: 'asked', ask: 1, terminal: 'a' });
  take({ event: 'asked', ask: 2 });
  take({ event: 'doing', terminal: 'b', is: 'waiting', needs_you: 'permission' });
  take({ event: 'doing', terminal: 'c', is: 'error', needs_you: 'error' });
  take({ event: 'exit', terminal: 'd', code: 3, signal: null });
  await expect.poll(whats).toEqual([
    ['ask', 'a'],
    ['ask', null],
    ['waiting', 'b'],
    ['failed', 'c'],
    ['failed', 'd'],
  ]);
});

test('work, ends with 0 or by a signal, and what an open question has said already do not', () => {
  const { take, calls } = notifying();
  take({ event: 'doing', terminal: 'a', is: 'working', needs_you: null });
  take({ event: 'doing', terminal: 'a', is: 'waiting', needs_you: 'ask' });
  take({ event: 'exit', terminal: 'a', code: 0, signal: null });
  take({ event: 'exit', terminal: 'b', code: null, signal: 'SIGHUP' });
  take({ event: 'bell', terminal: 'a' });
  expect(calls).toEqual([]);
});

test('each rule calls once a minute for a terminal', async () => {
  const { take, clock, whats } = notifying([RULE, { ...RULE, on: ['ask'] }]);
  for (const terminal of ['a', 'a', 'b']) take({ event: 'asked', ask: 1, terminal });
  expect(whats()).toEqual([
    ['ask', 'a'],
    ['ask', 'a'],
    ['ask', 'b'],
    ['ask', 'b'],
  ]);
  clock.advance(59_999);
  take({ event: 'asked', ask: 2, terminal: 'a' });
  expect(whats()).toHaveLength(4);
  clock.advance(1);
  take({ event: 'asked', ask: 3, terminal: 'a' });
  await expect.poll(whats).toHaveLength(6);
});

test('the failure of a run is its answer, and each rule calls for three failures a minute', async () => {
  const { take, clock, whats } = notifying();
  for (const terminal of ['run1', 'run2']) {
    take({ event: 'exit', terminal, code: 1, signal: null });
    take({ event: 'doing', terminal, is: 'error', needs_you: 'error' });
  }
  expect(whats()).toEqual([]);
  for (let n = 0; n < 9; n++) take({ event: 'exit', terminal: `made${n}`, code: 1, signal: null });
  take({ event: 'asked', ask: 1, terminal: 'run3' });
  clock.advance(60_000);
  take({ event: 'exit', terminal: 'made9', code: 1, signal: null });
  await expect
    .poll(whats)
    .toEqual([...['made0', 'made1', 'made2'].map((id) => ['failed', id]), ['ask', 'run3'], ['failed', 'made9']]);
});

describe('quiet hours', () => {
  test.each([
    ['22:00-07:30', '23:10', true],
    ['22:00-07:30', '07:29', true],
    ['22:00-07:30', '07:30', false],
    ['22:00-07:30', '12:00', false],
    ['12:00-13:00', '12:59', true],
    ['12:00-13:00', '13:00', false],
  ])('of %s at %s', (quiet, time, isQuiet) => {
    const { take, setWall, calls } = notifying([{ ...RULE, quiet }]);
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    const local = new Date(2026, 5, 1, hours, minutes);
    setWall(local.getTime());
    take({ event: 'asked', ask: 1, terminal: 'a' });
    expect(calls).toHaveLength(isQuiet ? 0 : 1);
  });
});

test('what hangs holds back a bounded number of calls, and says once that others are left out', async () => {
  const { take, calls, warnings } = notifying([RULE], () => new Promise(() => {}));
  for (let i = 0; i < 200; i++) take({ event: 'asked', ask: i, terminal: `t${i}` });
  await Promise.resolve();
  expect(calls).toHaveLength(4);
  expect(warnings).toEqual(['Too many calls wait for their commands and webhooks: some are left out.']);
});

test('a call that fails is a warning, and the next one goes on', async () => {
  const { take, calls, warnings } = notifying([RULE], () => Promise.reject(new Error('It broke.')));
  take({ event: 'asked', ask: 1, terminal: 'a' });
  take({ event: 'asked', ask: 2 });
  await expect
    .poll(() => warnings)
    .toEqual(['No call went out for a: It broke.', 'No call went out for a question: It broke.']);
  expect(calls).toHaveLength(2);
});
