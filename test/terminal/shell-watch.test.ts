import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { canProbeInput } from '../../src/terminal/system/proc/input-probe.js';
import { ShellWatch } from '../../src/terminal/shell-watch.js';
import type { AwaitingInput } from '../../src/events/awaiting-input.js';

const SCRIPTS = '/no/such/scripts';

const NO_SCREEN = {
  cursor: { line: undefined, col: 0 },
  endSlicesAtLines: () => {},
  textAboveCursor: () => undefined,
  textBefore: () => '',
  textFrom: () => undefined,
  showsBefore: () => false,
};

function watching(pid = process.pid) {
  const clock = new FakeClock();
  const shell = new ShellWatch({
    clock,
    pid,
    device: '/dev/null',
    scripts: SCRIPTS,
    screen: NO_SCREEN,
    isEditing: () => true,
  });
  const told: (number | null | 'unfinished')[] = [];
  shell.onWaiting.on((code) => told.push(code));
  shell.onUnfinished.on(() => told.push('unfinished'));
  /** Marks of one dialect: `A`, `C;cmdline=ls`, … */
  const says = (...marks: string[]) =>
    marks.flatMap((data) => shell.onOsc({ code: 133, data, line: 4, col: 2 }, '/cwd'));
  const prints = (...marks: string[]) => {
    shell.onBytes();
    return says(...marks);
  };
  return { clock, shell, told, says, prints };
}

const reader = (fields: Partial<AwaitingInput> = {}): AwaitingInput => ({
  kind: 'raw',
  pid: process.pid,
  process: 'sh',
  certain: true,
  secrecy: 'shown',
  ...fields,
});

async function interactiveShell(): Promise<number> {
  const child: ChildProcess = spawn('/bin/sh', [], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  // Without an answer it has not replaced the process that started it yet.
  child.stdin?.write('echo ready\n');
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child.pid ?? 0;
}

describe('prompts', () => {
  test('are counted at their beginning; the place of the command line is kept until the next layout', () => {
    const { shell, says } = watching();
    expect(shell.promptEnd).toBeUndefined();
    says('A', 'B', 'A');
    expect(shell).toMatchObject({ promptsSeen: 2, marksSeen: 3, atPrompt: true, promptEnd: { line: 4, col: 2 } });
    expect(shell.layouts).toBe(0);
    const followed = shell.followPlaces(
      (line) => ({ line, dispose: () => {} }),
      () => false,
    );
    expect(shell).toMatchObject({ layouts: 0, promptEnd: { line: 4, col: 2 } });
    followed();
    expect(shell).toMatchObject({ layouts: 1, promptEnd: undefined });
  });

  test('are followed by commands with their places and exit codes', () => {
    const { shell, says } = watching();
    const [start, end] = says('A', 'B', 'C;cmdline=ls', 'D;7').slice(2);
    expect(start).toMatchObject({ mark: { mark: 'command_start' }, record: { command: 'ls', cwd: '/cwd' } });
    expect(end).toMatchObject({ mark: { mark: 'command_done', code: 7 }, record: { command: 'ls', code: 7 } });
    expect(shell.lastCode).toBe(7);
    expect(shell.phase).toBe('done');
  });

  test('have no code before the first command', () => {
    expect(watching().shell).toMatchObject({ lastCode: null, isDone: false, name: undefined, marksOff: undefined });
  });
});

describe('input', () => {
  test.each([
    [['ls'], true],
    [['ls', '\r'], false],
    [['ls\r'], false],
    [['ls\n'], false],
    [['ls', '\x03'], false],
    [['ls\rx'], true],
    [['ls', ''], true],
    [[''], false],
  ])('after %j: %j', (inputs, expected) => {
    const { shell } = watching();
    for (const input of inputs) shell.onInput(input);
    expect(shell.leftovers.mayHoldText).toBe(expected);
  });

  test('is unanswered until something is printed', () => {
    const { shell } = watching();
    expect(shell.isUnanswered).toBe(false);
    shell.onInput('x');
    expect(shell.isUnanswered).toBe(true);
    shell.onBytes();
    expect(shell.isUnanswered).toBe(false);
  });

  test('that is no line is also answered by a shell that continues waiting', () => {
    const { shell } = watching();
    shell.onInput('x');
    shell.onSomebodyWaiting(reader());
    expect(shell.isUnanswered).toBe(false);
    shell.onInput('\r');
    shell.onSomebodyWaiting(reader());
    expect(shell.isUnanswered).toBe(true);
  });
});

describe('a process that waits for input', () => {
  test('at the prompt shows that the shell has done all input', () => {
    const { shell, told, prints } = watching();
    prints('A', 'B', 'C', 'D;3', 'A', 'B');
    shell.onSomebodyWaiting(reader());
    expect(told).toEqual([3]);
  });

  test('after an end shows the same for hooks without prompt marks', () => {
    const { shell, told } = watching();
    shell.onOsc({ code: 7777, data: 'done;4', line: 1, col: 0 }, undefined);
    shell.onSomebodyWaiting(reader());
    expect(told).toEqual([4]);
  });

  test('after Enter counts once there is output', () => {
    const { shell, told, prints } = watching();
    prints('A', 'B');
    shell.onInput('x\r');
    shell.onSomebodyWaiting(reader());
    expect(told).toEqual([]);
    prints('C', 'D;0', 'A', 'B');
    shell.onSomebodyWaiting(reader());
    expect(told).toEqual([0]);
  });

  test('for the rest of a command is recognized by the missing prompt, if it is the shell', async () => {
    const pid = await interactiveShell();
    const { shell, told, prints } = watching(pid);
    prints('A', 'B');
    shell.onInput('for\r');
    prints();
    // A program reads: the start of its command was not marked.
    shell.onSomebodyWaiting(reader());
    expect(told).toEqual([]);
    shell.onSomebodyWaiting(reader({ pid }));
    expect(told).toEqual(['unfinished']);
  });

  test('with its prompt half drawn is not reported', () => {
    const { shell, told, prints } = watching();
    prints('A', 'B', 'C', 'D;0', 'A');
    shell.onSomebodyWaiting(reader());
    expect(told).toEqual([]);
  });

  test('that is no shell is not reported', () => {
    const { shell, told } = watching();
    shell.onSomebodyWaiting(reader());
    expect(told).toEqual([]);
  });
});

describe.runIf(canProbeInput)('a shell without scripts', () => {
  test('is done when it waits for a line or for keys', async () => {
    const pid = await interactiveShell();
    const { shell, told, prints } = watching(pid);
    shell.onSomebodyWaiting(reader({ pid, kind: 'line' }));
    expect(told).toEqual([null]);
    prints('A', 'B', 'C;cmdline=sh');
    shell.onSomebodyWaiting(reader({ pid }));
    expect(told).toEqual([null, null]);
    expect(shell.phase).toBe('running');
  });

  test('is not done if it asks for hidden input, edits lines itself, or runs in a marking shell', async () => {
    const pid = await interactiveShell();
    const { shell, told, prints } = watching(pid);
    shell.onSomebodyWaiting(reader({ pid, secrecy: 'hidden' }));
    for (const name of ['bash', 'zsh', 'fish']) {
      shell.onSomebodyWaiting(reader({ pid, kind: 'line', process: name }));
    }
    expect(told).toEqual([]);
    shell.onSomebodyWaiting(reader({ pid, process: 'bash' }));
    expect(told).toEqual([null]);
    prints('A;aid=1', 'B;aid=1', 'C;aid=1', 'A;aid=2', 'B;aid=2', 'C;aid=2');
    shell.onSomebodyWaiting(reader({ pid }));
    expect(told).toEqual([null]);
  });

  test('has pending marks while it runs something and takes keys, for a while', () => {
    const { clock, shell, prints } = watching();
    prints('A', 'B', 'C');
    expect(shell.isAheadOfMarks(reader(), 0)).toBe(true);
    expect(shell.isAheadOfMarks(reader({ kind: 'line' }), 0)).toBe(false);
    expect(shell.isAheadOfMarks(reader({ pid: 1 }), 0)).toBe(false);
    clock.advance(999);
    expect(shell.isAheadOfMarks(reader(), 0)).toBe(true);
    clock.advance(1);
    expect(shell.isAheadOfMarks(reader(), 0)).toBe(false);
    expect(shell.isAheadOfMarks(reader(), 500)).toBe(true);
    prints('D;0');
    expect(shell.isAheadOfMarks(reader(), 500)).toBe(false);
  });

  test('has no pending marks after it replaced a marking shell', async () => {
    const pid = await interactiveShell();
    const { shell, prints } = watching(pid);
    prints('A', 'B', 'C');
    expect(shell.isAheadOfMarks(reader({ pid }), 0)).toBe(false);
  });
});
