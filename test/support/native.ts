/** The native client, and its host beside a daemon of the test's. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { CLI, environmentOf } from './cli.js';
import { DIST } from './daemon.js';

export const NATIVE = path.join(DIST, 'native', process.arch, 't4a');

/** Where no compiler is, the package has no client to test. */
export const itHasNative = test.skipIf(!existsSync(NATIVE));

export interface Ended {
  readonly status: number | string;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
}

/** The command line by Node, or by the client. */
export type Way = 'node' | 'native';
export const WAYS: readonly Way[] = ['node', 'native'];

export function programOf(way: Way): readonly [string, ...string[]] {
  return way === 'node' ? [process.execPath, CLI] : [NATIVE];
}

export function startWay(way: Way, args: readonly string[], options: RunOptions = {}): ChildProcess {
  const [program, ...first] = programOf(way);
  const child = spawn(program, [...first, ...args], {
    env: environmentOf({ env: options.env ?? {} }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.input);
  return child;
}

export async function endOf(child: ChildProcess): Promise<Ended> {
  const stdout: Buffer[] = [];
  let stderr = '';
  child.stdout?.on('data', (bytes: Buffer) => stdout.push(bytes));
  child.stderr?.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { status: code ?? signal ?? -1, stdout: Buffer.concat(stdout), stderr };
}

export function runWay(way: Way, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return endOf(startWay(way, args, options));
}

/** The same by both ways, whatever it is. */
export async function sameByBoth(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const byNode = await runWay('node', args, options);
  expect(await runWay('native', args, options)).toEqual(byNode);
  return byNode;
}

/** By a shell, in which `t4a` is the way. */
export function bySh(
  way: Way,
  script: string,
  options: RunOptions = {},
): { status: number | null; stdout: Buffer; stderr: string } {
  const words = programOf(way).map((word) => `'${word}'`);
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--norc', '-c', `t4a() { ${words.join(' ')} "$@"; }; ${script}`],
    {
      env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: '/nonexistent', ...options.env },
      cwd: options.cwd,
    },
  );
  return { status, stdout, stderr: stderr.toString() };
}

/** @returns its process, once it listens */
export async function startHost(socketPath: string, env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CLI, '__serve-cli', socketPath], {
    stdio: 'ignore',
    env: environmentOf({ env }),
  });
  const isThere = () => lstatSync(`${socketPath}.cli`, { throwIfNoEntry: false })?.isSocket() === true;
  await vi.waitUntil(isThere, { timeout: 60_000, interval: 20 });
  return child;
}

export async function endHost(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
