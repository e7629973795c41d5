/** The built command line as a process of the test's or the file's, ended with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { AtEnd } from './of-file.js';

/** The program of Node that a person's shell runs as `t4a`. */
export const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
const CLIENT = fileURLToPath(new URL(`../../dist/native/${process.arch}/t4a`, import.meta.url));

/** In a trial the tests of the command line go by its native client. */
export const IS_BY_CLIENT = process.env['T4A_TEST_WAY'] === 'client';

export interface CliOptions {
  readonly socketPath?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Standard input; without it there is none. */
  readonly input?: string | Uint8Array;
  /** When a process that still runs is killed; `onTestFinished` by default. */
  readonly atEnd?: AtEnd;
}

export interface CliResult {
  /** Exit status, or the name of the signal. */
  readonly status: number | string;
  readonly stdout: string;
  readonly bytes: Buffer;
  readonly stderr: string;
}

export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const result = await endOf(spawnCli(args, options));
  if (IS_BY_CLIENT && options.input === undefined) {
    const { expectSame, mayBeAskedTwice } = await import('./both-ways.js');
    if (mayBeAskedTwice(args)) expectSame(args, result, await endOf(spawnCli(args, options, 'pipe', NODE)));
  }
  return result;
}

async function endOf(child: ChildProcess): Promise<CliResult> {
  const stdout: Buffer[] = [];
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  const bytes = Buffer.concat(stdout);
  return { status: code ?? signal ?? -1, stdout: bytes.toString(), bytes, stderr };
}

export interface CliStream {
  readonly process: ChildProcess;
  /** The next line of standard output. */
  line(): Promise<string>;
  /** Exit status or signal, and what was said on standard error. */
  ended(): Promise<{ status: number | string; stderr: string }>;
}

export function streamCli(args: readonly string[], options: CliOptions = {}): CliStream {
  const child = spawnCli(args, options);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  if (child.stdout === null) throw new Error('the child has no standard output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  return {
    process: child,
    async line() {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`t4a ${args.join(' ')} ended without a further line: ${stderr}`);
      return value;
    },
    async ended() {
      const [code, signal] = await closed;
      return { status: code ?? signal ?? -1, stderr };
    },
  };
}

/** Without the configuration of whoever runs the tests. */
export function environmentOf({ env }: CliOptions): Readonly<Record<string, string | undefined>> {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], XDG_CONFIG_HOME: '/nonexistent', ...env };
}

const NODE = [process.execPath, CLI];

export function spawnCli(
  args: readonly string[],
  options: CliOptions,
  stdout: 'pipe' | number = 'pipe',
  [program = '', ...first] = IS_BY_CLIENT ? [CLIENT] : NODE,
): ChildProcess {
  const socket = options.socketPath === undefined ? [] : ['--socket', options.socketPath];
  const child = spawn(program, [...first, ...socket, ...args], {
    stdio: [options.input === undefined ? 'ignore' : 'pipe', stdout, 'pipe'],
    env: environmentOf(options),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  const { atEnd = onTestFinished } = options;
  atEnd(() => void (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')));
  child.stdin?.on('error', () => {
    // EPIPE: the command did not want its input.
  });
  child.stdin?.end(options.input);
  return child;
}
