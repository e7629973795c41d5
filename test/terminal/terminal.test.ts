import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { EventBus } from '../../src/events/bus.js';
import type { PublishedEvent } from '../../src/protocol/events.js';
import { type OwnTerminalOptions, ownTerminal, print, SILENT, untilShown } from '../support/own-terminal.js';

function observed(options: OwnTerminalOptions = {}) {
  const clock = new FakeClock();
  const bus = new EventBus({ clock });
  const events: PublishedEvent[] = [];
  bus.on((event) => events.push(event));
  const terminal = ownTerminal({ clock, bus, ...options });
  const named = (type: PublishedEvent['event']) => events.filter(({ event }) => event === type);
  return { clock, terminal, events, named };
}

describe('the life of a terminal', () => {
  test('is published from its creation to its exit and removal', async () => {
    const { terminal, events } = observed({ script: 'stty -echo; printf out; exit 3' });
    expect(terminal.alive).toBe(true);
    expect(terminal.exit).toEqual({ code: null, signal: null });
    await terminal.exited();
    expect(terminal.alive).toBe(false);
    expect(terminal.exit).toEqual({ code: 3, signal: null });
    expect(terminal.state.kind).toBe('exited');
    await untilShown(terminal, 'out');
    terminal.remove();
    terminal.remove();
    expect(terminal.state.kind).toBe('removed');
    expect(events.filter(({ event }) => ['created', 'exit', 'removed'].includes(event))).toMatchObject([
      { event: 'created', terminal: 't1', pid: terminal.pid },
      { event: 'exit', terminal: 't1', code: 3, signal: null },
      { event: 'removed', terminal: 't1' },
    ]);
    await terminal.exited();
  });

  test.each([
    ['exit 3', 'The process of terminal "t1" exited with code 3.'],
    ['kill -TERM $$', 'The process of terminal "t1" was ended by SIGTERM.'],
  ])('after its end, for a writer: %s', async (script, message) => {
    const { terminal } = observed({ script });
    await terminal.exited();
    const error = terminal.exitedError();
    expect(error).toMatchObject({ code: 'terminal_exited', message, details: { hint: 't4a kill t1' } });
    await expect(terminal.input.take(1, (writer) => writer.write(Buffer.from('x')))).rejects.toThrow(message);
  });

  test('is no longer awaited for a disconnected caller', async () => {
    const { terminal } = observed();
    const controller = new AbortController();
    const waiting = terminal.exited(controller.signal);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });

  test('ends on request, and leaves no process', async () => {
    const { terminal } = observed();
    expect(await terminal.end()).toEqual([]);
    expect(terminal.state.kind).toBe('exited');
    expect(terminal.exit.signal).not.toBeNull();
  });

  test('ends at once if it must', async () => {
    const { terminal } = observed({ script: 'trap "" HUP TERM; printf on; sleep 1000; sleep 1000' });
    await untilShown(terminal, 'on');
    terminal.killAtOnce();
    await terminal.exited();
    expect(terminal.exit.signal).toBe('SIGKILL');
  });
});

describe('what programs print', () => {
  test('is on the screen, and its end is kept for debugging', async () => {
    const { terminal } = observed();
    await print(terminal, 'text\x1b[?9999z\x1b[?9999z');
    expect(Buffer.from(terminal.output.last(100)).toString()).toContain('text');
    expect(terminal.seen.unhandled.list()).toMatchObject([{ item: { kind: 'csi', text: '?9999z' }, count: 2 }]);
    expect(terminal.snapshot().cursor.col).toBe(4);
  });

  test('as a query is answered, and the query is recorded', async () => {
    const script = `stty -echo -icanon min 1; printf '\\033[5n\\033[5n'; dd bs=1 count=8 2>/dev/null | tr '\\033' E`;
    const { terminal } = observed({ script });
    await untilShown(terminal, 'E[0nE[0n');
    expect(terminal.seen.queries.list()).toMatchObject([{ item: { text: '5n' }, count: 2 }]);
  });

  test('frees the window once it is parsed', async () => {
    const { terminal } = observed({
      script: 'stty -echo; head -c 1200000 /dev/zero | tr "\\\\000" x; printf end; exec sleep 1000',
    });
    await untilShown(terminal, 'end');
    expect(terminal.screen.parsedBytes).toBe(1_200_003);
  });

  test('sets the title; until then the given title stays', async () => {
    const { terminal, named } = observed({ title: 'mine' });
    expect(terminal.title).toBe('mine');
    await print(terminal, '\x1b]2;the\x07 title');
    expect(terminal.title).toBe('the');
    expect(named('title')).toMatchObject([{ title: 'the' }]);
  });
});

describe('the size', () => {
  test('is passed to the program, and published when it has changed', async () => {
    const { terminal, named } = observed({ script: 'stty -echo; read line; stty size; exec sleep 1000' });
    await terminal.resize(20, 5);
    expect(named('resized')).toEqual([]);
    await terminal.resize(20, 6);
    await terminal.resize(30, 6);
    expect(named('resized')).toMatchObject([
      { terminal: 't1', cols: 20, rows: 6 },
      { terminal: 't1', cols: 30, rows: 6 },
    ]);
    await terminal.input.take(1, (writer) => writer.write(Buffer.from('\n')));
    await untilShown(terminal, '6 30');
  });

  test('of a screen without a program can be changed, too', async () => {
    const { terminal, named } = observed({ script: 'exit 0' });
    await terminal.exited();
    await terminal.resize(40, 7);
    expect(terminal.screen.cols).toBe(40);
    expect(named('resized')).toHaveLength(1);
  });
});

describe('idleness', () => {
  test.each([
    ['the default', {}, 1000],
    ["its creator's choice", { idleTimeoutMs: 300 }, 300],
  ])('begins after %s', async (_, options, afterMs) => {
    const { clock, terminal, named } = observed(options);
    await print(terminal, 'text');
    clock.advance(afterMs - 1);
    expect(named('idle')).toEqual([]);
    expect(terminal.idleMs).toBe(afterMs - 1);
    clock.advance(1);
    expect(named('idle')).toMatchObject([{ terminal: 't1', after_ms: afterMs }]);
  });

  test.each([
    ['follows', {}, 0],
    ['does not follow, where its creator has chosen,', { idleTimeoutMs: 300 }, 1],
  ])('%s another default', async (_, options, count) => {
    const { clock, terminal, named } = observed(options);
    terminal.setDefaultIdleTimeout(5000);
    await print(terminal, 'text');
    clock.advance(4000);
    expect(named('idle')).toHaveLength(count);
  });
});

test.runIf(process.platform === 'linux')('signals go to the group in the foreground', async () => {
  const { terminal } = observed({
    script: 'set -m; stty -echo; sh -c "printf %s-in-front \\$\\$; exec sleep 1000"; true',
  });
  await untilShown(terminal, '-in-front');
  const group = terminal.foregroundGroup;
  expect(group).not.toBe(terminal.pid);
  await untilShown(terminal, `${group}-in-front`);
});

test('signals go to the program itself if no group is in the foreground any more', async () => {
  const { terminal } = observed({ script: 'exit 0' });
  await terminal.exited();
  expect(terminal.foregroundGroup).toBe(terminal.pid);
});

describe('memory', () => {
  async function withLines(count: number) {
    const { terminal } = observed({ script: SILENT, scrollback: 1000 });
    // The last of them is the empty one of the cursor.
    await print(terminal, 'x\n'.repeat(count + 4));
    const { memory } = terminal;
    expect(memory.scrollbackLines).toBe(count);
    return memory;
  }

  test('is returned by halves of the scrollback, and by all of a small one', async () => {
    const large = await withLines(201);
    expect(large.scrollbackLimit).toBe(1000);
    expect(large.halveScrollback()).toBe(101);
    expect(large).toMatchObject({ scrollbackLines: 100, scrollbackLimit: 100 });
    expect(large.halveScrollback()).toBe(100);
    expect(large).toMatchObject({ scrollbackLines: 0, scrollbackLimit: 0 });
    expect(large.halveScrollback()).toBe(0);
    const small = await withLines(199);
    expect(small.halveScrollback()).toBe(199);
  });

  test('keeps the limit of an empty scrollback', async () => {
    const memory = await withLines(0);
    expect(memory.halveScrollback()).toBe(0);
    expect(memory.scrollbackLimit).toBe(1000);
  });

  test('does not grow while output is paused', async () => {
    const memory = await withLines(20);
    expect(memory.outputPaused).toBe(false);
    memory.pauseOutput();
    expect(memory).toMatchObject({ outputPaused: true, scrollbackLimit: 20, scrollbackLines: 20 });
    memory.resumeOutput();
    expect(memory.outputPaused).toBe(false);
  });

  test('is reported by parsed bytes and by size', async () => {
    const few = await withLines(20);
    const many = await withLines(500);
    // With the carriage returns of the kernel.
    expect(few.parsedBytes).toBe(24 * 3);
    expect(many.weigh()).toBeGreaterThan(few.weigh());
    expect(many.id).toBe('t1');
  });
});

test('a read waits a quarter of a second for output that is not parsed', async () => {
  const clock = new FakeClock();
  const terminal = ownTerminal({ clock });
  terminal.screen.write(Buffer.from('x\r\n'.repeat(1_000_000)));
  let isSettled = false;
  const settled = terminal.settle().then(() => (isSettled = true));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  clock.advance(249);
  await turn();
  expect(isSettled).toBe(false);
  clock.advance(1);
  await settled;
  expect(terminal.screen.pendingBytes).toBeGreaterThan(0);
});
