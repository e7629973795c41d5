import { describe, expect, test, vi } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { EventBus } from '../../src/events/bus.js';
import { Subscription, matchesFilter, type SubscriptionOptions } from '../../src/events/subscription.js';
import type { PublishedEvent, StreamLine, TerminalEvent } from '../../src/protocol/events.js';

const ALL = { terminal: undefined, types: undefined };

function bell(seq: number, terminal = 't1'): TerminalEvent {
  return { event: 'bell', count: 1, terminal, seq, ts: 0, rev: 1 };
}

function subscription(options: Partial<SubscriptionOptions> = {}): Subscription {
  return new Subscription({ filter: ALL, replay: [], onDisposed: () => {}, ...options });
}

function drain(source: Subscription): (number | string)[] {
  const lines: (number | string)[] = [];
  for (let line: StreamLine | undefined = source.next(); line !== undefined; line = source.next()) {
    lines.push('seq' in line ? line.seq : `lagged ${line.missed}`);
  }
  return lines;
}

describe('a queue', () => {
  test('yields the replay, then the pushed events, once', () => {
    const reader = subscription({ replay: [{ event: 'lagged', missed: 3 }, bell(4), bell(5)] });
    reader.push(bell(6));
    expect(drain(reader)).toEqual(['lagged 3', 4, 5, 6]);
    expect(reader.next()).toBeUndefined();
    reader.push(bell(7));
    expect(drain(reader)).toEqual([7]);
  });

  test('that is full drops its oldest events, and reports each gap once, in its place', () => {
    const onDropped = vi.fn<() => void>();
    const reader = subscription({ queueCapacity: 2, onDropped });
    reader.push(bell(1));
    reader.push(bell(2));
    expect(onDropped).not.toHaveBeenCalled();
    reader.push(bell(3));
    reader.push(bell(4));
    expect(onDropped).toHaveBeenCalledTimes(2);
    expect(drain(reader)).toEqual(['lagged 2', 3, 4]);
    reader.push(bell(5));
    expect(drain(reader)).toEqual([5]);
  });

  test('takes only events that match its filter, and calls its reader only for them', () => {
    const reader = subscription({ filter: { terminal: 't2', types: new Set(['bell']) } });
    let readable = 0;
    const listening = reader.onReadable(() => readable++);
    reader.push(bell(1, 't1'));
    reader.notify();
    expect(readable).toBe(0);
    reader.push(bell(2, 't2'));
    reader.notify();
    reader.notify();
    expect(readable).toBe(1);
    listening.dispose();
    reader.push(bell(3, 't2'));
    reader.notify();
    expect(readable).toBe(1);
    expect(drain(reader)).toEqual([2, 3]);
  });

  test('that is disposed is empty, calls no reader and reports its disposal once', () => {
    const onDisposed = vi.fn<() => void>();
    const reader = subscription({ replay: [bell(1)], queueCapacity: 1, onDisposed });
    const onReadable = vi.fn<() => void>();
    reader.onReadable(onReadable);
    reader.push(bell(2));
    reader.push(bell(3));
    reader.dispose();
    reader.dispose();
    expect(drain(reader)).toEqual([]);
    reader.notify();
    expect(onReadable).not.toHaveBeenCalled();
    expect(onDisposed).toHaveBeenCalledOnce();
  });
});

describe('a filter', () => {
  const warning = { event: 'warning', code: 'memory', message: 'Short of memory.' } as const;
  const daemonEvent: PublishedEvent = { ...warning, terminal: 't1', seq: 1, ts: 0 };

  test.each([
    [ALL, true],
    [{ terminal: 't1', types: undefined }, true],
    [{ terminal: 't2', types: undefined }, false],
    [{ terminal: undefined, types: new Set(['bell'] as const) }, true],
    [{ terminal: undefined, types: new Set(['exit'] as const) }, false],
    [{ terminal: 't1', types: new Set(['exit'] as const) }, false],
    [{ terminal: 't2', types: new Set(['bell'] as const) }, false],
  ])('%o matches a bell of t1: %s', (filter, expected) => {
    expect(matchesFilter(bell(1), filter)).toBe(expected);
  });

  test('of a terminal excludes events of the daemon, even if they name the terminal', () => {
    expect(matchesFilter(daemonEvent, ALL)).toBe(true);
    expect(matchesFilter(daemonEvent, { ...ALL, terminal: 't1' })).toBe(false);
  });
});

describe('a bus', () => {
  test('numbers and dates events of the daemon in one sequence with events of terminals', () => {
    const clock = new FakeClock();
    const bus = new EventBus({ clock });
    const reader = bus.subscribe();
    bus.publish({ event: 'activity', terminal: 't1' }, 1);
    clock.advance(50);
    bus.announce({ event: 'memory', state: 'paused', bytes: 5 });
    reader.next();
    expect(reader.next()).toEqual({ event: 'memory', state: 'paused', bytes: 5, seq: 2, ts: 50 });
    expect(bus.lastSeq).toBe(2);
  });

  test('that is disposed ends its subscriptions and calls its listeners no more', () => {
    const bus = new EventBus({ clock: new FakeClock() });
    const reader = bus.subscribe();
    const heard = vi.fn<() => void>();
    bus.on(heard);
    bus.publish({ event: 'activity', terminal: 't1' }, 1);
    bus.dispose();
    expect([bus.subscriptionCount, reader.next()]).toEqual([0, undefined]);
    bus.publish({ event: 'activity', terminal: 't1' }, 1);
    expect(heard).toHaveBeenCalledOnce();
  });

  test('counts the events that its readers lost, and refuses a seq that has not been published yet', () => {
    const bus = new EventBus({ clock: new FakeClock() });
    bus.subscribe({ queueCapacity: 1 });
    for (let i = 0; i < 3; i++) bus.publish({ event: 'activity', terminal: 't1' }, 1);
    expect(bus.dropped).toBe(2);
    const details: unknown = expect.objectContaining({ field: 'since' });
    expect(() => bus.subscribe({ since: 4 })).toThrow(expect.objectContaining({ code: 'invalid_field', details }));
    expect(bus.subscribe({ since: 3 }).next()).toBeUndefined();
  });
});
