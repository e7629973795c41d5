import { expect, test } from 'vitest';
import { Emitter, listenerCount } from '../../src/base/emitter.js';

test('listeners run in the order of their subscription, until they are disposed of', () => {
  const emitter = new Emitter<number>();
  const heard: string[] = [];
  expect(emitter.hasListeners).toBe(false);
  const first = emitter.on((value) => heard.push(`first ${value}`));
  const second = emitter.on((value) => heard.push(`second ${value}`));
  expect(emitter.hasListeners).toBe(true);
  emitter.emit(1);
  first.dispose();
  first.dispose();
  emitter.emit(2);
  second.dispose();
  expect(emitter.hasListeners).toBe(false);
  emitter.emit(3);
  expect(heard).toEqual(['first 1', 'second 1', 'second 2']);
});

test('a throwing listener does not stop the others, and the first error is thrown at the end', () => {
  const emitter = new Emitter<void>();
  const heard: string[] = [];
  emitter.on(() => {
    throw new Error('first');
  });
  emitter.on(() => heard.push('between'));
  emitter.on(() => {
    throw new Error('second');
  });
  emitter.on(() => heard.push('last'));
  expect(() => emitter.emit()).toThrow('first');
  expect(heard).toEqual(['between', 'last']);
});

test('listeners added or removed during an emit count from the next emit on', () => {
  const emitter = new Emitter<number>();
  const heard: string[] = [];
  emitter.on((value) => {
    if (value === 1) emitter.on((later) => heard.push(`newcomer ${later}`));
    leaving.dispose();
  });
  const leaving = emitter.on((value) => heard.push(`leaving ${value}`));
  emitter.emit(1);
  emitter.emit(2);
  expect(heard).toEqual(['leaving 1', 'newcomer 2']);
});

test('clear removes all listeners', () => {
  const emitter = new Emitter<number>();
  const heard: number[] = [];
  emitter.on((value) => heard.push(value));
  emitter.clear();
  emitter.emit(1);
  expect([heard, emitter.hasListeners]).toEqual([[], false]);
});

test('the listeners of all emitters are counted, however they were removed', () => {
  const before = listenerCount();
  const [first, second] = [new Emitter<number>(), new Emitter<void>()];
  const listening = first.on(() => {});
  first.on(() => {});
  second.on(() => {});
  expect(listenerCount() - before).toBe(3);
  listening.dispose();
  listening.dispose();
  expect(listenerCount() - before).toBe(2);
  first.clear();
  first.clear();
  expect(listenerCount() - before).toBe(1);
  second.clear();
  expect(listenerCount()).toBe(before);
});
