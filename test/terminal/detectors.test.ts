import { describe, expect, onTestFinished, test } from 'vitest';
import { WorkSchedule } from '../../src/search/work-schedule.js';
import { FakeClock } from '../../src/base/clock.js';
import { Feed } from '../../src/terminal/feed.js';
import type { TerminalEvent } from '../../src/protocol/events.js';
import { Detectors } from '../../src/terminal/detectors.js';
import { canProbeInput } from '../../src/terminal/system/proc/input-probe.js';
import { Pty } from '../../src/terminal/pty/pty.js';
import { bytesOf, openScreen } from '../vt/screens.js';
import { readers, stty } from '../support/own-parts.js';

const mark = (data: string): string => `\x1b]133;${data}\x07`;

const NOBODY = { pid: 0, device: '/nowhere', stty };

/** Detectors of a terminal whose program is not looked at, unless one is given: it is no process. */
function detect(idleTimeoutMs = 1000, process = NOBODY, catchUp: (print: () => void) => void = () => {}) {
  const clock = new FakeClock();
  const screen = openScreen({ cols: 20, rows: 4 });
  const events: { readonly event: string }[] = [];
  const feed = new Feed();
  const detectors = new Detectors({
    screen,
    feed,
    clock,
    idleTimeoutMs,
    process,
    work: new WorkSchedule(),
    catchUp: async () => catchUp(() => feed.bytes(bytesOf('x'))),
    shellScripts: '/nowhere',
    publish: (body) => events.push(body),
    exit: () => ({ code: null, signal: null }),
  });
  screen.onParsed.on((slice) => feed.parsed(slice));
  onTestFinished(() => detectors.dispose());
  const print = async (text: string): Promise<void> => {
    feed.bytes(bytesOf(text));
    screen.write(bytesOf(text));
    await screen.settle(60_000);
  };
  const named = (name: string) => events.filter(({ event }) => event === name);
  return { clock, screen, events, feed, detectors, print, named };
}

describe("a program's reports", () => {
  test.each([
    ['\x07\x07', [{ event: 'bell', count: 2 }]],
    ['\x1b]2;a title\x07', [{ event: 'title', title: 'a title' }]],
    ['\x1b[?1049h', [{ event: 'alt_screen', on: true }]],
    ['\x1b]9;hello\x07', [{ event: 'notification', title: '', body: 'hello' }]],
    ['\x1b]777;notify;t;b\x07', [{ event: 'notification', title: 't', body: 'b' }]],
    ['\x1b]9;4;1;50\x07', [{ event: 'progress', state: 'normal', percent: 50 }]],
    ['\x1b]52;c;aGk=\x07', [{ event: 'clipboard', selection: 'c', text: 'hi', bytes: 2 }]],
    ['\x1b]7;file://host/a\x07\x1b]7;file://host/a\x07', [{ event: 'cwd', cwd: '/a', host: 'host' }]],
    [`${mark('A')}$ ${mark('B')}`, []],
    ['plain', []],
  ])('%j is published as %j', async (text, published) => {
    const { events, print } = detect();
    await print(text);
    expect(events).toEqual(published);
  });

  test('of its directory and its progress are kept until the next report', async () => {
    const { detectors, print, named } = detect();
    await print('\x1b]7;file:///a\x07\x1b]9;4;1;50\x07');
    expect([detectors.cwd, detectors.taskProgress]).toMatchObject(['/a', { percent: 50 }]);
    await print('\x1b]7;file:///b\x07\x1b]7;file:///a\x07\x1b]9;4;0\x07');
    expect([detectors.cwd, detectors.taskProgress]).toEqual(['/a', undefined]);
    expect(named('cwd')).toHaveLength(3);
    expect(named('progress')).toHaveLength(2);
  });

  test('of its commands are published once each, with code and duration', async () => {
    const { clock, detectors, print, events } = detect(60_000);
    await print(`${mark('A')}${mark('B')}ls${mark('C')}`);
    expect(events).toEqual([{ event: 'command_started', command: null }]);
    clock.advance(40);
    await print(`out${mark('D;3')}`);
    expect(events.slice(1)).toEqual([{ event: 'command_done', code: 3, command: null, duration_ms: 40 }]);
    expect(detectors.lastCommand.code).toBe(3);
    expect(detectors.commandMarks).toBe(4);
    expect(detectors.shell.commands.records).toMatchObject([{ n: 1, code: 3 }]);
  });
});

describe('silence', () => {
  test('is published after its time, and activity with the next bytes', async () => {
    const { clock, named, print, detectors } = detect(1000);
    await print('\x07');
    clock.advance(999);
    expect(named('idle')).toEqual([]);
    clock.advance(1);
    expect(named('idle')).toEqual([{ event: 'idle', after_ms: 1000 }]);
    expect(detectors.lastBytesAtMs).toBe(0);
    await print('\x07');
    expect(named('activity')).toEqual([{ event: 'activity' }]);
    expect(detectors.lastBytesAtMs).toBe(1000);
  });
});

describe('a settled screen', () => {
  test('is published once, half a second after it changed', async () => {
    const { clock, named, print } = detect();
    await print('a');
    clock.advance(499);
    expect(named('settled')).toEqual([]);
    clock.advance(1);
    expect(named('settled')).toEqual([{ event: 'settled', after_ms: 500, ignored: [] }]);
    clock.advance(10_000);
    await print('\x07');
    clock.advance(10_000);
    expect(named('settled')).toHaveLength(1);
    await print('b');
    clock.advance(10_000);
    expect(named('settled')).toHaveLength(2);
  });

  test('is not published while it changes', async () => {
    const { clock, named, print } = detect();
    for (const text of 'abcdefgh') {
      await print(text);
      clock.advance(400);
    }
    expect(named('settled')).toEqual([]);
    clock.advance(100);
    expect(named('settled')).toHaveLength(1);
  });

  test('is awaited from a given time on', async () => {
    const { clock, detectors, print } = detect();
    await print('a');
    clock.advance(1000);
    const told: number[] = [];
    detectors.watchSettled(300, 900, () => told.push(clock.now()));
    const given = detectors.watchSettled(300, 900, () => told.push(-1));
    given.dispose();
    clock.advance(199);
    expect(told).toEqual([]);
    clock.advance(1);
    expect(told).toEqual([1200]);
  });

  test('forgets changing cells after input and after a resize', async () => {
    for (const forget of ['input', 'resize', undefined]) {
      const { feed, clock, detectors, print } = detect(60_000);
      for (let i = 0; i < 30; i++) {
        await print(`\r${'|/-\\'[i % 4]}`);
        clock.advance(100);
      }
      if (forget === 'input') feed.input(bytesOf('x'));
      if (forget === 'resize') detectors.beforeResize(() => false)();
      const settled: unknown[] = [];
      detectors.watchSettled(0, 0, ({ ignored }) => settled.push(ignored));
      clock.advance(5000);
      expect(settled).toHaveLength(1);
      expect(settled[0]).toHaveLength(forget === undefined ? 1 : 0);
    }
  });
});

describe('a listener', () => {
  test('gets each parse and each event, until it is disposed of', async () => {
    const { feed, detectors, print } = detect();
    let parsed = 0;
    const listening = detectors.onParsed(() => parsed++);
    await print('a');
    await print('\x1b[m');
    expect(parsed).toBe(2);
    expect(detectors.parses).toBe(2);
    listening.dispose();
    await print('b');
    expect([parsed, detectors.parses]).toEqual([2, 3]);
    const seen: string[] = [];
    detectors.onEvent(({ event }) => seen.push(event));
    const published = { event: 'bell', count: 1, terminal: 't1', seq: 1, rev: 0, time: '' } as unknown;
    feed.event(published as TerminalEvent);
    expect(seen).toEqual(['bell']);
  });

  test('gets nothing after the process has ended', async () => {
    const { feed, clock, detectors, events, print } = detect();
    await print('a');
    expect(detectors.ended).toBe(false);
    feed.exit({ code: 0, signal: null });
    expect(detectors.ended).toBe(true);
    await print('\x07b');
    clock.advance(60_000);
    expect(events).toEqual([]);
    expect(await detectors.probeInput()).toBeUndefined();
    expect(clock.pendingTimers).toBe(0);
  });

  test('gets nothing after the end of the terminal, and no timer is left', async () => {
    const { feed, clock, detectors, events, print } = detect();
    let parsed = 0;
    detectors.onParsed(() => parsed++);
    await print('a');
    detectors.dispose();
    feed.dispose();
    expect(detectors.ended).toBe(true);
    await print('\x07b');
    clock.advance(60_000);
    expect([events, parsed]).toEqual([[], 1]);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe.runIf(canProbeInput)('a program that seems to wait', () => {
  const started = (): Pty => {
    const env = { PATH: process.env['PATH'] ?? '' };
    const pty = new Pty({ file: '/bin/cat', args: [], cwd: '/', env, cols: 80, rows: 24 }, readers);
    onTestFinished(() => void process.kill(pty.pid, 'SIGKILL'));
    return pty;
  };

  test('waits only if all of its output was on the screen then', async () => {
    const pty = started();
    let arrives = false;
    const { detectors, screen, print } = detect(1000, { pid: pty.pid, device: pty.device, stty }, (arrive) => {
      if (arrives) arrive();
    });
    while ((await detectors.probeInput()) === undefined) await print('.');
    // Scrolls that take long to parse.
    screen.write(bytesOf('\x1b[9999S'.repeat(10_000)));
    expect(await detectors.probeInput()).toBeUndefined();
    expect(screen.pendingBytes).toBeGreaterThan(0);
    await screen.settle(60_000);
    expect(await detectors.probeInput()).toMatchObject({ pid: pty.pid, kind: 'line' });
    arrives = true;
    expect(await detectors.probeInput()).toBeUndefined();
  });
});
