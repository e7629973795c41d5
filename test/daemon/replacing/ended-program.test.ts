/** How a program has ended is read of its zombie. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WatchedProgram } from '../../../src/daemon/replacing/ended-program.js';

/** Pid of a program whose parent waits for no program; it ends once its parent's input has a line. */
async function neglected(
  end: string,
): Promise<{ readonly pid: number; readonly go: () => void; readonly reap: () => void }> {
  const script = `{ read x; ${end}; } <&3 & echo $!; exec cat >/dev/null`;
  const parent = spawn('bash', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore', 'pipe'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [pid] = (await once(parent.stdio[1] as Readable, 'data')) as [Buffer];
  // Until then it is a shell, which waits for what it has started.
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'latin1')).toBe('cat\n');
  const line = parent.stdio[3] as Writable;
  return { pid: Number(pid.toString()), go: () => line.write('\n'), reap: () => parent.kill('SIGKILL') };
}

describe.runIf(process.platform === 'linux')('a program that nothing has waited for', () => {
  test.each([
    ['exit 0', { code: 0, signal: null }],
    ['exit 255', { code: 255, signal: null }],
    ['kill -9 $BASHPID', { code: null, signal: 9 }],
    ['exec -a "a) Z 1 (b" sh -c "exit 7"', { code: 7, signal: null }],
  ])('has no end while it lives, and then that of %j', async (end, exit) => {
    const { pid, go, reap } = await neglected(end);
    const program = new WatchedProgram(pid);
    onTestFinished(() => program.close());
    expect(program.look()).toBeUndefined();
    go();
    await expect.poll(() => program.look()).toEqual(exit);
    expect(program.look()).toEqual(exit);
    reap();
    // Its new parent waits for it.
    await expect.poll(() => program.look()).toEqual({ code: null, signal: null });
  });

  test('has an unknown end if it had ended, and was waited for', async () => {
    const child = spawn('true');
    await once(child, 'exit');
    expect(new WatchedProgram(child.pid ?? 0).look()).toEqual({ code: null, signal: null });
  });
});
