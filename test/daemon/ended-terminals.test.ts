import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { EndedTerminals } from '../../src/daemon/ended-terminals.js';
import type { Terminal } from '../../src/terminal/terminal.js';

function kept(config: { ended_ttl_ms: number; ended_max: number }) {
  const clock = new FakeClock();
  const removed: string[] = [];
  const owner = {
    clock,
    config: () => config,
    remove: ({ id }: Terminal): Promise<void> => Promise.resolve(void removed.push(id)),
  };
  const ended = new EndedTerminals(owner);
  const end = (id: string): Terminal => {
    const terminal = { id } as Terminal;
    ended.add(terminal);
    return terminal;
  };
  return { clock, removed, ended, end, config };
}

describe('ended terminals', () => {
  test('are dropped after their time, each at its own', () => {
    const { clock, removed, end } = kept({ ended_ttl_ms: 100_000, ended_max: 10 });
    end('a');
    clock.advance(50_000);
    end('b');
    clock.advance(49_999);
    expect(removed).toEqual([]);
    clock.advance(61_000);
    expect(removed).toEqual(['a']);
    clock.advance(60_000);
    expect(removed).toEqual(['a', 'b']);
    expect(clock.pendingTimers).toBe(0);
  });

  test('are dropped beyond their number, the oldest first', () => {
    const { removed, end } = kept({ ended_ttl_ms: 0, ended_max: 2 });
    for (const id of ['a', 'b', 'c', 'd']) end(id);
    expect(removed).toEqual(['a', 'b']);
  });

  test('are kept for ever without a time, and those that are removed count no more', () => {
    const { clock, removed, ended, end } = kept({ ended_ttl_ms: 0, ended_max: 1 });
    const first = end('a');
    clock.advance(1e9);
    ended.delete(first);
    end('b');
    expect(removed).toEqual([]);
  });

  test('follow a change of the configuration', () => {
    const { clock, removed, end, config } = kept({ ended_ttl_ms: 0, ended_max: 10 });
    end('a');
    config.ended_ttl_ms = 1000;
    clock.advance(60_000);
    expect(removed).toEqual(['a']);
  });
});
