/** A process of the test's that talks in lines; ended with the test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export interface LineChild {
  readonly process: ChildProcess;
  readonly pid: number;
  say(line: string): void;
  /** The next line of its stdout; rejects when it ends instead. */
  line(): Promise<string>;
  /** Its exit status, or the signal's name; also closes its stdin. */
  end(): Promise<number | string>;
  kill(): Promise<void>;
}

export function lineChild(file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): LineChild {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'], env });
  const exited = once(child, 'close') as Promise<[number | null, string | null]>;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const kill = async (): Promise<void> => {
    if (!isOver()) child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  return {
    process: child,
    pid: child.pid ?? -1,
    say: (line) => void child.stdin.write(`${line}\n`),
    async line() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${file} ended without a further line`);
      return value;
    },
    async end() {
      child.stdin.end();
      const [code, signal] = await exited;
      return code ?? signal ?? -1;
    },
    kill,
  };
}
