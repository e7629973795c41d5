import { describe, expect, test } from 'vitest';
import { Terminals } from '../../src/terminal/terminals.js';
import { ownTerminal } from '../support/own-terminal.js';

const NO_SCOPE = {};

function withTerminals(...ids: string[]) {
  const terminals = new Terminals();
  const [first, second, third] = ids.map((id) => {
    const terminal = ownTerminal({ id });
    terminals.add(terminal);
    return terminal;
  });
  return { terminals, first, second, third };
}

test('terminals are named t1, t2, … without names in use', () => {
  const { terminals } = withTerminals('t2');
  expect([terminals.nextId(), terminals.nextId()]).toEqual(['t1', 't3']);
});

test('terminals are listed in order of creation, and found by name', () => {
  const { terminals, first, second } = withTerminals('b', 'a');
  expect(terminals.all()).toEqual([first, second]);
  expect(terminals.size).toBe(2);
  expect(terminals.peek('a')).toBe(second);
  expect(terminals.peek('c')).toBeUndefined();
  expect(terminals.use('b', NO_SCOPE)).toBe(first);
});

test('@ is the last one created or used, not one that was only peeked at', () => {
  const { terminals, first, second } = withTerminals('a', 'b');
  expect(terminals.use('@', NO_SCOPE)).toBe(second);
  terminals.use('a', NO_SCOPE);
  terminals.peek('b');
  expect(terminals.use('@', NO_SCOPE)).toBe(first);
});

test('@ is the one used before after the last one is removed', () => {
  const { terminals, first, second, third } = withTerminals('a', 'b', 'c');
  if (first === undefined || second === undefined || third === undefined) throw new Error('there are three');
  terminals.use('a', NO_SCOPE);
  expect(terminals.delete(second)).toBe(true);
  expect(terminals.use('@', NO_SCOPE)).toBe(first);
  expect(terminals.delete(first)).toBe(true);
  expect(terminals.use('@', NO_SCOPE)).toBe(third);
  expect(terminals.delete(third)).toBe(true);
  expect(terminals.size).toBe(0);
  expect(() => terminals.use('@', NO_SCOPE)).toThrow('There is no terminal yet, so "@" names none.');
});

test('a terminal is deleted once, and not for another one of its name', () => {
  const { terminals, first } = withTerminals('a');
  if (first === undefined) throw new Error('there is one');
  expect(terminals.delete(ownTerminal({ id: 'a' }))).toBe(false);
  expect(terminals.delete(first)).toBe(true);
  expect(terminals.delete(first)).toBe(false);
});

test('two terminals cannot have the same name', () => {
  const { terminals } = withTerminals('a');
  expect(() => terminals.add(ownTerminal({ id: 'a' }))).toThrow('there are two terminals a');
});

test('an unknown name is refused with the nearest existing one', () => {
  const { terminals } = withTerminals('build', 'logs');
  expect(() => terminals.use('biuld', NO_SCOPE)).toThrow(
    expect.objectContaining({ code: 'terminal_not_found', details: { hint: 't4a list', closest: 'build' } }) as Error,
  );
  expect(() => terminals.use('zzzzzz', NO_SCOPE)).toThrow(
    expect.objectContaining({ code: 'terminal_not_found', details: { hint: 't4a list' } }) as Error,
  );
  expect(() => new Terminals().use('@', NO_SCOPE)).toThrow(
    expect.objectContaining({ code: 'terminal_not_found', details: { hint: 't4a create' } }) as Error,
  );
});

describe('@ of a scope', () => {
  const a = { scope: 'a' };
  const b = { scope: 'b' };

  function withScopes() {
    const made = withTerminals('old');
    const { terminals } = made;
    const make = (id: string, asker: { readonly scope?: string }) => {
      const terminal = ownTerminal({ id });
      terminals.add(terminal, asker);
      return terminal;
    };
    return { ...made, make };
  }

  test('is the latest terminal that its own requests made or named', () => {
    const { terminals, first, make } = withScopes();
    const ofA = make('ofA', a);
    const ofB = make('ofB', b);
    expect([a, b, NO_SCOPE].map((asker) => terminals.use('@', asker))).toEqual([ofA, ofB, ofB]);
    terminals.use('old', a);
    expect([a, b].map((asker) => terminals.use('@', asker))).toEqual([first, ofB]);
    expect(terminals.use('@', NO_SCOPE)).toBe(ofB);
  });

  test('is the latest of all until it has made or named one; "@" itself names none', () => {
    const { terminals, first, make } = withScopes();
    expect(terminals.use('@', a)).toBe(first);
    const ofB = make('ofB', b);
    expect(terminals.use('@', a)).toBe(ofB);
    expect(() => terminals.use('none', a)).toThrow('No terminal "none".');
    expect(terminals.use('@', a)).toBe(ofB);
  });

  test('is none to an act until it has made or named one, which a read of "@" is not', () => {
    const { terminals, first } = withScopes();
    const act = { ...a, cmd: 'type' } as const;
    expect(terminals.use('@', { ...a, cmd: 'text' })).toBe(first);
    expect(() => terminals.use('@', act)).toThrow(
      expect.objectContaining({ code: 'terminal_not_found', details: { field: 'scope', hint: 't4a list' } }) as Error,
    );
    expect(terminals.use('@', { cmd: 'type' })).toBe(first);
    terminals.use('old', a);
    expect(terminals.use('@', act)).toBe(first);
    expect(() => new Terminals().use('@', act)).toThrow('There is no terminal yet, so "@" names none.');
  });

  test('is led nowhere by a connection that may only read', () => {
    const { terminals, first, make } = withScopes();
    const ofA = make('ofA', a);
    const restriction = { reach: 'read', person: false } as const;
    for (const asker of [a, NO_SCOPE]) expect(terminals.use('old', { ...asker, restriction })).toBe(first);
    expect([a, NO_SCOPE].map((asker) => terminals.use('@', asker))).toEqual([ofA, ofA]);
    terminals.use('old', { ...a, restriction: { reach: 'use', person: false } });
    expect(terminals.use('@', a)).toBe(first);
  });

  test('falls back to its terminal before after a removal, and never to one of others', () => {
    const { terminals, first, make } = withScopes();
    const ofA = make('ofA', a);
    terminals.use('old', a);
    terminals.use('ofA', a);
    const ofB = make('ofB', b);
    expect(terminals.delete(ofA)).toBe(true);
    expect(terminals.use('@', a)).toBe(first);
    if (first === undefined) throw new Error('there is one');
    expect(terminals.delete(first)).toBe(true);
    expect(() => terminals.use('@', a)).toThrow('The terminals that were used here are gone');
    expect(terminals.use('@', NO_SCOPE)).toBe(ofB);
    // Another terminal of a name that the scope has used is not its own.
    make('ofA', b);
    terminals.use('ofB', NO_SCOPE);
    expect(() => terminals.use('@', a)).toThrow('"@" names none');
    terminals.use('ofB', a);
    expect(terminals.use('@', a)).toBe(ofB);
  });

  test('is remembered for the 1,024 scopes that were used last', () => {
    const { terminals, first, make } = withScopes();
    for (let n = 0; n < 1024; n++) terminals.use('old', { scope: `s${n}` });
    const latest = make('latest', NO_SCOPE);
    expect(terminals.use('@', { scope: 's0' })).toBe(first);
    terminals.use('old', { scope: 'one-more' });
    terminals.use('latest', NO_SCOPE);
    expect(terminals.use('@', { scope: 's0' })).toBe(first);
    terminals.use('latest', NO_SCOPE);
    expect(terminals.use('@', { scope: 's1' })).toBe(latest);
    expect(terminals.use('@', { scope: 's2' })).toBe(first);
  });

  test('remembers the last 16 terminals', () => {
    const { terminals, first, make } = withScopes();
    terminals.use('old', a);
    const own = Array.from({ length: 16 }, (_, n) => make(`n${n}`, a));
    make('latest', NO_SCOPE);
    for (const terminal of own.slice(1)) terminals.delete(terminal);
    expect(terminals.use('@', a)).toBe(own[0]);
    for (const terminal of own.slice(0, 1)) terminals.delete(terminal);
    // "old" was the seventeenth.
    expect(first?.id).toBe('old');
    expect(() => terminals.use('@', a)).toThrow('"@" names none');
  });
});
