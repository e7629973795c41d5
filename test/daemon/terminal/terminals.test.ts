import { expect, test } from 'vitest';
import { Terminals } from '../../../src/daemon/terminal/terminals.js';
import { ownTerminal } from '../../support/own-terminal.js';

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
  expect(terminals.use('b')).toBe(first);
});

test('@ is the last one created or used, not one that was only peeked at', () => {
  const { terminals, first, second } = withTerminals('a', 'b');
  expect(terminals.use('@')).toBe(second);
  terminals.use('a');
  terminals.peek('b');
  expect(terminals.use('@')).toBe(first);
});

test('@ is the one used before after the last one is removed', () => {
  const { terminals, first, second, third } = withTerminals('a', 'b', 'c');
  if (first === undefined || second === undefined || third === undefined) throw new Error('there are three');
  terminals.use('a');
  expect(terminals.delete(second)).toBe(true);
  expect(terminals.use('@')).toBe(first);
  expect(terminals.delete(first)).toBe(true);
  expect(terminals.use('@')).toBe(third);
  expect(terminals.delete(third)).toBe(true);
  expect(terminals.size).toBe(0);
  expect(() => terminals.use('@')).toThrow('There is no terminal yet, so "@" names none.');
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
  expect(() => terminals.use('biuld')).toThrow(
    expect.objectContaining({ code: 'terminal_not_found', details: { hint: 't4a list', closest: 'build' } }) as Error,
  );
  expect(() => terminals.use('zzzzzz')).toThrow(
    expect.objectContaining({ code: 'terminal_not_found', details: { hint: 't4a list' } }) as Error,
  );
  expect(() => new Terminals().use('@')).toThrow(
    expect.objectContaining({ code: 'terminal_not_found', details: { hint: 't4a create' } }) as Error,
  );
});
