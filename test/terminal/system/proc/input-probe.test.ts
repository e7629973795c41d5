/** Real programs on real pseudoterminals. Each says on the terminal that it is about to do what it is looked at for. */
import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../src/base/clock.js';
import { canProbeInput, probeAwaitingInput } from '../../../../src/terminal/system/proc/input-probe.js';
import { Pty } from '../../../../src/terminal/pty/pty.js';
import type { AwaitingInput } from '../../../../src/events/awaiting-input.js';
import { InputWatch } from '../../../../src/terminal/input/input-watch.js';
import { isHeldUp, readStat } from '../../../../src/terminal/system/processes.js';
import { requireProgram } from '../../../support/programs.js';
import { readers, stty } from '../../../support/own-parts.js';

const ptys: Pty[] = [];

const HAS_RUN = { atShellPrompt: () => false, hasRun: () => true, isComputing: () => false };

afterEach(() => {
  for (const pty of ptys.splice(0)) if (!pty.closed) process.kill(pty.pid, 'SIGKILL');
});

function start(program: string, ...args: string[]): Pty {
  const env = { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', HOME: '/dev/null' };
  const pty = new Pty({ file: requireProgram(program), args, cwd: '/', env, cols: 80, rows: 24 }, readers);
  ptys.push(pty);
  return pty;
}

function watch(pty: Pty): InputWatch {
  const watching = new InputWatch({
    clock: systemClock,
    probe: () => probeAwaitingInput({ pid: pty.pid, device: pty.device, stty }, HAS_RUN),
    wanted: () => true,
    mayBeLate: () => false,
    cursor: () => 0,
  });
  pty.onData.on(() => watching.onBytes());
  return watching;
}

async function awaited(
  program: string,
  ...args: string[]
): Promise<Pick<AwaitingInput, 'kind' | 'process' | 'certain'>> {
  const watching = watch(start(program, ...args));
  const { kind, process, certain } = await new Promise<AwaitingInput>((resolve) => {
    watching.onAwaiting.on(resolve);
  });
  watching.dispose();
  return { kind, process, certain };
}

/** What a probe finds once the program has printed `ready`. */
async function probedWhenReady(program: string, ...args: string[]): Promise<AwaitingInput | undefined> {
  const pty = start(program, ...args);
  await new Promise<void>((resolve) => {
    pty.onData.on((bytes) => {
      if (Buffer.from(bytes).includes('ready')) resolve();
    });
  });
  return probeAwaitingInput({ pid: pty.pid, device: pty.device, stty }, HAS_RUN);
}

test('a program that is stopped waits for nothing: what was sent to it is there, and it has not read it', async () => {
  const pty = start('cat');
  const probe = () => probeAwaitingInput({ pid: pty.pid, device: pty.device, stty }, HAS_RUN);
  await expect.poll(probe).toMatchObject({ process: 'cat' });
  process.kill(pty.pid, 'SIGSTOP');
  await expect.poll(() => readStat(pty.pid)?.state).toBe('T');
  expect(isHeldUp(pty.pid)).toBe(true);
  expect(await probe()).toBeUndefined();
  process.kill(pty.pid, 'SIGCONT');
  await expect.poll(probe).toMatchObject({ process: 'cat' });
  expect(isHeldUp(pty.pid)).toBe(false);
});

const POLL = 'import select; p = select.poll(); p.register(0, select.POLLIN); p.poll()';

/** From 3.13 on Python has a line editor of its own, which polls with a time limit. */
function pollsInRepl(): boolean {
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 13))'], {
    encoding: 'utf8',
  });
  return stdout?.trim() === 'True';
}

describe.runIf(canProbeInput)('waiting programs', () => {
  test.each([
    ['cat', ['cat'], 'line', 'cat', true],
    ['a yes or no question', ['bash', '-c', 'read -p "Go on? [y/N] " answer'], 'line', 'bash', true],
    ['a single key', ['bash', '-c', 'read -n 1 -p "Press a key "'], 'raw', 'bash', true],
    ['a secret', ['bash', '-c', 'read -s -p "Secret: "'], 'password', 'bash', true],
    ['getpass', ['python3', '-c', 'import getpass; getpass.getpass()'], 'password', 'python3', true],
    ['input()', ['python3', '-c', 'input("? ")'], 'line', 'python3', true],
    ['a pager', ['less', '/etc/passwd'], 'raw', 'less', true],
    ['an editor', ['vim', '-u', 'NONE', '-i', 'NONE', '-n', '/nonexistent/x'], 'raw', 'vim', false],
    ['a shell', ['bash', '--norc', '-i'], 'raw', 'bash', true],
    ['another shell', ['zsh', '-f', '-i'], 'raw', 'zsh', true],
    ['a REPL', ['python3', '-i', '-c', '0'], 'raw', 'python3', !pollsInRepl()],
    ['an event loop', ['node', '-i'], 'raw', 'node', false],
    ['the last of a pipeline', ['sh', '-c', 'seq 1000 | less'], 'raw', 'less', true],
    ['a reader behind a wrapper', ['sh', '-c', 'cat; true'], 'line', 'cat', true],
    ['poll', ['python3', '-c', POLL], 'line', 'python3', true],
  ])('%s', async (_, [program = '', ...args], kind, process, certain) => {
    requireProgram(process);
    expect(await awaited(program, ...args)).toEqual({ kind, process, certain });
  });
});

describe.runIf(canProbeInput)('a waiting program', () => {
  test('counts only if it has run since its input', async () => {
    const pty = start('cat');
    const watching = watch(pty);
    await new Promise((resolve) => {
      watching.onAwaiting.on(resolve);
    });
    watching.dispose();
    const asked: number[] = [];
    const hasRun = (pid: number): boolean => {
      asked.push(pid);
      return false;
    };
    expect(
      await probeAwaitingInput({ pid: pty.pid, device: pty.device, stty }, { ...HAS_RUN, hasRun }),
    ).toBeUndefined();
    expect(asked).toEqual([pty.pid]);
    expect(await probeAwaitingInput({ pid: pty.pid, device: pty.device, stty }, HAS_RUN)).toMatchObject({
      pid: pty.pid,
    });
  });
});

describe.runIf(canProbeInput)('other programs', () => {
  test.each([
    ['one that sleeps', ['bash', '-c', 'echo ready; exec sleep 60']],
    ['one that computes', ['bash', '-c', 'echo ready; while :; do :; done']],
    ['one that reads a pipe', ['bash', '-c', '(echo ready >/dev/tty; exec sleep 60) | cat']],
    ['one that sleeps with echo off', ['bash', '-c', 'stty -echo; echo ready; exec sleep 60']],
    ['an event loop without the terminal', ['node', '-e', 'console.log("ready"); setInterval(() => {}, 1e6)']],
    ['a shell that waits for its child', ['bash', '-c', 'echo ready; sleep 60; true']],
    ['one whose background job sleeps', ['bash', '-c', 'sleep 60 & echo ready; wait']],
  ])('%s', async (_, [program = '', ...args]) => {
    expect(await probedWhenReady(program, ...args)).toBeUndefined();
  });

  test('of an ended process', async () => {
    const pty = start('true');
    await new Promise((resolve) => {
      pty.onExit.on(resolve);
    });
    expect(await probeAwaitingInput({ pid: pty.pid, device: pty.device, stty }, HAS_RUN)).toBeUndefined();
  });
});
