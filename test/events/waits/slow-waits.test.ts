/** Waits with patterns that take long to search the screen: the search runs in slices between other work. */
import { expect, test } from 'vitest';
import type { WaitReply } from '../../../src/protocol/conditions.js';
import { FakeSubject } from '../fake-subject.js';

/** Several hundred steps for each character. */
const SLOW = '(?:[ab]?){200}';
/**
 * Slow both where it matches, at `yz`, and where it does not, at `y` alone: some 230 ms. A text without any `y` is ruled out
 * at once, without a search.
 */
const SLOW_YZ = `${SLOW}y[^ ]`;
const COLS = 500;
const ROWS = 20;

/** One line that fills the screen, of `a`s and what it ends with. */
function fill(subject: FakeSubject, end: string): void {
  subject.prints((screen) => {
    for (let row = 0; row < ROWS; row++) {
      const text = 'a'.repeat(COLS);
      screen.draw(row, row === ROWS - 1 ? text.slice(end.length) + end : text, row > 0);
    }
  });
}

function filled(end: string): FakeSubject {
  const subject = new FakeSubject(COLS, ROWS);
  fill(subject, end);
  return subject;
}

async function outcomeOf(outcomes: readonly WaitReply[]): Promise<WaitReply> {
  for (;;) {
    const [outcome] = outcomes;
    if (outcome !== undefined) return outcome;
    await new Promise(setImmediate);
  }
}

test('a slow pattern finds its match after the event loop has turned', async () => {
  const subject = filled('y');
  const outcomes = subject.waits({ until: { regex: `${SLOW}y` } });
  expect(outcomes).toEqual([]);
  const { match } = await outcomeOf(outcomes);
  expect(match).toMatchObject({ row: ROWS - 1, text: `${'a'.repeat(200)}y` });
});

test('a wait times out at its deadline during a slow search', async () => {
  const subject = filled('y');
  const outcomes = subject.waits({ until: { regex: `${SLOW}y` }, timeout_ms: 300 });
  await new Promise(setImmediate);
  subject.clock.advance(300);
  expect(outcomes).toMatchObject([{ outcome: 'timeout', elapsed_ms: 300 }]);
  await new Promise(setImmediate);
  expect(outcomes).toHaveLength(1);
});

test('a late match is reported with its current row and revision', async () => {
  const subject = filled('y');
  const outcomes = subject.waits({ until: { regex: `${SLOW}y` } });
  subject.prints((screen) => {
    screen.print('one');
    screen.print('two');
  });
  expect(await outcomeOf(outcomes)).toMatchObject({ match: { row: ROWS - 3 }, rev: subject.screen.rev });
});

test('output that arrives during a slow search is searched afterwards', async () => {
  const subject = filled('y');
  const outcomes = subject.waits({ until: { regex: SLOW_YZ } });
  fill(subject, 'yz');
  expect(outcomes).toEqual([]);
  expect(await outcomeOf(outcomes)).toMatchObject({ outcome: 'matched', match: { row: ROWS - 1 } });
});

test('a slow match of a fail condition takes precedence over a fast match of an until condition', async () => {
  const subject = filled('y done');
  const outcomes = subject.waits({ until: { text: 'done' }, fail: { regex: `${SLOW}y` } });
  expect(await outcomeOf(outcomes)).toMatchObject({ outcome: 'failed', index: 0 });
});

test('a fast match is reported after all slow conditions that take precedence are decided', async () => {
  const subject = filled('y done');
  const outcomes = subject.waits({
    until: [{ regex: SLOW_YZ }, { text: 'done' }, { event: 'bell' }],
    fail: { regex: `b?${SLOW_YZ}` },
  });
  expect(outcomes).toEqual([]);
  // Too late: neither the bell nor the failure is of the instant that ends the wait.
  fill(subject, 'yz done');
  subject.publishes('bell');
  expect(await outcomeOf(outcomes)).toMatchObject({ outcome: 'matched', index: 1 });
});

test('a wait ends at the exit of the program only after the last output has been searched', async () => {
  const found = filled('y');
  const outcomes = found.waits({ until: { regex: SLOW_YZ } });
  fill(found, 'yz');
  found.exits();
  expect(outcomes).toEqual([]);
  expect(await outcomeOf(outcomes)).toMatchObject({ outcome: 'matched' });

  const missed = filled('y');
  const ends = missed.waits({ until: { regex: SLOW_YZ } });
  missed.exits();
  expect(ends).toEqual([]);
  expect(await outcomeOf(ends)).toMatchObject({ outcome: 'exited' });
});

test('a wait whose caller has disconnected reports no outcome', async () => {
  const subject = filled('y');
  const caller = new AbortController();
  const outcomes = subject.waits({ until: { regex: `${SLOW}y` } }, undefined, caller.signal);
  caller.abort();
  const other = subject.waits({ until: { regex: `${SLOW}y` } });
  await outcomeOf(other);
  expect(outcomes).toEqual([]);
});
