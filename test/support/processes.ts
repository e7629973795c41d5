/** What the process table says. Linux only, as are the tests that ask. */
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** False for a process that is gone, or dead and only not reaped by its new parent. */
export function isRunning(pid: number): boolean {
  const state = stateOf(pid);
  return state !== undefined && state !== 'Z';
}

/** Stops a process of the test's own; it goes on when it is continued, or with the test's end. */
export async function stopProcess(pid: number): Promise<void> {
  onTestFinished(() => {
    if (stateOf(pid) === 'T') process.kill(pid, 'SIGCONT');
  });
  process.kill(pid, 'SIGSTOP');
  while (stateOf(pid) !== 'T') await nextTurn();
}

function stateOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.charAt(stat.lastIndexOf(')') + 2);
  } catch {
    return undefined; // ENOENT
  }
}
