import { beforeEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { silentLog } from '../../../src/base/log.js';
import { MemoryGovernor } from '../../../src/terminal/system/memory-governor.js';
import type { MemoryHolder } from '../../../src/terminal/system/memory-holder.js';
import { pressureOf } from '../../../src/terminal/system/memory.js';
import type { DaemonEventBody } from '../../../src/protocol/events.js';

const LIMIT = 1000;
/** What the process takes without any terminal. */
const BASE = 100;
const LINE = 1;
/** What a terminal may print between two measurements and be no flood. */
const TRICKLE_BYTES = LIMIT / 100_000;

class Holder implements MemoryHolder {
  readonly id: string;
  parsedBytes = 0;
  scrollbackLines = 0;
  scrollbackLimit = 10_000;
  outputPaused = false;
  /** What is no scrollback. */
  grid = 0;

  constructor(id: string) {
    this.id = id;
  }

  weigh(): number {
    return this.grid + this.scrollbackLines * LINE;
  }

  halveScrollback(): number {
    const lines = Math.ceil(this.scrollbackLines / 2);
    if (lines === 0) return 0;
    world.garbage += lines * LINE;
    this.scrollbackLines -= lines;
    this.scrollbackLimit = this.scrollbackLines;
    return lines;
  }

  pauseOutput(): void {
    this.outputPaused = true;
    this.scrollbackLimit = this.scrollbackLines;
  }

  resumeOutput(): void {
    this.outputPaused = false;
  }
}

/** Memory as the governor sees it: what is dropped stays resident until it is collected. */
let world: {
  caches: number;
  garbage: number;
  freeBlocks: number;
  youngRoom: number;
  collections: number;
  peak: number;
};
let clock: FakeClock;
let holders: Holder[];
let events: DaemonEventBody[];
let governor: MemoryGovernor;

function resident(): number {
  const held = holders.reduce((sum, holder) => sum + holder.weigh(), 0);
  return BASE + world.caches + world.garbage + world.freeBlocks + held;
}

beforeEach(() => {
  world = { caches: 0, garbage: 0, freeBlocks: 0, youngRoom: 0, collections: 0, peak: 0 };
  clock = new FakeClock();
  holders = [];
  events = [];
  governor = new MemoryGovernor({
    clock,
    log: silentLog,
    figures: () => ({
      rss: resident(),
      heap_used: resident() - world.freeBlocks,
      heap_limit: Number.POSITIVE_INFINITY,
      buffers: 0,
      limit: LIMIT,
      pressure: pressureOf(resident() / LIMIT),
    }),
    youngRoom: () => world.youngRoom,
    holders: () => holders,
    dropCaches: () => {
      world.garbage += world.caches;
      world.caches = 0;
    },
    collectGarbage: () => {
      world.collections++;
      world.garbage = 0;
    },
    announce: (body) => events.push(body),
    remove: ({ id }) => {
      holders = holders.filter((one) => one.id !== id);
    },
  });
});

function add(id: string): Holder {
  const holder = new Holder(id);
  holders.push(holder);
  return holder;
}

/** Prints so many lines in 10 ms, if it is let. */
function print(holder: Holder, lines: number): void {
  if (holder.outputPaused) return;
  holder.parsedBytes += lines;
  holder.scrollbackLines = Math.min(holder.scrollbackLimit, holder.scrollbackLines + lines);
}

function turn(): void {
  clock.advance(10);
  governor.grown(0);
  world.peak = Math.max(world.peak, resident());
}

const states = () => events.flatMap((event) => (event.event === 'memory' ? [event.state] : []));

const warned = () => events.flatMap((event) => (event.event === 'warning' ? [event.terminal] : []));

describe('the memory governor', () => {
  test('does nothing below three quarters of the limit', () => {
    print(add('a'), 640);
    for (let i = 0; i < 100; i++) turn();
    expect(events).toEqual([]);
    expect(world.collections).toBe(0);
    expect(governor.state).toBe('ok');
  });

  test('drops caches first, and nothing else if that suffices', () => {
    world.caches = 400;
    print(add('a'), 300);
    turn();
    expect(states()).toEqual(['high', 'caches_dropped']);
    turn();
    expect(states()).toEqual(['high', 'caches_dropped', 'ok']);
    expect(holders[0]?.scrollbackLines).toBe(300);
    expect(governor.steps).toMatchObject({ caches_dropped: 1, scrollback_lines_dropped: 0 });
  });

  test('checks by itself without output', () => {
    world.caches = 700;
    clock.advance(5000);
    expect(states()).toEqual(['high', 'caches_dropped']);
    clock.advance(100);
    expect(governor.state).toBe('ok');
  });

  test('then cuts the scrollback of the printing terminal, not of one that only holds more', () => {
    const still = add('still');
    print(still, 500);
    turn();
    const loud = add('loud');
    for (let i = 0; i < 200; i++) {
      print(loud, 10);
      turn();
    }
    expect(states().slice(0, 3)).toEqual(['high', 'caches_dropped', 'scrollback_dropped']);
    expect(still.scrollbackLines).toBe(500);
    expect(new Set(warned())).toEqual(new Set(['loud']));
    expect(governor.steps.scrollback_lines_dropped).toBeGreaterThan(0);
    expect(loud.outputPaused).toBe(false);
    expect(world.peak).toBeLessThan(LIMIT);
  });

  test('keeps a cut scrollback small, so that twenty floods stay below the limit', () => {
    for (let i = 0; i < 20; i++) add(`t${i}`);
    for (let i = 0; i < 3000; i++) {
      for (const holder of holders) print(holder, 1);
      turn();
    }
    expect(world.peak).toBeLessThan(LIMIT);
    expect(holders).toHaveLength(20);
    const { collections } = world;
    const lines = holders.map((holder) => holder.scrollbackLines);
    for (let i = 0; i < 1000; i++) {
      for (const holder of holders) print(holder, 1);
      turn();
    }
    expect(holders.map((holder) => holder.scrollbackLines)).toEqual(lines);
    expect(world.collections).toBe(collections);
    expect(holders.some((holder) => holder.outputPaused)).toBe(false);
  });

  test('close to the limit pauses printing terminals that hold much, and resumes them when there is room', () => {
    const quiet = add('quiet');
    quiet.grid = 400;
    const [small, large] = [add('small'), add('large')];
    turn();
    small.grid = 5;
    large.grid = 405;
    small.parsedBytes++;
    large.parsedBytes++;
    turn();
    turn();
    small.parsedBytes++;
    large.parsedBytes++;
    turn();
    expect([quiet, small, large].map((holder) => holder.outputPaused)).toEqual([false, false, true]);
    expect(governor.state).toBe('paused');
    expect(warned()).toEqual(['large']);
    clock.advance(60_000);
    expect(large.outputPaused).toBe(true);
    quiet.grid = 300;
    clock.advance(100);
    expect(large.outputPaused).toBe(false);
    quiet.grid = 0;
    clock.advance(100);
    expect(governor.state).toBe('ok');
    expect(governor.steps).toMatchObject({ terminals_paused: 1, terminals_removed: 0 });
  });

  test('pauses every printing terminal very near the limit', () => {
    const [a, b] = [add('a'), add('b')];
    turn();
    a.grid = 430;
    b.grid = 430;
    a.parsedBytes++;
    b.parsedBytes++;
    turn();
    a.parsedBytes++;
    b.parsedBytes++;
    turn();
    expect([a.outputPaused, b.outputPaused]).toEqual([true, true]);
    expect(governor.steps).toMatchObject({ terminals_paused: 2, terminals_removed: 0 });
  });

  test('removes a paused terminal that alone holds more than half, once', () => {
    const heavy = add('heavy');
    turn();
    for (let i = 0; i < 5; i++) {
      heavy.grid = 850;
      heavy.parsedBytes++;
      turn();
    }
    expect(holders).toEqual([]);
    expect(states()).toContain('ended');
    expect(warned()).toEqual(['heavy', 'heavy']);
    expect(governor.steps.terminals_removed).toBe(1);
    clock.advance(100);
    expect(governor.state).toBe('ok');
  });

  test('does not pause for resident free blocks, unless they grow right below the limit', () => {
    const holder = add('a');
    world.freeBlocks = 700;
    holder.grid = 130;
    for (let i = 0; i < 10; i++) {
      holder.parsedBytes++;
      turn();
    }
    expect(resident()).toBeGreaterThan(0.9 * LIMIT);
    expect(holder.outputPaused).toBe(false);
    world.freeBlocks = 730;
    holder.parsedBytes++;
    turn();
    expect(holder.outputPaused).toBe(true);
    expect(resident()).toBeGreaterThan(0.95 * LIMIT);
    clock.advance(100);
    expect(holder.outputPaused).toBe(false);
  });

  test('pauses right below the limit for slow growth, too', () => {
    const holder = add('a');
    world.freeBlocks = 750;
    holder.grid = 90;
    turn();
    turn();
    while (!holder.outputPaused && resident() < LIMIT) {
      world.freeBlocks++;
      holder.parsedBytes++;
      turn();
    }
    expect(holder.outputPaused).toBe(true);
    expect(resident()).toBeLessThan(0.96 * LIMIT);
  });

  test('does not pause for garbage of requests while terminals hold little', () => {
    const holder = add('a');
    holder.grid = 50;
    turn();
    for (let i = 0; i < 100; i++) {
      world.garbage = 750 + (i % 2);
      holder.parsedBytes++;
      turn();
      expect(holder.outputPaused).toBe(false);
    }
  });

  test("counts the room of the engine's young generation as taken", () => {
    world.youngRoom = 300;
    print(add('a'), 349);
    turn();
    expect(governor.state).toBe('ok');
    print(holders[0] ?? add('b'), 1);
    turn();
    expect(states()).toEqual(['high', 'caches_dropped']);
    expect(events[0]).toEqual({ event: 'memory', state: 'high', bytes: 450 });
  });

  test('keeps the scrollback if resident memory is mostly free blocks', () => {
    world.freeBlocks = 500;
    const holder = add('a');
    for (let i = 0; i < 280; i++) {
      print(holder, 1);
      turn();
    }
    expect(resident()).toBeGreaterThan(0.85 * LIMIT);
    expect(holder.scrollbackLines).toBe(280);
    for (let i = 0; i < 30; i++) {
      print(holder, 1);
      turn();
    }
    expect(holder.scrollbackLines).toBeLessThan(280);
  });

  test('checks early after the scrollback has grown by megabytes', () => {
    print(add('a'), 800);
    clock.advance(1);
    governor.grown(1024 * 1024);
    expect(governor.state).toBe('ok');
    governor.grown(1024 * 1024);
    expect(governor.state).toBe('caches_dropped');
  });

  test('collects garbage at most four times a second, under any output', () => {
    const holder = add('a');
    for (let i = 0; i < 1000; i++) {
      world.garbage += 50;
      print(holder, 1);
      turn();
    }
    expect(world.collections).toBeGreaterThan(1);
    expect(world.collections).toBeLessThanOrEqual(10_000 / 250 + 1);
  });

  test('frees memory for a request that would be refused, but not in a loop', () => {
    world.caches = 100;
    world.garbage = 100;
    governor.relieve();
    governor.relieve();
    expect(resident()).toBe(BASE);
    expect(world.collections).toBe(1);
    expect(events).toEqual([]);
  });

  test('spares what is silent or prints a little while others than terminals fill the memory', () => {
    const [silent, ticking] = [add('silent'), add('ticking')];
    for (const one of [silent, ticking]) one.scrollbackLines = 100;
    world.freeBlocks = 650;
    for (let n = 0; n < 20; n++) {
      ticking.parsedBytes += TRICKLE_BYTES;
      clock.advance(100);
    }
    expect(resident()).toBeGreaterThan(0.9 * LIMIT);
    expect([silent.scrollbackLines, ticking.scrollbackLines]).toEqual([100, 100]);
  });

  test('frees memory for such a request again after a quarter of a second', () => {
    governor.relieve();
    clock.advance(249);
    governor.relieve();
    expect([world.collections, governor.steps.caches_dropped]).toEqual([1, 1]);
    clock.advance(1);
    governor.relieve();
    expect([world.collections, governor.steps.caches_dropped]).toEqual([2, 2]);
  });

  test('acts from three quarters of the limit on, until less than seven tenths are used', () => {
    const holder = add('a');
    holder.grid = 649;
    turn();
    expect(governor.state).toBe('ok');
    holder.grid = 650;
    turn();
    expect(governor.state).toBe('caches_dropped');
    holder.grid = 600;
    turn();
    expect(governor.state).toBe('caches_dropped');
    holder.grid = 599;
    turn();
    expect(governor.state).toBe('ok');
  });

  test('checks at most every ten milliseconds under little output', () => {
    clock.advance(5);
    print(add('a'), 800);
    clock.advance(4);
    governor.grown(1);
    expect(governor.state).toBe('ok');
    clock.advance(1);
    governor.grown(1);
    expect(governor.state).toBe('caches_dropped');
    expect(events[0]).toEqual({ event: 'memory', state: 'high', bytes: 900 });
  });

  test('keeps a terminal that holds exactly half of the limit', () => {
    const [heavy, quiet] = [add('heavy'), add('quiet')];
    turn();
    heavy.grid = 500;
    quiet.grid = 355;
    for (let i = 0; i < 5; i++) {
      heavy.parsedBytes++;
      turn();
    }
    expect([heavy.outputPaused, quiet.outputPaused]).toEqual([true, false]);
    expect(holders).toHaveLength(2);
    heavy.grid = 501;
    turn();
    expect(holders).toEqual([quiet]);
  });

  test('leaves no timer after disposal', () => {
    governor.dispose();
    expect(clock.pendingTimers).toBe(0);
  });
});
