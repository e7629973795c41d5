/** The edges of what waits wait for: what just is not it, and what has just become it. */
import { describe, expect, test } from 'vitest';
import { armCondition } from '../../../src/events/waits/conditions.js';
import { FakeSubject } from '../fake-subject.js';

describe('a condition that cannot be', () => {
  test.each([
    ['is empty', {}, 'invalid_field', 'until'],
    ['is no pattern', { regex: '(' }, 'bad_regex', 'regex'],
    ['nobody can tell', { awaiting_input: true as const }, 'unsupported', 'until'],
  ])('because it %s is refused with the field that is wrong', (_, condition, code, field) => {
    const subject = new FakeSubject();
    subject.tellsAwaitingInput = false;
    const context = { subject, clock: subject.clock, armedAtMs: 0, fresh: false, echo: '', published: [] };
    const details: unknown = expect.objectContaining({ field });
    expect(() => armCondition(condition, context, () => {})).toThrow(expect.objectContaining({ code, details }));
  });
});

test('exit is waited for while the program runs', () => {
  const subject = new FakeSubject();
  const outcomes = subject.waits({ until: { exit: true } });
  subject.prints();
  expect(outcomes).toEqual([]);
  subject.exits();
  expect(outcomes).toMatchObject([{ outcome: 'matched', index: 0 }]);
});

test('a screen has changed since its last revision once it has the next', () => {
  const subject = new FakeSubject();
  subject.prints((screen) => screen.draw(0, 'a'));
  const outcomes = subject.waits({ until: { changed_since: subject.screen.rev } });
  subject.prints();
  expect(outcomes).toEqual([]);
  subject.prints((screen) => screen.draw(0, 'b'));
  expect(outcomes).toHaveLength(1);
});

test('in a turn a change before it does not count', () => {
  const subject = new FakeSubject();
  subject.prints((screen) => screen.draw(0, 'a'));
  const outcomes = subject.waits({ until: { changed_since: 0 } }, { input: '' });
  expect(outcomes).toEqual([]);
  subject.prints((screen) => screen.draw(0, 'b'));
  expect(outcomes).toHaveLength(1);
});

describe('done', () => {
  const waiting = (subject: FakeSubject, code: number | null): void => subject.shellWaiting.emit(code);

  test('is told as soon as the shell is seen waiting, with the code that is known then', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: { done: true } });
    waiting(subject, 4);
    expect(outcomes).toMatchObject([{ outcome: 'matched', code: 4 }]);
    expect(subject.shellWaiting.hasListeners).toBe(false);
  });

  test('asks for a look now, except before input, which the next look is to come after', () => {
    const asked: unknown[] = [];
    const subject = new FakeSubject();
    subject.onShellWaiting = (listener: (code: number | null) => void, options?: { readonly now: boolean }) => {
      asked.push(options?.now);
      return subject.shellWaiting.on(listener);
    };
    subject.waits({ until: { done: true } });
    subject.waits({ until: { done: true } }, { input: 'make\n' });
    expect(asked).toEqual([true, false]);
  });

  test('is what a new mark says, where the shell was done before', () => {
    const subject = new FakeSubject();
    subject.commandsDone = true;
    subject.lastCommandCode = 1;
    const outcomes = subject.waits({ until: { done: true } }, { input: 'make\n' });
    subject.prints();
    expect(outcomes).toEqual([]);
    subject.commandMarks++;
    subject.lastCommandCode = 0;
    subject.prints();
    expect(outcomes).toMatchObject([{ code: 0 }]);
  });
});

test('the program waits for input again after a turn, not before it', () => {
  const asked: boolean[] = [];
  const subject = new FakeSubject();
  subject.onAwaitingInput = (listener, { now }) => {
    asked.push(now);
    return subject.input.on(listener);
  };
  subject.waits({ until: { awaiting_input: true } });
  subject.waits({ until: { awaiting_input: true } }, { input: 'x' });
  expect(asked).toEqual([true, false]);
});

test.each([
  ['row', { row: 2 }, { row: 2, col: 9 }, { row: 1, col: 2 }],
  ['column', { col: 2 }, { row: 3, col: 2 }, { row: 2, col: 1 }],
  ['cell', { row: 2, col: 3 }, { row: 2, col: 3 }, { row: 3, col: 2 }],
  ['corner', { row: 0, col: 0 }, { row: 0, col: 0 }, { row: 1, col: 1 }],
])('the cursor is in its %s, and nowhere else', (_, cursor, there, elsewhere) => {
  const subject = new FakeSubject();
  subject.screen.cursor = elsewhere;
  const outcomes = subject.waits({ until: { cursor } });
  expect(outcomes).toEqual([]);
  subject.prints((screen) => {
    screen.cursor = there;
  });
  expect(outcomes).toHaveLength(1);
});

describe('on the line that a turn is typed on', () => {
  function turn(until: { text: string } | { regex: string }) {
    const subject = new FakeSubject();
    subject.prints((screen) => {
      screen.draw(0, '$ ');
      screen.cursor = { row: 0, col: 2 };
    });
    const outcomes = subject.waits({ until }, { input: 'echo done\n' });
    return { outcomes, shows: (text: string) => subject.prints((screen) => screen.draw(0, text)) };
  }

  test.each([{ text: 'done' }, { regex: 'd.ne' }, { regex: 'x*' }])('the echo does not count for %o', (until) => {
    const { outcomes, shows } = turn(until);
    shows('$ echo done');
    expect(outcomes).toEqual([]);
  });

  test.each([{ text: 'done' }, { regex: 'd.ne' }])('the echo does not count for %o when more comes', (until) => {
    const { outcomes, shows } = turn(until);
    shows('$ echo done!');
    expect(outcomes).toEqual([]);
    shows('$ echo done! done');
    expect(outcomes).toMatchObject([{ match: { row: 0, col: 13, text: 'done' } }]);
  });

  test.each([{ text: 'done!' }, { regex: 'd.*' }])(
    'what begins in the echo and goes on behind it counts: %o',
    (until) => {
      const { outcomes, shows } = turn(until);
      shows('$ echo done!');
      expect(outcomes).toMatchObject([{ match: { row: 0, col: 7, text: 'done!' } }]);
    },
  );

  test('a match of nothing counts behind what is known', () => {
    const { outcomes, shows } = turn({ regex: 'x*' });
    shows('$ echo done!!');
    expect(outcomes).toMatchObject([{ match: { row: 0, col: 12, text: '' } }]);
  });
});

test('a pattern that matches nothing matches the first line that is new', () => {
  const subject = new FakeSubject();
  const outcomes = subject.waits({ until: { regex: 'x*' } });
  expect(outcomes).toEqual([]);
  subject.prints((screen) => screen.draw(1, 'ab'));
  expect(outcomes).toMatchObject([{ match: { row: 1, col: 0, text: '' } }]);
});

test('a match is the first one of its line, and one of its cells', () => {
  const subject = new FakeSubject();
  const outcomes = subject.waits({ until: { regex: 'a|b' } });
  subject.prints((screen) => screen.draw(2, 'xxb a'));
  expect(outcomes).toMatchObject([{ match: { row: 2, col: 2, text: 'b' } }]);
});

describe('gone', () => {
  test('is waited for on the screen, soft wraps or not', () => {
    const subject = new FakeSubject(10, 5);
    subject.prints((screen) => {
      screen.draw(1, 'xxxxxxThin');
      screen.draw(2, 'king', true);
    });
    const outcomes = subject.waits({ until: { gone: 'Thinking' } });
    expect(outcomes).toEqual([]);
    subject.prints((screen) => screen.draw(2, 'k', true));
    expect(outcomes).toHaveLength(1);
  });

  test('is true of a text that has scrolled off', () => {
    const subject = new FakeSubject();
    subject.prints((screen) => screen.draw(0, 'Thinking'));
    const outcomes = subject.waits({ until: { gone: 'Thinking' } });
    subject.prints((screen) => screen.print('one'));
    expect(outcomes).toHaveLength(1);
  });

  test('after input is true once the screen was parsed to, changed or not', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: { gone: 'x' } }, { input: 'y' });
    subject.publishes('bell');
    expect(outcomes).toEqual([]);
    subject.prints();
    expect(outcomes).toHaveLength(1);
  });
});

test('silence is counted anew from bytes that come just before it is long enough', () => {
  const subject = new FakeSubject();
  const outcomes = subject.waits({ until: { idle_ms: 100 } }, { input: 'x' });
  for (let i = 0; i < 3; i++) {
    subject.clock.advance(99);
    subject.prints();
  }
  subject.clock.advance(99);
  expect(outcomes).toEqual([]);
  subject.clock.advance(1);
  expect(outcomes).toMatchObject([{ outcome: 'matched', elapsed_ms: 396 + 1 }]);
});

test('a wait that was answered has no timer left', () => {
  const subject = new FakeSubject();
  const outcomes = subject.waits({ until: [{ idle_ms: 500 }, { text: 'now' }] });
  subject.prints((screen) => screen.draw(0, 'now'));
  expect(outcomes).toMatchObject([{ index: 1 }]);
  // What is left is the look at the screen that has changed.
  expect(subject.clock.pendingTimers).toBe(1);
});

test('the event that ends a wait is the first of its kind since it began', () => {
  const subject = new FakeSubject();
  subject.publishes('bell');
  const outcomes = subject.waits({ until: { event: 'bell' } });
  expect(outcomes).toEqual([]);
  subject.publishes('bell');
  expect(outcomes).toMatchObject([{ event: { event: 'bell', seq: 1 } }]);
});
