import { expect, test } from 'vitest';
import { Emitter } from '../../src/base/emitter.js';
import { type Ends, until } from '../../src/terminal/until.js';

function pending(signal?: AbortSignal) {
  const events = new Emitter<number>();
  let ends: Ends<number> | undefined;
  const promise = until<number>(signal, (given, scope) => {
    ends = given;
    scope.add(events.on((value) => given.resolve(value)));
  });
  if (ends === undefined) throw new Error('it was not armed');
  return { events, ends, promise };
}

test('resolves with the first result, and removes its listeners', async () => {
  const { events, promise } = pending();
  expect(events.hasListeners).toBe(true);
  events.emit(7);
  expect(events.hasListeners).toBe(false);
  await expect(promise).resolves.toBe(7);
});

test('rejects with its source, and removes its listeners', async () => {
  const { events, ends, promise } = pending();
  ends.reject(new Error('broken'));
  expect(events.hasListeners).toBe(false);
  await expect(promise).rejects.toThrow('broken');
});

test("rejects with the signal's reason, and removes its listeners", async () => {
  const controller = new AbortController();
  const { events, promise } = pending(controller.signal);
  controller.abort(new Error('gone'));
  expect(events.hasListeners).toBe(false);
  await expect(promise).rejects.toThrow('gone');
});

test('does not begin for an aborted signal', async () => {
  let armed = false;
  const promise = until(AbortSignal.abort(new Error('gone')), () => (armed = true));
  await expect(promise).rejects.toThrow('gone');
  expect(armed).toBe(false);
});

test('leaves no listener on a lasting signal', async () => {
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners.delete(args[1]);
    remove(...args);
  };
  const { events, promise } = pending(signal);
  expect(listeners.size).toBe(1);
  events.emit(1);
  await promise;
  expect(listeners.size).toBe(0);
});
