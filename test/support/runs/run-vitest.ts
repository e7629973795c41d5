/**
 * Runs vitest in a process group of its own, and ends all of that group with it. Daemons that a client starts have left the
 * group; they end when they are idle.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { REPORT_VARIABLE, type Run, type RunReport } from './report.js';

export interface RunOptions {
  /** The checkout with vitest and the reporters. */
  readonly root: string;
  /** The project whose tests run. */
  readonly project: string;
  readonly args: readonly string[];
  /** A program that starts node, with its arguments. */
  readonly prefix?: readonly string[];
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly boundMs: number;
  /** Ends the run when it aborts. */
  readonly signal: AbortSignal;
  /** A descriptor for all output; without it, that of this process. */
  readonly output?: number;
}

const REPORTERS = ['progress-reporter.ts', 'left-out-reporter.ts', 'runs/reporter.ts'];
/** For daemons and vitest to end by themselves. */
const GRACE_MS = 1000;
const LOOK_MS = 20;

/** @throws the signal's reason, once vitest and its children are gone */
export async function runVitest(options: RunOptions): Promise<Run> {
  const { root, project, args, prefix = [], boundMs, signal, output = 'inherit' } = options;
  signal.throwIfAborted();
  // A user without rights in the project may run the tests.
  const place = mkdtempSync(path.join(tmpdir(), 't4a-run-'));
  const reportFile = path.join(place, 'report.json');
  const reporters = REPORTERS.map((file) => path.join(root, 'test/support', file));
  const start = performance.now();
  const [program, ...before] = [...prefix, process.execPath];
  const child = spawn(
    program,
    [
      ...before,
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...args,
      ...reporters.map((each) => `--reporter=${each}`),
    ],
    {
      cwd: project,
      detached: true,
      stdio: ['ignore', output, output],
      env: { ...process.env, ...options.env, [REPORT_VARIABLE]: reportFile },
    },
  );
  const group = child.pid ?? 0;
  const kill = () => void signalGroup(group, 'SIGKILL');
  process.once('exit', kill);
  let isOverBound = false;
  const end = () => void endGroup(group);
  const bound = setTimeout(() => {
    isOverBound = true;
    end();
  }, boundMs);
  signal.addEventListener('abort', end);
  try {
    const [status, name] = (await once(child, 'exit')) as [number | null, string | null];
    const seconds = (performance.now() - start) / 1000;
    const report = existsSync(reportFile) ? (JSON.parse(readFileSync(reportFile, 'utf8')) as RunReport) : undefined;
    if (status === null || report === undefined || isOverBound || signal.aborted) await endGroup(group);
    signal.throwIfAborted();
    const run = { ended: status ?? name ?? -1, isOverBound, boundMs, seconds };
    return report === undefined ? run : { ...run, report };
  } finally {
    clearTimeout(bound);
    signal.removeEventListener('abort', end);
    process.off('exit', kill);
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Its reason is the name of the signal that this process got. A second signal changes nothing: the end is a matter of seconds. */
export function abortedBySignals(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort(name));
  return controller.signal;
}

async function endGroup(group: number): Promise<void> {
  signalGroup(group, 'SIGTERM');
  for (let waitedMs = 0; waitedMs < GRACE_MS && signalGroup(group, 0); waitedMs += LOOK_MS) await delay(LOOK_MS);
  signalGroup(group, 'SIGKILL');
}

/** @returns whether there is such a group */
function signalGroup(group: number, name: NodeJS.Signals | 0): boolean {
  if (group === 0) return false;
  try {
    return process.kill(-group, name);
  } catch {
    return false; // ESRCH: all of it has ended; EPERM: what is left belongs to another user.
  }
}
