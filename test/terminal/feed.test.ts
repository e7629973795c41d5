import { describe, expect, test } from 'vitest';
import { Feed, type TerminalObserver } from '../../src/terminal/feed.js';
import { Log } from '../../src/base/log.js';
import type { TerminalEvent } from '../../src/protocol/events.js';
import { ownTerminal, print } from '../support/own-terminal.js';

const bell = (seq: number): TerminalEvent => ({ event: 'bell', terminal: 't1', count: 1, seq, ts: 0, rev: 0 });
const slice = { changed: true, rev: 1, bytes: 1 };

/** Notes what is reported, in one list. */
function noting(list: string[], name = ''): TerminalObserver {
  return {
    onBytes: (bytes, offset) => list.push(`${name}bytes ${Buffer.from(bytes).toString()} at ${offset}`),
    onParsed: ({ bytes }) => list.push(`${name}parsed ${bytes}`),
    onInput: (bytes) => list.push(`${name}input ${Buffer.from(bytes).toString()}`),
    onEvent: ({ event }) => list.push(`${name}${event}`),
    onResize: ({ cols, rows }) => list.push(`${name}resize ${cols}x${rows}`),
    onExit: ({ code }) => list.push(`${name}exit ${code}`),
  };
}

describe('an observer of a terminal', () => {
  test('learns of bytes, then of the events and the slice that follow from them, and of a new size', async () => {
    const terminal = ownTerminal();
    const list: string[] = [];
    terminal.feed.add(noting(list));
    await print(terminal, 'ab\x07');
    expect(list).toEqual(['bytes ab\x07 at 0', 'bell', 'parsed 3']);
    list.length = 0;
    await print(terminal, 'c');
    expect(list[0]).toBe('bytes c at 3');
    await terminal.resize(40, 5);
    expect(list.slice(-2)).toEqual(['resize 40x5', 'resized']);
  });

  test('is called after those that were added before it', () => {
    const feed = new Feed();
    const list: string[] = [];
    feed.add(noting(list, 'first '));
    feed.add(noting(list, 'second '));
    feed.parsed(slice);
    feed.input(Buffer.from('x'));
    feed.exit({ code: 3, signal: null });
    expect(list).toEqual([
      'first parsed 1',
      'second parsed 1',
      'first input x',
      'second input x',
      'first exit 3',
      'second exit 3',
    ]);
  });

  test('sees an event that another one publishes meanwhile after the first one', () => {
    const feed = new Feed();
    const seen: number[] = [];
    feed.add({ onEvent: ({ seq }) => void (seq === 1 && feed.event(bell(2))) });
    feed.add({ onEvent: ({ seq }) => seen.push(seq) });
    feed.event(bell(1));
    expect(seen).toEqual([1, 2]);
  });

  test('that fails is logged, and the others are called', () => {
    const said: string[] = [];
    const feed = new Feed(new Log((line) => said.push(line), 'warn'));
    const seen: number[] = [];
    feed.add({
      onEvent: () => {
        throw new Error('broken observer');
      },
    });
    feed.add({ onEvent: ({ seq }) => seen.push(seq) });
    feed.event(bell(1));
    feed.event(bell(2));
    expect(seen).toEqual([1, 2]);
    expect(said.join('')).toContain('broken observer');
  });

  test('may end itself, end others or add some while it is called: that holds from the next time on', () => {
    const feed = new Feed();
    const list: string[] = [];
    const own = feed.add({
      onParsed: () => {
        own.dispose();
        other.dispose();
        feed.add({ onParsed: () => list.push('added') });
      },
    });
    const other = feed.add({ onParsed: () => list.push('other') });
    feed.parsed(slice);
    expect(list).toEqual(['other']);
    feed.parsed(slice);
    expect(list).toEqual(['other', 'added']);
  });

  test('hears nothing after its end or that of the feed', () => {
    const feed = new Feed();
    const list: string[] = [];
    const observing = feed.add(noting(list));
    observing.dispose();
    observing.dispose();
    feed.bytes(Buffer.from('x'));
    feed.add(noting(list));
    feed.dispose();
    feed.add(noting(list)).dispose();
    feed.bytes(Buffer.from('y'));
    feed.event(bell(1));
    expect(list).toEqual([]);
  });
});
