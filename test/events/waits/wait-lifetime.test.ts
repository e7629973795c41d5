/** How waits end, and that they leave no listener or timer behind. */
import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { startWait } from '../../../src/events/waits/wait.js';
import type { WaitReply } from '../../../src/protocol/conditions.js';
import { FakeSubject } from '../fake-subject.js';

function leftBehind(subject: FakeSubject): boolean {
  const { parsed, events, input, shellWaiting, clock } = subject;
  return [parsed, events, input, shellWaiting].some((each) => each.hasListeners) || clock.pendingTimers > 0;
}

const EVERYTHING = [
  { idle_ms: 500 },
  { settled_ms: 500 },
  { done: true as const },
  { event: 'bell' as const },
  { awaiting_input: true as const },
  { text: 'x' },
];

test('a disposed wait has no outcome and leaves no listener or timer', () => {
  const subject = new FakeSubject();
  const outcomes: WaitReply[] = [];
  const wait = startWait({
    subject,
    clock: subject.clock,
    params: { until: EVERYTHING, timeout_ms: 1000, tail: 0 },
    turn: { input: 'x' },
    signal: new AbortController().signal,
    onOutcome: (reply) => outcomes.push(reply),
  });
  expect(leftBehind(subject)).toBe(true);
  wait.dispose();
  expect(leftBehind(subject)).toBe(false);
  expect(outcomes).toEqual([]);
});

test('a wait that is refused for one condition leaves no listener or timer of the others', () => {
  const subject = new FakeSubject();
  const until = EVERYTHING.slice(0, 4);
  expect(() => subject.waits({ until: [...until, { regex: '(' }] }, { input: 'x' })).toThrow('regex');
  expect(leftBehind(subject)).toBe(false);
});

test("a wait removes its listener from its caller's signal when it ends", () => {
  const subject = new FakeSubject();
  const { signal } = new AbortController();
  const outcomes = subject.waits({ until: { text: 'x' } }, undefined, signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  subject.prints((screen) => screen.draw(0, 'x'));
  expect(outcomes).toHaveLength(1);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('a condition that already holds takes precedence over an earlier exit of the program', () => {
  const subject = new FakeSubject();
  subject.clock.advance(1000);
  subject.exits();
  expect(subject.waits({ until: { settled_ms: 500 } })).toMatchObject([{ outcome: 'matched', ignored: [] }]);
});

test('a condition in both until and fail is refused with the name of the field', () => {
  const subject = new FakeSubject();
  const fields = { until: [{ text: 'a' }, { text: 'b' }], fail: [{ text: 'c' }, { text: 'b' }] };
  const details: unknown = expect.objectContaining({ field: 'fail' });
  expect(() => subject.waits(fields)).toThrow(expect.objectContaining({ code: 'invalid_field', details }));
  expect(subject.waits({ until: { text: 'a' }, fail: { gone: 'a' } })).toMatchObject([{ outcome: 'failed', index: 0 }]);
});

test('the tail begins and ends with a line that is not blank', () => {
  const subject = new FakeSubject();
  subject.prints((screen) => {
    screen.draw(0, 'one');
    screen.draw(2, 'two  ');
  });
  const tails = [0, 1, 2, 3, 9].map((tail) => subject.waits({ until: { text: 'two' }, tail })[0]?.tail);
  expect(tails).toEqual([[], ['two'], ['two'], ['one', '', 'two'], ['one', '', 'two']]);
  expect(new FakeSubject().waits({ until: { gone: 'x' }, tail: 3 })[0]?.tail).toEqual([]);
});
