import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { Log } from '../../src/base/log.js';
import { EventBus } from '../../src/events/bus.js';
import type { EventBody, EventType, StreamLine, TerminalEvent } from '../../src/protocol/events.js';

const bell = (terminal = 't1'): EventBody => ({ event: 'bell', terminal, count: 1 });
const activity = (terminal = 't1'): EventBody => ({ event: 'activity', terminal });

function fail(): never {
  throw new Error('listener broke');
}

function newBus(historyCapacity?: number): EventBus {
  return new EventBus({ clock: new FakeClock(), ...(historyCapacity === undefined ? {} : { historyCapacity }) });
}

function drain(source: { next(): StreamLine | undefined }): StreamLine[] {
  const lines: StreamLine[] = [];
  for (let line = source.next(); line !== undefined; line = source.next()) lines.push(line);
  return lines;
}

const seqs = (lines: readonly StreamLine[]) =>
  lines.map((line) => ('seq' in line ? line.seq : `lagged ${line.missed}`));

describe('publishing', () => {
  test('numbers events of all terminals with one counter, from 1', () => {
    const bus = newBus();
    expect(bus.publish(bell('t1'), 3).seq).toBe(1);
    expect(bus.publish(bell('t2'), 9).seq).toBe(2);
    expect(bus.lastSeq).toBe(2);
  });

  test("writes event, terminal, the event's own fields, seq, ts and rev, for any order of the body", () => {
    const clock = new FakeClock();
    clock.advance(1234);
    const bus = new EventBus({ clock });
    const body: EventBody = { code: 0, command: 'ls', duration_ms: 5, terminal: 't1', event: 'command_done' };
    expect(JSON.stringify(bus.publish(body, 7))).toBe(
      '{"event":"command_done","terminal":"t1","code":0,"command":"ls","duration_ms":5,"seq":1,"ts":1234,"rev":7}',
    );
  });

  test('continues after a listener or a reader throws, and logs the error', () => {
    const log: string[] = [];
    const bus = new EventBus({ clock: new FakeClock(), log: new Log((line) => log.push(line)) });
    const heard: number[] = [];
    const subscription = bus.subscribe();
    subscription.onReadable(fail);
    bus.on(fail);
    bus.on((event) => heard.push(event.seq));
    bus.publish(bell(), 1);
    expect(heard).toEqual([1]);
    expect(seqs(drain(subscription))).toEqual([1]);
    expect(log.filter((line) => line.includes('listener broke'))).toHaveLength(2);
  });

  test('listeners receive an event that another listener published after the event that caused it', () => {
    const bus = newBus();
    const heard: string[] = [];
    bus.on((event) => {
      if (event.event === 'bell') bus.publish(activity(), event.rev);
    });
    bus.on((event) => heard.push(event.event));
    bus.publish(bell(), 1);
    expect(heard).toEqual(['bell', 'activity']);
  });

  test('a disposed listener and a disposed subscription receive no further events', () => {
    const bus = newBus();
    const heard: number[] = [];
    const listening = bus.on((event) => heard.push(event.seq));
    const subscription = bus.subscribe();
    listening.dispose();
    subscription.dispose();
    bus.publish(bell(), 1);
    expect(heard).toEqual([]);
    expect(subscription.next()).toBeUndefined();
    expect(bus.subscriptionCount).toBe(0);
  });
});

describe('subscriptions', () => {
  test('filter by terminal and by type', () => {
    const bus = newBus();
    const subscription = bus.subscribe({ terminal: 't1', types: ['bell'] });
    bus.publish(bell('t2'), 1);
    bus.publish(activity('t1'), 1);
    bus.publish(bell('t1'), 1);
    expect(seqs(drain(subscription))).toEqual([3]);
  });

  test('call their reader only for events that match the filter', () => {
    const bus = newBus();
    const subscription = bus.subscribe({ types: ['bell'] });
    let calls = 0;
    subscription.onReadable(() => calls++);
    bus.publish(activity(), 1);
    expect(calls).toBe(0);
    bus.publish(bell(), 1);
    expect(calls).toBe(1);
  });

  test('a full queue drops its oldest events and reports their number in their place', () => {
    const bus = newBus();
    const subscription = bus.subscribe({ queueCapacity: 2 });
    for (let i = 0; i < 5; i++) bus.publish(bell(), i);
    expect(seqs(drain(subscription))).toEqual(['lagged 3', 4, 5]);
    bus.publish(bell(), 6);
    expect(seqs(drain(subscription))).toEqual([6]);
  });

  test('a second gap is reported separately from the first', () => {
    const bus = newBus();
    const subscription = bus.subscribe({ queueCapacity: 2 });
    for (let i = 0; i < 3; i++) bus.publish(bell(), i);
    expect(seqs([subscription.next()!, subscription.next()!])).toEqual(['lagged 1', 2]);
    for (let i = 0; i < 2; i++) bus.publish(bell(), i);
    expect(seqs(drain(subscription))).toEqual(['lagged 1', 4, 5]);
  });
});

describe('since', () => {
  test('replays the events after that seq, then continues with live events', () => {
    const bus = newBus();
    for (let i = 0; i < 4; i++) bus.publish(bell(), i);
    const subscription = bus.subscribe({ since: 2 });
    bus.publish(bell(), 5);
    expect(seqs(drain(subscription))).toEqual([3, 4, 5]);
  });

  test('begins with lagged if the history no longer reaches back to that seq', () => {
    const bus = newBus(3);
    for (let i = 0; i < 10; i++) bus.publish(bell(), i);
    expect(seqs(drain(bus.subscribe({ since: 2 })))).toEqual(['lagged 5', 8, 9, 10]);
    expect(seqs(drain(bus.subscribe({ since: 7 })))).toEqual([8, 9, 10]);
  });

  test('a flood of one terminal pushes out its own events alone, and each gap is reported in its place', () => {
    const bus = newBus(6);
    bus.announce({ event: 'published', name: 'important', data: '' });
    bus.publish(bell('quiet'), 1);
    for (let i = 0; i < 100; i++) bus.publish(bell('loud'), i);
    bus.publish(activity('quiet'), 2);
    for (let i = 0; i < 100; i++) bus.publish(bell('loud'), i);
    const kept = bus.subscribe({ since: 0 });
    expect(drain(kept).slice(0, -3)).toEqual([
      expect.objectContaining({ event: 'published', seq: 1 }),
      expect.objectContaining({ terminal: 'quiet', seq: 2 }),
      { event: 'lagged', missed: 100, after: 2 },
      expect.objectContaining({ terminal: 'quiet', seq: 103 }),
      { event: 'lagged', missed: 97, after: 103 },
    ]);
    // None of its own is lost.
    expect(seqs(drain(bus.subscribe({ since: 1, terminal: 'quiet' })))).toEqual([2, 103]);
    const another = newBus(6);
    another.restore(bus.freeze());
    another.publish(bell('loud'), 1);
    expect(seqs(drain(another.subscribe({ since: 0, types: ['published', 'activity'] })))).toEqual([
      1,
      'lagged 100',
      103,
      'lagged 98',
    ]);
  });

  test('of as many owners as are kept, the oldest event goes', () => {
    const bus = newBus(3);
    for (const terminal of ['t1', 't2', 't3', 't4']) bus.publish(bell(terminal), 1);
    expect(seqs(drain(bus.subscribe({ since: 0 })))).toEqual(['lagged 1', 2, 3, 4]);
    bus.publish(bell('t4'), 2);
    expect(seqs(drain(bus.subscribe({ since: 1 })))).toEqual([2, 3, 'lagged 1', 5]);
  });

  test('replays nothing for the last seq, and refuses a seq that has not been published yet', () => {
    const bus = newBus();
    bus.publish(bell(), 1);
    expect(drain(bus.subscribe({ since: 1 }))).toEqual([]);
    expect(() => bus.subscribe({ since: 2 })).toThrow(expect.objectContaining({ code: 'invalid_field' }));
    expect(bus.subscriptionCount).toBe(1);
  });

  test('a replay longer than the queue loses nothing', () => {
    const bus = newBus();
    for (let i = 0; i < 50; i++) bus.publish(bell(), i);
    const subscription = bus.subscribe({ since: 0, queueCapacity: 2 });
    for (let i = 0; i < 3; i++) bus.publish(bell(), i);
    const lines = seqs(drain(subscription));
    expect(lines.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(lines.slice(50)).toEqual(['lagged 1', 52, 53]);
  });
});

/** One step of a story: an event is published, or one reader takes a few lines. */
type Step =
  | { readonly publish: EventType; readonly terminal: string }
  | { readonly reader: number; readonly take: number }
  | { readonly join: number };

const TYPES: readonly EventType[] = ['bell', 'activity', 'removed'];
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ publish: fc.constantFrom(...TYPES), terminal: fc.constantFrom('t1', 't2') }) },
  { weight: 2, arbitrary: fc.record({ reader: fc.nat(5), take: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ join: fc.integer({ min: 1, max: 5 }) }) },
);

describe('order and completeness', () => {
  test('a reader of any speed receives growing seqs; received and missed events are all that match its filter', () => {
    const story = fc.record({
      steps: fc.array(step, { maxLength: 300 }),
      filters: fc.array(
        fc.record({
          terminal: fc.option(fc.constantFrom('t1', 't2'), { nil: undefined }),
          types: fc.option(fc.subarray([...TYPES], { minLength: 1 }), { nil: undefined }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    });
    fc.assert(
      fc.property(story, ({ steps, filters }) => {
        const bus = newBus();
        const readers = filters.map((filter, i) => newReader(bus, filter, i + 1));
        for (const one of steps) {
          if ('publish' in one) {
            const event = bus.publish({ event: one.publish, terminal: one.terminal } as EventBody, 1);
            for (const reader of readers) reader.published(event);
          } else if ('reader' in one) readers[one.reader % readers.length]!.take(one.take);
          else readers.push(newReader(bus, {}, one.join));
        }
        for (const reader of readers) {
          reader.take(Infinity);
          reader.check();
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a reader that subscribes again from its last seq receives or counts as missed each later event', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(
          fc.record({ published: fc.array(fc.constantFrom('t1', 't2', 't3'), { maxLength: 30 }), taken: fc.nat(40) }),
          {
            maxLength: 20,
          },
        ),
        (historyCapacity, visits) => {
          const bus = newBus(historyCapacity);
          let lastSeen = 0;
          for (const { published, taken } of visits) {
            for (const terminal of published) bus.publish(bell(terminal), 1);
            const subscription = bus.subscribe({ since: lastSeen, queueCapacity: 4 });
            for (let i = 0; i < taken; i++) {
              const line = subscription.next();
              if (line === undefined) break;
              // The number missed says exactly which seq comes next.
              const expected: number = 'missed' in line ? lastSeen + line.missed : lastSeen + 1;
              if (!('missed' in line)) expect(line.seq).toBe(expected);
              lastSeen = expected;
            }
            subscription.dispose();
          }
        },
      ),
    );
  });
});

function newReader(
  bus: EventBus,
  filter: { terminal?: string | undefined; types?: EventType[] | undefined },
  queueCapacity: number,
) {
  const subscription = bus.subscribe({ ...filter, queueCapacity });
  const wanted: number[] = [];
  const got: StreamLine[] = [];
  return {
    published(event: TerminalEvent) {
      if (filter.terminal !== undefined && event.terminal !== filter.terminal) return;
      if (filter.types?.includes(event.event) === false) return;
      wanted.push(event.seq);
    },
    take(most: number) {
      for (let i = 0; i < most; i++) {
        const line = subscription.next();
        if (line === undefined) return;
        got.push(line);
      }
    },
    /** Walks what was wanted: each line is the next wanted event, or skips exactly as many as it says. */
    check() {
      let at = 0;
      for (const line of got) {
        if (line.event === 'lagged') {
          expect(line.missed).toBeGreaterThan(0);
          at += line.missed;
        } else expect(line.seq).toBe(wanted[at++]);
      }
      expect(at).toBe(wanted.length);
    },
  };
}
