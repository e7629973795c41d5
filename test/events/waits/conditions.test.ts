/** Edge cases of conditions: screens and events that just fail them, and others that just satisfy them. */
import { describe, expect, test } from 'vitest';
import { armCondition } from '../../../src/events/waits/conditions.js';
import { FakeSubject } from '../fake-subject.js';

describe('an impossible condition', () => {
  test.each([
    ['is empty', {}, 'invalid_field', 'until'],
    ['is not a valid pattern', { regex: '(' }, 'bad_regex', 'regex'],
    ['the daemon cannot observe', { awaiting_input: true as const }, 'unsupported', 'until'],
  ])('that %s is refused with the name of the wrong field', (_, condition, code, field) => {
    const subject = new FakeSubject();
    subject.tellsAwaitingInput = false;
    const context = { subject, clock: subject.clock, armedAtMs: 0, fresh: false, echo: '', published: [] };
    const details: unknown = expect.objectContaining({ field });
    expect(() => armCondition(condition, context, () => {})).toThrow(expect.objectContaining({ code, details }));
  });
});

test('exit becomes true when the program ends, not before', () => {
  const subject = new FakeSubject();
  const outcomes = subject.waits({ until: { exit: true } });
  subject.prints();
  expect(outcomes).toEqual([]);
  subject.exits();
  expect(outcomes).toMatchObject([{ outcome: 'matched', index: 0 }]);
});

test('changed_since becomes true at the next revision', () => {
  const subject = new FakeSubject();
  subject.prints((screen) => screen.draw(0, 'a'));
  const outcomes = subject.waits({ until: { changed_since: subject.screen.rev } });
  subject.prints();
  expect(outcomes).toEqual([]);
  subject.prints((screen) => screen.draw(0, 'b'));
  expect(outcomes).toHaveLength(1);
});

test('changed_since ignores changes before a turn', () => {
  const subject = new FakeSubject();
  subject.prints((screen) => screen.draw(0, 'a'));
  const outcomes = subject.waits({ until: { changed_since: 0 } }, { input: '' });
  expect(outcomes).toEqual([]);
  subject.prints((screen) => screen.draw(0, 'b'));
  expect(outcomes).toHaveLength(1);
});

describe('done', () => {
  const waiting = (subject: FakeSubject, code: number | null): void => subject.shellWaiting.emit(code);

  test('is true as soon as the shell is seen waiting, with the exit code known at that time', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: { done: true } });
    waiting(subject, 4);
    expect(outcomes).toMatchObject([{ outcome: 'matched', code: 4 }]);
    expect(subject.shellWaiting.hasListeners).toBe(false);
  });

  test('asks for an immediate look, except in a turn, whose input comes first', () => {
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

  test('needs the end of a command in a turn if the shell was already done', () => {
    const subject = new FakeSubject();
    subject.commandsDone = true;
    subject.lastCommand = { code: 1, command: null };
    const outcomes = subject.waits({ until: { done: true } }, { input: 'make\n' });
    subject.prints();
    expect(outcomes).toEqual([]);
    subject.commandMarks++;
    subject.prints();
    expect(outcomes).toEqual([]);
    subject.commandEnds++;
    subject.lastCommand = { code: 0, command: null };
    subject.prints();
    expect(outcomes).toMatchObject([{ code: 0 }]);
  });

  test.each([
    ['without Enter, says that it was not entered', 0, 'was not entered'],
    ['with Enter, says that the shell ran nothing', 1, 'ran nothing'],
  ])('after an act %s, and has no status of the command before', (_, lines, why) => {
    const subject = new FakeSubject();
    subject.commandsDone = true;
    const outcomes = subject.waits({ until: { done: true } }, { input: 'make' });
    subject.linesEntered += lines;
    waiting(subject, 0);
    expect(outcomes).toMatchObject([{ outcome: 'nothing_ran', exit_code: null }]);
    expect(outcomes[0]?.warning).toContain(why);
  });

  test('is in vain after an act whose line the shell has refused, and not where it asks for the rest', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: { done: true } }, { input: 'for i in 1' });
    subject.unfinished.emit(false);
    expect(outcomes).toEqual([]);
    subject.unfinished.emit(true);
    expect(outcomes).toMatchObject([{ outcome: 'nothing_ran' }]);
  });

  test('waits on for the next end if it is fresh and no input follows', () => {
    const subject = new FakeSubject();
    subject.commandsDone = true;
    const outcomes = subject.waits({ until: { done: true }, fresh: true }, { input: '', acts: false });
    waiting(subject, 0);
    expect(outcomes).toEqual([]);
  });

  test('at its deadline says that what has the terminal reports no commands', () => {
    const subject = new FakeSubject();
    subject.marksCommands = 'none';
    const outcomes = subject.waits({ until: { done: true }, timeout_ms: 50 });
    subject.clock.advance(50);
    expect(outcomes[0]?.warning).toContain('reports no commands');
  });
});

test.each([
  ['exit', { exit: true as const }, ['awaiting_input']],
  ['done', { done: true as const }, ['awaiting_input']],
  ['exit or a text', [{ exit: true as const }, { text: 'x' }], []],
])('a question ends a wait for %s', (_, until, expected) => {
  const subject = new FakeSubject();
  const outcomes = subject.waits({ until });
  subject.questions.emit({ kind: 'line', pid: 1, process: 'sh', certain: true, secrecy: 'shown' });
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(expected);
});

test('awaiting_input asks for an immediate look, except in a turn', () => {
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
])('a cursor condition matches only in its %s', (_, cursor, there, elsewhere) => {
  const subject = new FakeSubject();
  subject.screen.cursor = elsewhere;
  const outcomes = subject.waits({ until: { cursor } });
  expect(outcomes).toEqual([]);
  subject.prints((screen) => {
    screen.cursor = there;
  });
  expect(outcomes).toHaveLength(1);
});

describe("on the line of a turn's input", () => {
  function turn(until: { text: string } | { regex: string }) {
    const subject = new FakeSubject();
    subject.prints((screen) => {
      screen.draw(0, '$ ');
      screen.cursor = { row: 0, col: 2 };
    });
    const outcomes = subject.waits({ until }, { input: 'echo done\n' });
    return { outcomes, shows: (text: string) => subject.prints((screen) => screen.draw(0, text)) };
  }

  test.each([{ text: 'done' }, { regex: 'd.ne' }, { regex: 'x*' }])('the echo does not match %o', (until) => {
    const { outcomes, shows } = turn(until);
    shows('$ echo done');
    expect(outcomes).toEqual([]);
  });

  test.each([{ text: 'done' }, { regex: 'd.ne' }])('the echo does not match %o when more text follows', (until) => {
    const { outcomes, shows } = turn(until);
    shows('$ echo done!');
    expect(outcomes).toEqual([]);
    shows('$ echo done! done');
    expect(outcomes).toMatchObject([{ match: { row: 0, col: 13, text: 'done' } }]);
  });

  test.each([{ text: 'done!' }, { regex: 'd.*' }])(
    'text that begins in the echo and ends after it matches %o',
    (until) => {
      const { outcomes, shows } = turn(until);
      shows('$ echo done!');
      expect(outcomes).toMatchObject([{ match: { row: 0, col: 7, text: 'done!' } }]);
    },
  );

  test('an empty match counts after the known text', () => {
    const { outcomes, shows } = turn({ regex: 'x*' });
    shows('$ echo done!!');
    expect(outcomes).toMatchObject([{ match: { row: 0, col: 12, text: '' } }]);
  });
});

test('a pattern that matches the empty text matches the first new line', () => {
  const subject = new FakeSubject();
  const outcomes = subject.waits({ until: { regex: 'x*' } });
  expect(outcomes).toEqual([]);
  subject.prints((screen) => screen.draw(1, 'ab'));
  expect(outcomes).toMatchObject([{ match: { row: 1, col: 0, text: '' } }]);
});

test('a match is the first one of its line, with its row and column', () => {
  const subject = new FakeSubject();
  const outcomes = subject.waits({ until: { regex: 'a|b' } });
  subject.prints((screen) => screen.draw(2, 'xxb a'));
  expect(outcomes).toMatchObject([{ match: { row: 2, col: 2, text: 'b' } }]);
});

describe('gone', () => {
  test('waits until the text has left the screen, even if the text is soft-wrapped', () => {
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

  test('in a turn is true after the next output, even if the screen has not changed', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: { gone: 'x' } }, { input: 'y' });
    subject.publishes('bell');
    expect(outcomes).toEqual([]);
    subject.prints();
    expect(outcomes).toHaveLength(1);
  });
});

test('idle_ms restarts at bytes that arrive just before the silence is long enough', () => {
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

test('a wait that has ended leaves no timer of its own', () => {
  const subject = new FakeSubject();
  const outcomes = subject.waits({ until: [{ idle_ms: 500 }, { text: 'now' }] });
  subject.prints((screen) => screen.draw(0, 'now'));
  expect(outcomes).toMatchObject([{ index: 1 }]);
  // What is left is the look at the screen that has changed.
  expect(subject.clock.pendingTimers).toBe(1);
});

test('a wait for an event ends with the first event of that type after its start', () => {
  const subject = new FakeSubject();
  subject.publishes('bell');
  const outcomes = subject.waits({ until: { event: 'bell' } });
  expect(outcomes).toEqual([]);
  subject.publishes('bell');
  expect(outcomes).toMatchObject([{ event: { event: 'bell', seq: 1 } }]);
});

test('output_since becomes true with the next bytes, also if they change nothing', () => {
  const subject = new FakeSubject();
  subject.outputBytes = 5;
  expect(subject.waits({ until: { output_since: 4 } })).toMatchObject([{ outcome: 'matched' }]);
  const outcomes = subject.waits({ until: { output_since: 5 } });
  const inTurn = subject.waits({ until: { output_since: 0 } }, { input: '' });
  subject.prints();
  expect([outcomes, inTurn]).toEqual([[], []]);
  subject.outputBytes = 6;
  subject.prints();
  expect([outcomes, inTurn]).toMatchObject([[{ outcome: 'matched' }], [{ outcome: 'matched' }]]);
});
