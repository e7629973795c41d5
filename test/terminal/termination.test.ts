import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readStat, sendSignal } from '../../src/terminal/system/processes.js';
import { SessionTable } from '../../src/terminal/system/session-table.js';
import { endSession, killSession, type Leader, outliveHangUp } from '../../src/terminal/termination.js';
import { ownTerminal, untilShown } from '../support/own-terminal.js';

interface Session {
  readonly child: ChildProcess;
  readonly leader: Leader;
  readonly printed: () => string;
}

/** Led by a shell that has printed something; ended with the test. */
async function sessionOf(script: string): Promise<Session> {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  const pid = child.pid ?? -1;
  const exited = once(child, 'exit');
  onTestFinished(() => void sendSignal(-pid, 'SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await once(child.stdout, 'data');
  const leader: Leader = {
    pid,
    sessions: new SessionTable(),
    isReaped: () => child.exitCode !== null || child.signalCode !== null,
    untilReaped: () => exited.then(() => {}),
  };
  return { child, leader, printed: () => printed };
}

describe('ending a session', () => {
  test('asks first, and succeeds if the processes end', async () => {
    const { child, leader } = await sessionOf('echo on; exec sleep 1000');
    expect(await endSession(leader)).toEqual([]);
    expect(child.signalCode).toBe('SIGHUP');
  });

  test('kills processes that ignore the question', async () => {
    const { child, leader, printed } = await sessionOf(
      'trap "echo asked" HUP; trap "echo told; exit 7" TERM; echo on; while :; do sleep 0.01; done',
    );
    const closed = once(child.stdout as NodeJS.ReadableStream, 'end');
    expect(await endSession(leader)).toEqual([]);
    expect(child.exitCode).toBe(7);
    await closed;
    expect(printed()).toBe('on\nasked\ntold\n');
  });

  test.runIf(process.platform === 'linux')('ends the processes that are left after its leader', async () => {
    const { child, leader } = await sessionOf('sleep 1000 >&- & echo on');
    if (!leader.isReaped()) await once(child, 'exit');
    expect(new SessionTable().members(leader.pid)).toHaveLength(1);
    expect(await endSession(leader)).toEqual([]);
    expect(new SessionTable().members(leader.pid)).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'sends each signal once to those left after a leader that is gone, and not reported as reaped yet',
    async () => {
      const { child, leader } = await sessionOf('(trap "" HUP TERM; echo on; exec sleep 1000 >&-) & sleep 0.01');
      if (!leader.isReaped()) await once(child, 'exit');
      const [member = 0, ...others] = new SessionTable().members(leader.pid);
      expect(others).toEqual([]);
      // Two that come at once are one to a process.
      const kill = vi.spyOn(process, 'kill');
      onTestFinished(() => kill.mockRestore());
      const late: Leader = { ...leader, isReaped: () => false, untilReaped: () => new Promise<void>(() => {}) };
      await endSession(late, { graceMs: 50 });
      const sent = kill.mock.calls.filter(([, signal]) => signal === 'SIGTERM').map(([pid]) => pid);
      expect(sent.filter((pid) => pid === member || pid === -leader.pid)).toEqual([member]);
    },
  );

  test('continues stopped processes, which could not end otherwise', async () => {
    const { child, leader } = await sessionOf('echo on; kill -STOP $$; sleep 1000');
    expect(await endSession(leader)).toEqual([]);
    expect(child.signalCode).toBe('SIGHUP');
  });

  test.runIf(process.platform === 'linux')('reaches those who have a group of their own', async () => {
    const script = 'set -m; stty -echo; sleep 1000 & printf on; exec sleep 1000';
    const terminal = ownTerminal({ script });
    await untilShown(terminal, 'on');
    const members = new SessionTable().members(terminal.pid);
    expect(new Set(members.map((pid) => readStat(pid)?.group)).size).toBe(2);
    expect(await terminal.end()).toEqual([]);
    expect(new SessionTable().members(terminal.pid)).toEqual([]);
  });
});

test('killing a session neither asks nor waits', async () => {
  const { child, leader } = await sessionOf('trap "" HUP TERM; echo on; sleep 1000; sleep 1000');
  const exited = once(child, 'exit');
  killSession(leader);
  await exited;
  expect(child.signalCode).toBe('SIGKILL');
});

describe('the hang-up', () => {
  test('is survived by processes that ignore it', async () => {
    const { leader } = await sessionOf('echo on; exec sleep 1000');
    expect(await outliveHangUp(leader, [leader.pid])).toEqual([leader.pid]);
    expect(await outliveHangUp(leader, [])).toEqual([]);
  });

  test('ends the other processes', async () => {
    const { leader } = await sessionOf('echo on; exec sleep 1000');
    const outlived = outliveHangUp(leader, [leader.pid]);
    sendSignal(leader.pid, 'SIGKILL');
    expect(await outlived).toEqual([]);
  });
});
