import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AwaitingInput } from '../../../src/events/awaiting-input.js';
import { FakeSubject } from '../fake-subject.js';

const reader: AwaitingInput = { kind: 'line', pid: 7, process: 'cat', certain: true, secrecy: 'shown' };

/** Listeners and timers that waits have left behind; the settled detector keeps at most one timer of its own. */
function leftBehind(subject: FakeSubject): boolean {
  return subject.parsed.hasListeners || subject.events.hasListeners || subject.input.hasListeners;
}

describe('text', () => {
  test('that is already on the screen ends the wait at once', () => {
    const subject = new FakeSubject();
    subject.prints((screen) => screen.draw(2, 'server ready on :80'));
    expect(subject.waits({ until: { text: 'ready' } })).toEqual([
      {
        outcome: 'matched',
        index: 0,
        match: { row: 2, col: 7, text: 'ready' },
        elapsed_ms: 0,
        rev: 1,
        tail: ['server ready on :80'],
      },
    ]);
    expect(leftBehind(subject)).toBe(false);
  });

  test('ends the wait when it is parsed, with its position and the elapsed time', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: [{ text: 'nope' }, { text: 'done' }] });
    subject.clock.advance(700);
    subject.prints((screen) => screen.draw(0, 'almost'));
    expect(outcomes).toEqual([]);
    subject.prints((screen) => screen.draw(1, 'all done'));
    expect(outcomes).toMatchObject([
      { outcome: 'matched', index: 1, match: { row: 1, col: 4, text: 'done' }, elapsed_ms: 700, rev: 2 },
    ]);
    subject.prints((screen) => screen.draw(2, 'done again'));
    expect(outcomes).toHaveLength(1);
    expect(leftBehind(subject)).toBe(false);
  });

  test('that scrolled off between two checks is found', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: { text: 'READY' } });
    subject.prints((screen) => {
      for (let i = 0; i < 100; i++) screen.print(i === 3 ? 'READY' : `line ${i}`);
    });
    expect(outcomes).toMatchObject([{ outcome: 'matched', match: { row: -92, col: 0 } }]);
  });

  test('that was on the last visible line before it scrolled off is found', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: { text: 'READY' } });
    subject.prints((screen) => screen.print('REA'));
    subject.prints((screen) => {
      screen.draw(4, 'READY');
      for (let i = 0; i < 50; i++) screen.print(`line ${i}`);
      screen.forget(3);
    });
    expect(outcomes).toMatchObject([{ outcome: 'matched' }]);
  });

  test('that is split by a soft wrap is found', () => {
    const subject = new FakeSubject(10, 5);
    subject.prints((screen) => {
      screen.draw(0, 'xxxxxxxREA');
      screen.draw(1, 'DY yyyy', true);
    });
    expect(subject.waits({ until: { text: 'READY' } })).toMatchObject([{ match: { row: 0, col: 7 } }]);
    expect(subject.waits({ until: { text: 'yyy' } })).toMatchObject([{ match: { row: 1, col: 3 } }]);
  });

  test('matches the blank at the end of a prompt, and no second one', () => {
    const subject = new FakeSubject();
    subject.prints((screen) => screen.draw(0, '$ '));
    expect(subject.waits({ until: { text: '$ ' } })).toHaveLength(1);
    expect(subject.waits({ until: { text: '$  ' } })).toHaveLength(0);
  });
});

describe('regular expressions', () => {
  test('match within a line', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: { regex: String.raw`(\d+) passed$` } });
    subject.prints((screen) => screen.draw(0, 'tests: 42 passed'));
    expect(outcomes).toMatchObject([{ match: { row: 0, col: 7, text: '42 passed' } }]);
  });

  test.each([
    ['a back-reference', String.raw`(a)\1`],
    ['look-around', 'a(?=b)'],
    ['an open group', '(a'],
    ['a large repetition', '(a{500}){500}'],
    ['a large repetition of character classes', String.raw`(\pL{1,30}\pN){60}`],
  ])('%s is refused', (_, regex) => {
    const subject = new FakeSubject();
    expect(() => subject.waits({ until: { regex } })).toThrow(expect.objectContaining({ code: 'bad_regex' }));
    expect(leftBehind(subject)).toBe(false);
    expect(subject.clock.pendingTimers).toBe(0);
  });

  test('with exponential cost in backtracking engines end quickly', () => {
    const subject = new FakeSubject(1000, 5);
    const outcomes = subject.waits({ until: { regex: '(a+)+$' } });
    subject.prints((screen) => screen.draw(0, `${'a'.repeat(999)}b`));
    expect(outcomes).toEqual([]);
  });
});

describe('other conditions', () => {
  test('gone matches when the text has left the screen, or at once if it is not there', () => {
    const subject = new FakeSubject();
    subject.prints((screen) => screen.draw(1, 'Thinking…'));
    const outcomes = subject.waits({ until: { gone: 'Thinking' } });
    subject.prints((screen) => screen.draw(0, 'x'));
    expect(outcomes).toEqual([]);
    subject.prints((screen) => screen.draw(1, ''));
    expect(outcomes).toMatchObject([{ outcome: 'matched' }]);
    expect(subject.waits({ until: { gone: 'Thinking' } })).toHaveLength(1);
  });

  test('idle_ms restarts at bytes that change nothing, and includes silence before the wait', () => {
    const subject = new FakeSubject();
    subject.clock.advance(400);
    const outcomes = subject.waits({ until: { idle_ms: 500 } });
    subject.clock.advance(50);
    subject.prints();
    subject.clock.advance(499);
    expect(outcomes).toEqual([]);
    subject.clock.advance(1);
    expect(outcomes).toMatchObject([{ outcome: 'matched', elapsed_ms: 550 }]);
    expect(subject.waits({ until: { idle_ms: 500 } })).toHaveLength(1);
  });

  test('settled_ms reports the cells that it has ignored', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: { settled_ms: 500 } });
    for (let step = 0; outcomes.length === 0 && step < 100; step++) {
      subject.prints((screen) => screen.draw(0, `busy ${'|/-\\'[step % 4]}`));
      subject.clock.advance(100);
    }
    expect(outcomes).toMatchObject([{ outcome: 'matched', ignored: [{ row: 0, col: 5, cols: 1 }] }]);
  });

  test('event matches the first event of its type', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: { event: 'bell' } });
    subject.publishes('activity');
    expect(outcomes).toEqual([]);
    subject.publishes('bell');
    expect(outcomes).toMatchObject([{ outcome: 'matched', event: { event: 'bell', terminal: 't1' } }]);
  });

  test('exit matches when the program ends, and other waits end as exited', () => {
    const subject = new FakeSubject();
    const exit = subject.waits({ until: { exit: true } });
    const text = subject.waits({ until: { text: 'never' }, timeout_ms: 5000 });
    subject.clock.advance(100);
    subject.exits();
    expect(exit).toMatchObject([{ outcome: 'matched', index: 0 }]);
    expect(text).toMatchObject([{ outcome: 'exited', elapsed_ms: 100 }]);
    expect(text[0]).not.toHaveProperty('index');
    expect(subject.waits({ until: { text: 'never' } })).toMatchObject([{ outcome: 'exited', elapsed_ms: 0 }]);
  });

  test('text in the last output takes precedence over the exit of the program', () => {
    const subject = new FakeSubject();
    subject.prints((screen) => screen.draw(0, 'bye'));
    subject.exits();
    expect(subject.waits({ until: { text: 'bye' } })).toMatchObject([{ outcome: 'matched' }]);
  });

  test('awaiting_input matches any kind of input, or only the given kind', () => {
    const subject = new FakeSubject();
    const any = subject.waits({ until: { awaiting_input: true } });
    const password = subject.waits({ until: { awaiting_input: 'password' } });
    subject.input.emit(reader);
    expect(any).toMatchObject([{ outcome: 'matched', awaiting_input: reader }]);
    expect(password).toEqual([]);
    subject.input.emit({ ...reader, kind: 'password' });
    expect(password).toMatchObject([{ awaiting_input: { kind: 'password' } }]);
    subject.awaitingInput = reader;
    const already = subject.waits({ until: { awaiting_input: 'line' } });
    subject.clock.advance(0);
    expect(already).toHaveLength(1);
  });

  test('awaiting_input is refused if the daemon cannot observe it', () => {
    const subject = new FakeSubject();
    subject.tellsAwaitingInput = false;
    expect(() => subject.waits({ until: { awaiting_input: true } })).toThrow(
      expect.objectContaining({ code: 'unsupported' }),
    );
  });

  test('changed_since matches a later revision, and cursor a position of the cursor', () => {
    const subject = new FakeSubject();
    subject.prints((screen) => screen.draw(0, 'a'));
    expect(subject.waits({ until: { changed_since: 0 } })).toHaveLength(1);
    const changed = subject.waits({ until: { changed_since: 1 } });
    const inRow = subject.waits({ until: { cursor: { row: 3 } } });
    const at = subject.waits({ until: { cursor: { row: 3, col: 2 } } });
    subject.prints((screen) => {
      screen.draw(0, 'b');
      screen.cursor = { row: 3, col: 0 };
    });
    expect([changed.length, inRow.length, at.length]).toEqual([1, 1, 0]);
    subject.prints((screen) => {
      screen.cursor = { row: 3, col: 2 };
    });
    expect(at).toHaveLength(1);
  });

  test('done reports the exit code', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: { done: true } });
    subject.commandsDone = true;
    subject.lastCommand = { code: 2, command: null };
    subject.prints();
    expect(outcomes).toMatchObject([{ outcome: 'matched', code: 2 }]);
  });
});

describe('a wait', () => {
  test('fails if a failure and a match happen at the same instant', () => {
    const subject = new FakeSubject();
    const outcomes = subject.waits({ until: { text: '$ ' }, fail: [{ text: 'warning' }, { regex: 'error|panic' }] });
    subject.prints((screen) => {
      screen.draw(0, 'panic: oh no');
      screen.draw(1, '$ ');
    });
    expect(outcomes).toMatchObject([{ outcome: 'failed', index: 1, match: { row: 0, col: 0, text: 'panic' } }]);
  });

  test('ends at its deadline with the last lines of the screen', () => {
    const subject = new FakeSubject();
    subject.prints((screen) => {
      screen.draw(0, 'one');
      screen.draw(1, 'two');
      screen.draw(3, 'three');
    });
    const outcomes = subject.waits({ until: { text: 'never' }, timeout_ms: 1500, tail: 3 });
    subject.clock.advance(1499);
    expect(outcomes).toEqual([]);
    subject.clock.advance(1);
    expect(outcomes).toEqual([{ outcome: 'timeout', elapsed_ms: 1500, rev: 3, tail: ['two', '', 'three'] }]);
    expect(leftBehind(subject)).toBe(false);
    expect(subject.clock.pendingTimers).toBeLessThanOrEqual(1);
  });

  test('ends without an outcome when its caller disconnects', () => {
    const subject = new FakeSubject();
    const controller = new AbortController();
    const outcomes = subject.waits({ until: [{ text: 'x' }, { idle_ms: 100 }] }, undefined, controller.signal);
    controller.abort();
    subject.prints((screen) => screen.draw(0, 'x'));
    subject.clock.advance(60_000);
    expect(outcomes).toEqual([]);
    expect(leftBehind(subject)).toBe(false);
    expect(subject.waits({ until: { text: 'x' } }, undefined, controller.signal)).toEqual([]);
  });

  test('is refused if one condition is in both until and fail', () => {
    const subject = new FakeSubject();
    expect(() => subject.waits({ until: { text: 'x' }, fail: { text: 'x' } })).toThrow(
      expect.objectContaining({ code: 'invalid_field' }),
    );
  });

  test('ends independently of any number of other waits', () => {
    const subject = new FakeSubject();
    const all = Array.from({ length: 100 }, (_, i) => subject.waits({ until: { text: `item ${i};` } }));
    for (let i = 0; i < 100; i++) subject.prints((screen) => screen.print(`item ${i};`));
    expect(all.every((outcomes) => outcomes.length === 1)).toBe(true);
    expect(leftBehind(subject)).toBe(false);
  });
});

function prompt(screen: FakeSubject['screen']): void {
  screen.draw(0, 'build done');
  screen.draw(1, '$ ');
  screen.cursor = { row: 1, col: 2 };
}

describe('a turn', () => {
  test('is not ended by text that was already on the screen', () => {
    const subject = new FakeSubject();
    subject.prints(prompt);
    const outcomes = subject.waits({ until: [{ text: 'done' }, { text: '$ ' }] }, { input: 'make\n' });
    subject.prints((screen) => screen.draw(1, '$ make'));
    subject.prints((screen) => screen.draw(2, 'compiling'));
    expect(outcomes).toEqual([]);
    subject.prints((screen) => screen.draw(3, 'build done'));
    expect(outcomes).toMatchObject([{ index: 0, match: { row: 3, col: 6 } }]);
  });

  test('is not ended by the echo of its own input, character by character', () => {
    const subject = new FakeSubject();
    subject.prints(prompt);
    const input = 'echo done';
    const outcomes = subject.waits({ until: { text: 'done' } }, { input: `${input}\n` });
    for (let length = 1; length <= input.length; length++) {
      subject.prints((screen) => screen.draw(1, `$ ${input.slice(0, length)}`));
    }
    expect(outcomes).toEqual([]);
    subject.prints((screen) => screen.draw(2, 'done'));
    expect(outcomes).toMatchObject([{ match: { row: 2, col: 0 } }]);
  });

  test('is ended by text on the line of its input', () => {
    const subject = new FakeSubject();
    subject.prints((screen) => {
      screen.draw(0, 'Password: ');
      screen.cursor = { row: 0, col: 10 };
    });
    const outcomes = subject.waits({ until: { text: 'wrong' } }, { input: 'secret\n' });
    subject.prints((screen) => screen.draw(0, 'Password: wrong'));
    expect(outcomes).toMatchObject([{ match: { row: 0, col: 10 } }]);
  });

  test('finds text that scrolled off, but not text from before the turn', () => {
    const subject = new FakeSubject();
    subject.prints(prompt);
    const outcomes = subject.waits({ until: { text: 'done' } }, { input: 'x\n' });
    subject.prints((screen) => {
      for (let i = 0; i < 20; i++) screen.print(`line ${i}`);
    });
    expect(outcomes).toEqual([]);
    subject.prints((screen) => {
      for (let i = 0; i < 20; i++) screen.print(i === 2 ? 'done' : `more ${i}`);
    });
    expect(outcomes).toMatchObject([{ match: { row: -13 } }]);
  });

  test('counts silence, gone text, the cursor, done and awaited input only from its input on', () => {
    const subject = new FakeSubject();
    subject.prints(prompt);
    subject.commandsDone = true;
    subject.awaitingInput = reader;
    subject.clock.advance(10_000);
    const idle = subject.waits({ until: { idle_ms: 300 } }, { input: 'x\n' });
    const settled = subject.waits({ until: { settled_ms: 300 } }, { input: 'x\n' });
    const others = [
      { gone: 'Thinking' },
      { cursor: { row: 1 } },
      { done: true as const },
      { awaiting_input: true as const },
    ];
    const unchanged = others.map((until) => subject.waits({ until }, { input: 'x\n' }));
    subject.clock.advance(299);
    expect([idle, settled, ...unchanged].map((outcomes) => outcomes.length)).toEqual([0, 0, 0, 0, 0, 0]);
    subject.clock.advance(1);
    expect([idle.length, settled.length]).toEqual([1, 1]);
    subject.commandMarks++;
    subject.commandEnds++;
    subject.prints();
    subject.input.emit(reader);
    expect(unchanged.map((outcomes) => outcomes.length)).toEqual([1, 1, 1, 1]);
  });
});

test('for any output, a text is found once, as soon as a line contains it', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 12 });
  const step = fc.record({ print: fc.boolean(), at: fc.nat(4), line });
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 12 }), (parses) => {
      const subject = new FakeSubject(12, 5);
      const outcomes = subject.waits({ until: { text: 'aab' } });
      let wasShown = false;
      for (const steps of parses) {
        const printed: string[] = [];
        subject.prints((screen) => {
          for (const { print, at, line } of steps) {
            if (print) screen.print(line);
            else screen.draw(at, line);
            printed.push(line);
          }
        });
        // What is on a line at the time of a parse counts, and what left the screen since; what was overwritten does not.
        const shown = allLines(subject).some((text) => text.includes('aab'));
        wasShown ||= shown;
        expect(outcomes).toHaveLength(wasShown ? 1 : 0);
      }
    }),
  );
});

function allLines({ screen }: FakeSubject): string[] {
  const lines: string[] = [];
  for (let index = 0; ; index++) {
    const row = screen.row(index);
    if (row === undefined) return lines;
    lines.push(
      Array.from({ length: row.cells.length / 4 }, (_, col) => String.fromCodePoint(row.cells[col * 4] || 32)).join(''),
    );
  }
}
