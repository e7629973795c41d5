/** A program to its end, with an environment of the test's own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import type { CliResult } from './cli.js';

export interface Execution {
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export async function execute(program: string, args: readonly string[], options: Execution): Promise<CliResult> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const [bytes, stderr, [code, signal]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, string | null]>,
  ]);
  return { status: code ?? signal ?? -1, stdout: bytes.toString(), bytes, stderr };
}
