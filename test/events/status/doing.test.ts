import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, type Doing, type Signal } from '../../../src/events/status/doing.js';

const NOW = 100_000;

function signal(given: Partial<Signal>): Signal {
  return {
    source: '7501',
    is: 'working',
    kind: null,
    since: NOW - 10_000,
    at: NOW - 10_000,
    by: null,
    says: 'says',
    isProven: true,
    ...given,
  };
}

const claim = (given: Partial<Signal> = {}): Signal => signal(given);
const rules = (given: Partial<Signal> = {}): Signal => signal({ source: 'rules', ...given });
const report = (given: Partial<Signal> = {}): Signal => signal({ source: 'report', ...given });
const shell = (given: Partial<Signal> = {}): Signal => signal({ source: 'shell', ...given });
const kernel = (given: Partial<Signal> = {}): Signal => signal({ source: 'kernel', isProven: false, ...given });
const exited = kernel({ is: 'exited', isProven: true });
const password = kernel({ is: 'waiting', kind: 'password', isProven: true });
const takesKeys = kernel({ is: 'idle' });

const doing = (...signals: Signal[]): Doing => decide(signals, NOW).doing;
const short = ({ is, kind, source }: Doing): string => `${is}${kind === null ? '' : `:${kind}`} ${source ?? 'none'}`;

describe('what a program is doing', () => {
  test.each<[string, Signal[], string]>([
    ['nothing', [], 'unknown none'],
    ['an end, over all else', [claim(), password, exited], 'exited kernel'],
    ['a password that is read, over a claim to work', [claim(), password], 'waiting:password kernel'],
    ['a claim, over the rules', [rules(), claim({ is: 'idle' })], 'idle 7501'],
    [
      'the most urgent claim',
      [claim(), claim({ is: 'waiting', kind: 'auth' }), claim({ is: 'done' })],
      'waiting:auth 7501',
    ],
    ['the rules, over progress', [rules(), signal({ source: 'progress', is: 'error' })], 'working rules'],
    ['progress, over the shell', [shell(), signal({ source: 'progress', is: 'error' })], 'error progress'],
    ['the shell, over a guess', [shell({ is: 'idle' }), kernel({ at: NOW })], 'idle shell'],
    ['output of the last two seconds', [kernel({ at: NOW - 1999 }), takesKeys], 'working kernel'],
    ['a program that would take a key, after that', [kernel({ at: NOW - 2000 }), takesKeys], 'idle kernel'],
    ['a claim, over a report of its hooks', [report({ is: 'done' }), claim()], 'working 7501'],
    ['a report of hooks, over the rules', [report({ is: 'done' }), rules()], 'done report'],
    [
      'a question that hooks report half a second after the claim',
      [claim({ since: NOW - 1501 }), report({ is: 'waiting', since: NOW - 1000 })],
      'waiting report',
    ],
    [
      'no question of hooks that has left the screen',
      [report({ is: 'waiting', at: NOW - 1000 }), rules({ is: 'waiting', ended: NOW - 10 }), shell()],
      'working shell',
    ],
    [
      'a question of hooks that is newer than the one that has left the screen',
      [report({ is: 'waiting', at: NOW - 5 }), rules({ is: 'waiting', ended: NOW - 10 }), shell()],
      'waiting report',
    ],
    ['a stale claim, which counts for nothing', [claim({ stale: 'gone' }), shell({ is: 'idle' })], 'idle shell'],
    [
      'a question on the screen that is newer than the claim by half a second',
      [claim({ since: NOW - 1501 }), rules({ is: 'waiting', kind: 'permission', since: NOW - 1000 })],
      'waiting:permission rules',
    ],
    [
      'a claim that is newer than that question',
      [claim({ since: NOW - 1500 }), rules({ is: 'waiting', kind: 'permission', since: NOW - 1000 })],
      'working 7501',
    ],
    ['a question that one look alone has seen', [rules({ is: 'waiting', since: NOW - 149 })], 'unknown none'],
    [
      'a question that one look has seen in the place of another',
      [
        rules({ is: 'waiting', kind: 'permission', since: NOW - 900, ended: NOW - 10 }),
        rules({ is: 'waiting', kind: 'question', since: NOW - 10 }),
      ],
      'waiting:question rules',
    ],
    [
      'a question that one look has seen after one that stood too short',
      [
        rules({ is: 'waiting', since: NOW - 140, ended: NOW - 10 }),
        rules({ is: 'waiting', since: NOW - 10 }),
        rules({ is: 'waiting', since: NOW - 300, ended: NOW - 161 }),
      ],
      'unknown none',
    ],
    ['work that ended just now', [rules({ ended: NOW - 399 })], 'working rules'],
    ['work that ended', [rules({ ended: NOW - 400 })], 'unknown none'],
    ['a question that was answered', [rules({ is: 'waiting', ended: NOW })], 'unknown none'],
    [
      'a line that is read for less than a second',
      [kernel({ is: 'waiting', kind: 'line', since: NOW - 999 })],
      'unknown none',
    ],
  ])('is by %s', (_, signals, expected) => {
    expect(short(doing(...signals))).toBe(expected);
  });

  test.each<[string, Signal[], string | null, number]>([
    ['waits', [claim({ is: 'waiting', kind: 'permission' })], 'permission', 1],
    ['waits and does not say for what', [claim({ is: 'waiting' })], 'unknown', 0],
    ['has failed', [claim({ is: 'error' })], 'error', 0],
    ['has failed while a question is open', [claim({ is: 'error' })], 'ask', 1],
    ['has finished its turn', [claim({ is: 'done' })], null, 0],
    ['works', [claim()], null, 0],
  ])('needs a person when it %s: %s', (_, signals, needs, asks) => {
    expect(decide(signals, NOW, asks).doing.needs_you).toBe(needs);
  });

  test('names the signals that disagree, guesses left out', () => {
    const found = doing(claim({ is: 'idle' }), rules(), shell({ is: 'idle' }), kernel({ at: NOW }));
    expect(found.differs).toEqual([{ source: 'rules', is: 'working', kind: null }]);
    expect(decide([claim(), rules({ is: 'idle' }), kernel({ at: NOW })], NOW).signals.map(({ why }) => why)).toEqual([
      'decides',
      'differs',
      'guesses',
    ]);
  });

  test.each<[string, Signal[], boolean]>([
    ['a claim', [claim()], true],
    ['a guess', [takesKeys], false],
    ['the shell of a program that would take a key', [shell(), takesKeys], false],
    ['the shell of a program that prints', [shell(), kernel({ at: NOW })], true],
    ['a shell whose marks anything could print', [shell({ isProven: false })], false],
  ])('by %s is sure: %s', (_, signals, sure) => {
    expect(doing(...signals).sure).toBe(sure);
  });

  test('says when the same signals have another answer', () => {
    const signals = [kernel({ at: NOW }), password, rules({ is: 'waiting', since: NOW - 50, kind: 'question' })];
    let at = 0;
    for (let steps = 0, next: number | undefined = NOW; next !== undefined; next = decide(signals, next).changesAt) {
      expect(next).toBeGreaterThan(at);
      expect(steps++).toBeLessThan(10);
      at = next;
    }
    expect(short(decide(signals, at).doing)).toBe(short(decide(signals, at + 1e9).doing));
  });

  test('does not depend on the order of the signals', () => {
    const time = fc.integer({ min: NOW - 3000, max: NOW });
    const any: fc.Arbitrary<Signal> = fc
      .record({
        source: fc.constantFrom('kernel', '7501', 'report', 'rules', 'progress', 'shell'),
        is: fc.constantFrom('working', 'waiting', 'idle', 'done', 'error', 'exited'),
        kind: fc.constantFrom(null, 'permission', 'password'),
        since: fc.option(time),
        at: time,
        isProven: fc.boolean(),
        says: fc.constantFrom('a', 'b'),
        fate: fc.constantFrom({}, { stale: 'gone' }, { ended: NOW - 100 }),
      } as const)
      .map(({ fate, ...fields }) => signal({ ...fields, ...fate }));
    fc.assert(
      fc.property(
        fc
          .array(any, { maxLength: 8 })
          .chain((signals) =>
            fc.tuple(fc.constant(signals), fc.shuffledSubarray(signals, { minLength: signals.length })),
          ),
        ([signals, shuffled]) => {
          expect(decide(shuffled, NOW)).toEqual(decide(signals, NOW));
        },
      ),
      { numRuns: 500 },
    );
  });
});
