import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decide, type Signal } from '../../src/events/status/doing.js';
import { readFileSync } from 'node:fs';
import { endWord } from '../../src/protocol/end-words.js';
import { doingWord, STATE_LOOKS, stateKind, listedWord, type ListedDoing } from '../../src/mirror/doing-word.js';

const claimed = (given: Partial<ListedDoing>): ListedDoing => ({ is: 'working', kind: null, source: '7501', ...given });

test.each<[ListedDoing | undefined, string]>([
  [undefined, ''],
  [claimed({}), 'working'],
  [claimed({ is: 'waiting' }), 'waiting'],
  [claimed({ is: 'waiting', kind: 'permission' }), 'permission'],
  [claimed({ is: 'waiting', kind: 'line', source: 'kernel' }), 'waiting'],
  [claimed({ is: 'done' }), 'done'],
  [claimed({ source: 'kernel' }), ''],
  [claimed({ source: 'kernel', is: 'idle' }), ''],
  [claimed({ source: 'shell' }), ''],
  [claimed({ source: 'kernel', is: 'exited' }), ''],
])('the word for %j is %j', (doing, word) => {
  expect(doingWord(doing)).toBe(word);
});

describe('of any signals', () => {
  const NOW = 100_000;
  const is = fc.constantFrom<Signal['is']>('working', 'waiting', 'idle', 'done', 'error', 'exited');
  const source = fc.constantFrom<Signal['source']>('kernel', '7501', 'report', 'rules', 'progress', 'shell');
  const signals = fc.array(
    fc
      .record({ source, is, isCertain: fc.boolean(), at: fc.integer({ min: NOW - 20_000, max: NOW }) })
      .map(({ source: from, is: state, isCertain, at }): Signal => {
        // What the daemon itself never makes is no signal: a kernel's question is one of a certain reader.
        const isProven = from === 'shell' || from === 'kernel' ? isCertain || state === 'waiting' : true;
        return { source: from, is: state, kind: null, since: at, at, by: null, says: 'says', isProven };
      }),
    { maxLength: 6 },
  );

  test('no guess is worded as a fact, and every proven claim of a program or a question has its word', () => {
    let worded = 0;
    fc.assert(
      fc.property(signals, (given) => {
        const { doing } = decide(given, NOW);
        const word = doingWord(doing);
        if (!doing.sure) expect(word).toBe('');
        else if (doing.source !== 'shell' && doing.is !== 'exited') expect(word).toBe(doing.is);
        if (word !== '') worded++;
      }),
    );
    expect(worded).toBeGreaterThan(0);
  });
});

test('in a list a guess is said to be one, and nothing else is', () => {
  const doing = { is: 'idle', kind: null, source: 'kernel', sure: false, ...REST } as const;
  expect(listedWord({ doing })).toBe('probably idle');
  expect(listedWord({ doing: { ...doing, sure: true } })).toBe('idle');
  expect(listedWord({ doing: { ...doing, is: 'unknown', source: null } })).toBe('unknown');
  expect(listedWord({})).toBe('unknown');
});

const REST = { since: 1, needs_you: null, evidence: null, differs: [] };

test('lists have the word of the page where that has one, and its kinds', () => {
  const doing = { is: 'waiting', kind: 'password', source: 'kernel', sure: true, ...REST } as const;
  expect(listedWord({ doing })).toBe(doingWord(doing));
  expect(doingWord(doing)).toBe('password');
  expect(stateKind({ alive: true, exit_code: null, doing: { ...doing, needs_you: 'password' } })).toBe('waits');
  expect(stateKind({ alive: true, exit_code: null, doing: { ...doing, kind: 'line' } })).toBe('waits');
  expect(stateKind({ alive: true, exit_code: null, doing: { ...doing, is: 'working', needs_you: 'ask' } })).toBe(
    'busy',
  );
  expect(stateKind({ alive: true, exit_code: null, doing: { ...doing, is: 'error', needs_you: 'error' } })).toBe(
    'failed',
  );
  expect(stateKind({ alive: false, exit_code: 0 })).toBe('done');
  expect(stateKind({ alive: false, exit_code: 3 })).toBe('failed');
  expect(endWord({ exit_code: 3, signal: null })).toBe('exited 3');
  expect(endWord({ exit_code: null, signal: 'SIGKILL' })).toBe('SIGKILL');
});

test('the styles of the page have the colours of the command line', () => {
  const css = readFileSync(new URL('../../src/page/page.css', import.meta.url), 'utf8');
  /** Variables of the page: blue is its accent, and a dim dot is that of no kind. */
  const variables = { yellow: '--yellow', red: '--red', blue: '--accent', green: '--green', dim: undefined } as const;
  for (const [kind, { color }] of Object.entries(STATE_LOOKS)) {
    const [, found] = new RegExp(`\\.dot\\.is-${kind}\\b[^{]*\\{\\s*background: var\\((--\\w+)\\)`).exec(css) ?? [];
    expect(found, kind).toBe(variables[color]);
  }
});
