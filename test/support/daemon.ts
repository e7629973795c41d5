/** A daemon of the test's own: the built one, on a socket in its own directory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALLOCATOR_ENVIRONMENT } from '../../src/base/allocator.js';
import { keepFishFromManuals } from './fish-manuals.js';
import { rawRequest } from './raw.js';

export const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/** What `connect` and `launch` start if the bundle that they are in does not name it. */
export const builtDaemonEntry = path.join(DIST, 'daemon.cjs');

/** What the first daemon of a run compiles, the others need not; where it is no run of tests, each compiles for itself. */
export const cacheHome = process.env['T4A_TEST_CACHE_HOME'] ?? '';

const running = new Set<ChildProcess>();

/** Of tests that failed and did not come to their end. */
export async function endDaemons(): Promise<void> {
  await Promise.all(Array.from(running, ended));
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

export interface TestDaemon {
  readonly dir: string;
  readonly socketPath: string;
  readonly process: ChildProcess;
  /** What the daemon has logged so far. */
  log(): string;
  stop(): Promise<void>;
}

export async function startDaemon(
  options: {
    env?: Record<string, string>;
    args?: string[];
    node?: string;
    /** As a client starts it. */ detached?: boolean;
  } = {},
): Promise<TestDaemon> {
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-'));
  keepFishFromManuals(path.join(dir, '.local/share'));
  const socketPath = path.join(dir, 's');
  const child = spawn(
    options.node ?? process.execPath,
    [path.join(DIST, 'daemon.cjs'), '--socket', socketPath, ...(options.args ?? [])],
    {
      cwd: dir,
      // Neither the configuration nor the start-up files of whoever runs the tests: those may say and take anything.
      // Its compiled code may be theirs.
      env: {
        ...ALLOCATOR_ENVIRONMENT,
        ...process.env,
        HOME: dir,
        XDG_CONFIG_HOME: dir,
        XDG_CACHE_HOME: cacheHome,
        ...options.env,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: options.detached === true,
    },
  );
  running.add(child);
  child.once('exit', () => running.delete(child));
  let log = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('listens on')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the daemon ended with ${code}: ${log}`)));
  });
  await ready;
  return {
    dir,
    socketPath,
    process: child,
    log: () => log,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) await ended(child);
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export async function request(daemon: TestDaemon, fields: object): Promise<Record<string, unknown>> {
  return (await rawRequest(daemon.socketPath, fields)).header;
}
