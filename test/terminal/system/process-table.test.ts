import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  allPids,
  foregroundName,
  isMember,
  liveSession,
  parseSignal,
  readStat,
  signalName,
} from '../../../src/terminal/system/processes.js';
import { SessionTable } from '../../../src/terminal/system/session-table.js';
import { ownTerminal, untilShown } from '../../support/own-terminal.js';
import { tempDir } from '../../support/temp-dir.js';

async function started(file: string, args: readonly string[] = []): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(file, [...args], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

describe('the table of processes', () => {
  test.each([
    ['SIGINT', 'SIGINT', 2],
    ['int', 'SIGINT', 2],
    ['sigkill', 'SIGKILL', 9],
    ['9', 'SIGKILL', 9],
    [15, 'SIGTERM', 15],
  ] as const)('%j is %s', (given, name, number) => {
    expect(parseSignal(given)).toEqual({ name, number });
  });

  test.each(['', 'SIG', 'SIGNOPE', '0', 0, 999, '-1', 'SIGSIGINT', '2x'])('%j is none', (given) => {
    expect(parseSignal(given)).toBeUndefined();
  });

  test('names signals', () => {
    expect([signalName(15), signalName(999), signalName(null)]).toEqual(['SIGTERM', 'SIG999', null]);
  });
});

describe.runIf(process.platform === 'linux')('the process table', () => {
  test('has the name with any characters, the group and the session', async () => {
    const file = tempDir().join('a (b) c');
    writeFileSync(file, '#!/bin/sh\necho on\nread line\n', { mode: 0o755 });
    const { child } = await started(file);
    const pid = child.pid ?? -1;
    expect(readStat(pid)).toMatchObject({ name: 'a (b) c', group: pid, session: pid, foregroundGroup: -1 });
    expect(readStat(pid)?.state).toMatch(/^[RSD]$/);
    expect(foregroundName(pid)).toBeUndefined();
    expect(isMember(pid, pid)).toBe(true);
    expect(isMember(process.pid, pid)).toBe(false);
    expect(allPids()).toContain(pid);
  });

  test('has the foreground program of a terminal', async () => {
    const terminal = ownTerminal({ script: 'stty -echo; printf on; read line' });
    await untilShown(terminal, 'on');
    expect(foregroundName(terminal.pid)).toBe('sh');
  });

  test('has no ended process, and no session for a zombie', async () => {
    const { said } = await started('/bin/sh', ['-c', 'sleep 0 & echo $!; exec sleep 1000']);
    const dead = Number(said);
    while (readStat(dead)?.state !== 'Z') await turn();
    expect(liveSession(dead)).toBeUndefined();
    expect(liveSession(2 ** 22 + 1)).toBeUndefined();
    expect(readStat(2 ** 22 + 1)).toBeUndefined();
    expect(foregroundName(2 ** 22 + 1)).toBeUndefined();
  });

  test('is read again in another turn of the event loop', async () => {
    const { child } = await started('/bin/sh', ['-c', 'echo on; read line; sleep 1000 & echo; read line; kill $!']);
    const pid = child.pid ?? -1;
    const table = new SessionTable();
    expect(table.members(pid)).toEqual([pid]);
    expect(table.members(2 ** 22 + 1)).toEqual([]);
    child.stdin?.write('\n');
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    await turn();
    expect(table.members(pid)).toHaveLength(2);
    child.stdin?.write('\n');
    await once(child, 'exit');
  });
});
