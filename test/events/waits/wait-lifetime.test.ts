/** What a wait leaves behind, however it ends. */
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

test('a wait that is given up ends without an outcome, and leaves nothing behind', () => {
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

test('a wait that is refused for one condition leaves nothing of the others behind', () => {
  const subject = new FakeSubject();
  const until = EVERYTHING.slice(0, 4);
  expect(() => subject.waits({ until: [...until, { regex: '(' }] }, { input: 'x' })).toThrow('regex');
  expect(leftBehind(subject)).toBe(false);
});

test("the caller's signal is let go of when the wait has ended", () => {
  const subject = new FakeSubject();
  const { signal } = new AbortController();
  const outcomes = subject.waits({ until: { text: 'x' } }, undefined, signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  subject.prints((screen) => screen.draw(0, 'x'));
  expect(outcomes).toHaveLength(1);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('what is true already goes before the end of the program, which came first', () => {
  const subject = new FakeSubject();
  subject.clock.advance(1000);
  subject.exits();
  expect(subject.waits({ until: { settled_ms: 500 } })).toMatchObject([{ outcome: 'matched', ignored: [] }]);
});

test('a contradiction is told with the field that is wrong, whatever else is asked for', () => {
  const subject = new FakeSubject();
  const fields = { until: [{ text: 'a' }, { text: 'b' }], fail: [{ text: 'c' }, { text: 'b' }] };
  const details: unknown = expect.objectContaining({ field: 'fail' });
  expect(() => subject.waits(fields)).toThrow(expect.objectContaining({ code: 'invalid_field', details }));
  expect(subject.waits({ until: { text: 'a' }, fail: { gone: 'a' } })).toMatchObject([{ outcome: 'failed', index: 0 }]);
});

test('the last lines end with the last that is not blank, and begin with one', () => {
  const subject = new FakeSubject();
  subject.prints((screen) => {
    screen.draw(0, 'one');
    screen.draw(2, 'two  ');
  });
  const tails = [0, 1, 2, 3, 9].map((tail) => subject.waits({ until: { text: 'two' }, tail })[0]?.tail);
  expect(tails).toEqual([[], ['two'], ['two'], ['one', '', 'two'], ['one', '', 'two']]);
  expect(new FakeSubject().waits({ until: { gone: 'x' }, tail: 3 })[0]?.tail).toEqual([]);
});
