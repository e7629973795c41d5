/** Processes that a `run` in a new terminal leaves behind: those that ignore SIGHUP live on, the others are ended and named. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request, startDaemon, type TestDaemon } from '../support/daemon.js';
import { isRunning } from '../support/processes.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const run = (command: string) => request(daemon, { cmd: 'run', command, timeout_ms: 20_000 });

/** The first line of the output. */
function pidOf(reply: Record<string, unknown>): number {
  return Number((reply['lines'] as string[])[0]);
}

it('a process started with nohup outlives its run, and is named', async () => {
  const ran = await run('trap "" HUP; sleep 647.5 </dev/null >/dev/null 2>&1 & echo $!; exit 0');
  const pid = pidOf(ran);
  try {
    expect(ran).toMatchObject({ exit_code: 0, living_processes: [{ pid, process: 'sleep' }] });
    expect(isRunning(pid)).toBe(true);
  } finally {
    process.kill(pid, 'SIGKILL');
  }
});

it('a background job of a run is ended with it, and is named', async () => {
  const ran = await run('set -m; sleep 648.5 </dev/null >/dev/null 2>&1 & echo $!; exit 0');
  const pid = pidOf(ran);
  expect(ran).toMatchObject({ exit_code: 0, ended_processes: [{ pid, process: 'sleep' }] });
  expect(isRunning(pid)).toBe(false);
});

it('a process that the kernel hangs up with its run is ended, and not named', async () => {
  const ran = await run('sleep 649.5 </dev/null >/dev/null 2>&1 & echo $!; exit 0');
  expect(ran).not.toHaveProperty('ended_processes');
  expect(ran).not.toHaveProperty('living_processes');
  expect(isRunning(pidOf(ran))).toBe(false);
});

it('a run that leaves nothing names nothing', async () => {
  const ran = await run('echo done');
  expect(ran).not.toHaveProperty('ended_processes');
  expect(ran).not.toHaveProperty('living_processes');
});
