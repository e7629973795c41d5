import { readdirSync, readlinkSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { Pty } from '../../../src/terminal/pty/pty.js';
import { SttyProcess } from '../../../src/terminal/system/stty-process.js';
import { isRunning } from '../../support/processes.js';
import { eventually } from '../../../trials/support/trial-daemon.js';
import { readers } from '../../support/own-parts.js';

function started(script: string): SttyProcess {
  const stty = new SttyProcess(script);
  onTestFinished(() => {
    if (stty.pid !== undefined && isRunning(stty.pid)) process.kill(stty.pid, 'SIGKILL');
  });
  return stty;
}

const ECHO = 'while IFS= read -r line; do printf "%s\\000%d\\n" "$line" "${#line}"; done';

it('answers queries in order; a status other than 0 is no answer', async () => {
  const stty = started('while IFS= read -r line; do printf "said %s" "$line"; printf "\\000%d\\n" "${#line}"; done');
  expect(await stty.ask('')).toBe('said ');
  expect(await stty.ask('no')).toBeUndefined();
  expect(await stty.ask('')).toBe('said ');
  expect(stty.ended).toBe(false);
});

it.each([
  ['ends before it is asked', 'exit 0', 0],
  ['is killed before it is asked', ECHO, 'SIGKILL'],
  ['ends when it is asked', 'read line; exit 0', undefined],
  ['closes its output when it is asked, and lives on', 'read line; exec >&-; exec sleep 1000', undefined],
  ['begins an answer and ends', 'read line; printf half; exit 0', undefined],
] as const)('gives no answer, and takes no longer, where it %s', async (_what, script, before) => {
  const stty = started(script);
  if (before === 'SIGKILL') process.kill(stty.pid ?? 0, before);
  // Its end may have been told by then or not: the question is asked in either case.
  if (before !== undefined) expect(await eventually(() => !isRunning(stty.pid ?? 0), 10_000)).toBe(true);
  expect(await stty.ask('x', 60_000)).toBeUndefined();
  expect(stty.ended).toBe(true);
  expect(await stty.ask('x', 60_000)).toBeUndefined();
});

it('is ended at its time limit', async () => {
  const stty = started('read line; exec sleep 1000');
  expect(await stty.ask('x', 50)).toBeUndefined();
  expect(stty.ended).toBe(true);
  expect(await eventually(() => !isRunning(stty.pid ?? 0), 10_000)).toBe(true);
});

it('gets no PTY of the daemon, which the kernel would keep open as long as it lives', async () => {
  const pty = new Pty({ file: '/bin/cat', args: [], cwd: '/', env: {}, cols: 80, rows: 24 }, readers);
  const ended = new Promise((resolve) => {
    pty.onExit.on(resolve);
  });
  const stty = started(ECHO);
  expect(await stty.ask('')).toBe('');
  expect(openFiles(process.pid)).toContain('/dev/ptmx');
  expect(openFiles(stty.pid).filter((path) => path.startsWith('/dev/pt'))).toEqual([]);
  process.kill(pty.pid, 'SIGKILL');
  await ended;
});

function openFiles(pid: number | undefined): string[] {
  return readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return ''; // ENOENT: it was the listing's own.
    }
  });
}
