/** Real programs on real pseudoterminals, looked at until they wait. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../../../src/base/clock.js';
import { foregroundThreads } from '../../../../src/terminal/system/proc/blocked-threads.js';
import { canProbeInput } from '../../../../src/terminal/system/proc/input-probe.js';
import { ProgressSinceInput } from '../../../../src/terminal/system/proc/progress-since-input.js';
import { sleepingReaders } from '../../../../src/terminal/system/proc/sleeping-readers.js';
import { threadStatus } from '../../../../src/terminal/system/proc/thread-status.js';
import type { Terminal } from '../../../../src/terminal/terminal.js';
import type { ThreadActivity } from '../../../../src/events/awaiting-input.js';
import { itNeeds } from '../../../support/programs.js';
import { ownTerminal, untilShown } from '../../../support/own-terminal.js';

/** What that program's threads are blocked in, once one of them is in what is looked for. */
async function untilBlocked(
  { pid, device }: Terminal,
  isIt: (thread: ThreadActivity) => boolean,
): Promise<ThreadActivity[]> {
  for (;;) {
    const threads = foregroundThreads(pid, device);
    if (threads.some(isIt)) return threads;
    await turn();
  }
}

/** A program that is being loaded may read its file. */
const reads = ({ blockedIn }: ThreadActivity): boolean => blockedIn.kind === 'read' && blockedIn.terminal;
const isCat = ({ process }: ThreadActivity): boolean => process === 'cat';
const polls = ({ blockedIn }: ThreadActivity): boolean => blockedIn.kind === 'poll';
/** Once it is sure that the program has got so far. */
const AFTER_START = 'stty -echo; ';

describe.runIf(canProbeInput)('threads of the foreground', () => {
  test('that read the terminal are reported with their process', async () => {
    const terminal = ownTerminal({ script: `${AFTER_START}read line` });
    const { pid, device } = terminal;
    const reader = { pid, thread: pid, process: 'sh', blockedIn: { kind: 'read', terminal: true } };
    await untilBlocked(terminal, reads);
    // The child that has run stty may have been looked at before the shell was.
    await expect.poll(() => foregroundThreads(pid, device)).toEqual([reader]);
  });

  test('that read it by the name of the controlling terminal are reported, too', async () => {
    const terminal = ownTerminal({ script: `${AFTER_START}exec </dev/tty; exec cat` });
    const found = await untilBlocked(terminal, (each) => isCat(each) && reads(each));
    expect(found).toMatchObject([{ blockedIn: { terminal: true } }]);
  });

  test('that read something else are reported as not reading the terminal', async () => {
    const terminal = ownTerminal({ script: `${AFTER_START}sleep 1000 | cat` });
    const found = await untilBlocked(terminal, (each) => isCat(each) && each.blockedIn.kind === 'read');
    expect(found.filter(isCat)).toMatchObject([{ blockedIn: { kind: 'read', terminal: false } }]);
    const reader = ownTerminal({ script: `${AFTER_START}read line` });
    await untilBlocked(reader, reads);
    expect(foregroundThreads(reader.pid, terminal.device)).toMatchObject([{ blockedIn: { terminal: false } }]);
  });

  test('are those of all processes of the group, without background ones', async () => {
    const terminal = ownTerminal({ script: `${AFTER_START}set -m; sleep 1000 & sh -c "cat; true"; true` });
    const found = await untilBlocked(terminal, (each) => isCat(each) && reads(each));
    expect(found.map(({ process }) => process).sort()).toEqual(['cat', 'sh']);
  });

  test('are absent for a closed terminal', async () => {
    const terminal = ownTerminal({ script: `${AFTER_START}read line` });
    const { pid, device } = terminal;
    await untilBlocked(terminal, reads);
    expect(foregroundThreads(pid, '/no/such/device')).toEqual([]);
    expect(foregroundThreads(2 ** 22 + 1, device)).toEqual([]);
    expect(foregroundThreads(process.pid, '/dev/null')).not.toContainEqual(expect.objectContaining({ pid }));
  });

  test.each([
    ['', false],
    ['setTimeout(() => {}, 1e6);', true],
  ])('of an event loop wait for the terminal among others: %j', async (more, timeLimit) => {
    const program = `process.stdin.on('data', () => {}); ${more}`;
    const script = `exec '${process.execPath}' -e "$PROGRAM"`;
    const terminal = ownTerminal({ script: `${AFTER_START}PROGRAM="${program}"; ${script}` });
    const found = await untilBlocked(terminal, ({ blockedIn }) => blockedIn.kind === 'poll' && blockedIn.terminal);
    const main = found.find(({ pid, thread }) => pid === thread);
    expect(main?.blockedIn).toMatchObject({ kind: 'poll', terminal: true, timeLimit });
    // Each of its threads is looked at.
    expect(new Set(found.map(({ thread }) => thread)).size).toBe(found.length);
    expect(found.length).toBeGreaterThan(1);
  });

  const PIPE = 'import os, select; r, w = os.pipe(); ';
  const POLL = `${PIPE}p = select.poll(); p.register(0, select.POLLIN); `;
  const EPOLL = `${PIPE}p = select.epoll(); p.register(0, select.EPOLLIN); `;

  itNeeds('python3').each([
    ['select', `${PIPE}select.select([0], [], [])`, { others: 0, timeLimit: false }],
    ['select with a time limit', `${PIPE}select.select([0], [], [], 1000)`, { others: 0, timeLimit: true }],
    ['select among others', `${PIPE}select.select([0, r], [], [0, r])`, { others: 3, timeLimit: false }],
    ['select on something else', `${PIPE}select.select([r], [], [])`, { terminal: false, others: 1 }],
    ['poll', `${POLL}p.poll()`, { others: 0, timeLimit: false }],
    ['poll with a time limit', `${POLL}p.poll(1000000)`, { others: 0, timeLimit: true }],
    ['poll among others', `${POLL}p.register(r, select.POLLIN); p.poll()`, { others: 1, timeLimit: false }],
    [
      'poll for urgent data alone',
      `${PIPE}p = select.poll(); p.register(0, select.POLLPRI); p.poll()`,
      { terminal: false, others: 1 },
    ],
    ['epoll', `${EPOLL}p.poll()`, { others: 0, timeLimit: false }],
    ['epoll with a time limit', `${EPOLL}p.poll(1000)`, { others: 0, timeLimit: true }],
    ['epoll among others', `${EPOLL}p.register(r, select.EPOLLIN); p.poll()`, { others: 1, timeLimit: false }],
    [
      'epoll for urgent data alone',
      `${PIPE}p = select.epoll(); p.register(0, select.EPOLLPRI); p.poll()`,
      { terminal: false, others: 1 },
    ],
  ])('wait for the terminal in %s', async (_, program, expected) => {
    const terminal = ownTerminal({ script: `${AFTER_START}exec python3 -c '${program}'` });
    const found = await untilBlocked(terminal, (each) => each.process === 'python3' && polls(each));
    expect(found).toMatchObject([{ process: 'python3', blockedIn: { kind: 'poll', terminal: true, ...expected } }]);
  });
});

describe.runIf(canProbeInput)('progress since input', () => {
  async function reading() {
    const terminal = ownTerminal({ script: `${AFTER_START}while read line; do printf "<$line>"; done` });
    await untilBlocked(terminal, reads);
    const clock = new FakeClock();
    return { terminal, clock, progress: new ProgressSinceInput(terminal.pid, clock) };
  }

  test('exists if nothing was sent', async () => {
    const { terminal, progress } = await reading();
    expect(progress.hasRun(terminal.pid)).toBe(true);
  });

  test('does not exist until the program has run, or must have received the input', async () => {
    const { terminal, clock, progress } = await reading();
    progress.onInput();
    expect(progress.hasRun(terminal.pid)).toBe(false);
    clock.advance(499);
    expect(progress.hasRun(terminal.pid)).toBe(false);
    clock.advance(1);
    expect(progress.hasRun(terminal.pid)).toBe(true);
    progress.onInput();
    expect(progress.hasRun(terminal.pid)).toBe(false);
    await terminal.input.take(1, (writer) => writer.write(Buffer.from('x\n')));
    await untilShown(terminal, '<x>');
    expect(progress.hasRun(terminal.pid)).toBe(true);
  });

  test('is known for the process that was last seen waiting', async () => {
    const { progress } = await reading();
    const { terminal: other } = await reading();
    progress.onInput();
    expect(progress.hasRun(other.pid)).toBe(true);
    progress.onFound(other.pid);
    progress.onInput();
    expect(progress.hasRun(other.pid)).toBe(false);
  });

  test('is detected by the number of times that a thread was put to sleep', async () => {
    const { terminal } = await reading();
    const { pid } = terminal;
    const before = threadStatus(pid, pid);
    expect(before).toMatchObject({ state: 'S', switches: sleepingReaders(terminal)[0]?.switches });
    await terminal.input.take(1, (writer) => writer.write(Buffer.from('x\n')));
    await untilShown(terminal, '<x>');
    await untilBlocked(terminal, reads);
    expect(threadStatus(pid, pid)?.switches).toBeGreaterThan(before?.switches ?? 0);
    expect(threadStatus(pid, 2 ** 22 + 1)).toBeUndefined();
  });
});
