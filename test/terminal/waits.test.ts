import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Reach } from '../../src/protocol/reach.js';
import { Waits } from '../../src/terminal/waits.js';
import { type WaitParams, type WaitReply, waitShape } from '../../src/protocol/conditions.js';
import { FakeSubject } from '../events/fake-subject.js';

const params = (fields: z.input<z.ZodObject<typeof waitShape>>): WaitParams => z.strictObject(waitShape).parse(fields);
const NEVER = new AbortController().signal;
const outcomeOf = ({ outcome }: WaitReply): string => outcome;

function waiting() {
  const subject = new FakeSubject();
  const waits = new Waits('t1', subject, subject, 2);
  const start = (text: string, signal = NEVER, input?: string) =>
    waits.start({ params: params({ until: { text } }), signal, ...(input === undefined ? {} : { input }) }, outcomeOf);
  return { subject, waits, start };
}

test('a wait resolves with the value computed at the instant of its outcome', async () => {
  const { subject, waits } = waiting();
  const seen = waits.start({ params: params({ until: { text: 'one' } }), signal: NEVER }, () => subject.screen.rev);
  subject.prints((screen) => screen.draw(0, 'one'));
  const { rev } = subject.screen;
  subject.prints((screen) => screen.draw(0, 'two'));
  expect(await seen).toBe(rev);
});

test('a wait resolves at once with a true condition, unless input is about to be sent', async () => {
  const { subject, start } = waiting();
  subject.prints((screen) => screen.draw(0, 'one'));
  expect(await start('one')).toBe('matched');
  const turn = start('one', NEVER, 'x');
  subject.clock.advance(60_000);
  expect(await turn).toBe('timeout');
});

test('an error thrown at that instant reaches the caller', async () => {
  const { subject, waits } = waiting();
  subject.prints((screen) => screen.draw(0, 'one'));
  const failing = waits.start({ params: params({ until: { text: 'one' } }), signal: NEVER }, () => {
    throw new Error('no look');
  });
  await expect(failing).rejects.toThrow('no look');
});

test('the number of waits is bounded, and each end makes room for another', async () => {
  const { subject, start } = waiting();
  const controller = new AbortController();
  const first = start('one');
  const second = start('two', controller.signal);
  expect(() => start('three')).toThrow(
    expect.objectContaining({
      code: 'too_many_waits',
      message: expect.stringContaining('"t1" has 2 waits') as string,
    }) as Error,
  );
  subject.prints((screen) => screen.draw(0, 'one'));
  expect(await first).toBe('matched');
  const third = start('three');
  expect(() => start('four')).toThrow('2 waits');
  controller.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  const fourth = start('four');
  subject.prints((screen) => screen.draw(1, 'three four'));
  expect(await Promise.all([third, fourth])).toEqual(['matched', 'matched']);
});

test.each([
  ['one connection', 'of this connection', undefined],
  ['connections that may only read', 'of connections that may only read', 'read'],
] as const)('%s may take half of the waits, and what has gone is free at once', async (_, of, reach) => {
  const subject = new FakeSubject();
  const waits = new Waits('t1', subject, subject, 4);
  const own = {};
  const start = (connection: object, as: Reach | undefined, signal = NEVER) =>
    waits.start({ params: params({ until: { text: 'one' } }), signal, connection, reach: as }, outcomeOf);
  const asker = (): object => (reach === undefined ? own : {});
  const gone = new AbortController();
  const first = start(asker(), reach, gone.signal);
  const rest = [start(asker(), reach)];
  expect(() => start(asker(), reach)).toThrow(
    expect.objectContaining({ code: 'too_many_waits', message: expect.stringContaining(`2 waits ${of}`) }) as Error,
  );
  rest.push(start({}, undefined), start({}, 'use'));
  gone.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  rest.push(start(asker(), reach));
  expect(() => start({}, undefined)).toThrow('4 waits, which');
  subject.prints((screen) => screen.draw(0, 'one'));
  expect(await Promise.all(rest)).toEqual(rest.map(() => 'matched'));
});

test('a disconnected caller does not wait', () => {
  const { start } = waiting();
  for (let i = 0; i < 3; i++) expect(() => start('one', AbortSignal.abort(new Error('gone')))).toThrow('gone');
});

test('a refused wait takes no room', async () => {
  const { subject, waits, start } = waiting();
  subject.prints((screen) => screen.draw(0, 'one'));
  const contradiction = params({ until: { regex: '(' } });
  for (let i = 0; i < 3; i++) expect(() => waits.start({ params: contradiction, signal: NEVER }, outcomeOf)).toThrow();
  expect(await start('one')).toBe('matched');
});
