/**
 * The tests of the command line by its native client (`npm run trials -- by-client`): what they expect holds for it, and what may be asked
 * twice is asked by Node, too, and is the same byte for byte but for numbers, which tell time.
 */
import { spawn } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { parseCommandLine } from '../../src/cli/argv/parse.js';
import { onlyReads } from '../../src/cli/target.js';
import { CLI, type CliResult, environmentOf } from './cli.js';

/** What a terminal does changes by itself between two looks. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(['list', 'status', 'wait']);

/** Its daemon ends it. */
export async function startHostOf(socketPath: string): Promise<void> {
  const host = spawn(process.execPath, [CLI, '__serve-cli', socketPath], { stdio: 'ignore', env: environmentOf({}) });
  host.unref();
  const isThere = () => lstatSync(`${socketPath}.cli`, { throwIfNoEntry: false })?.isSocket() === true;
  await vi.waitUntil(isThere, { timeout: 60_000, interval: 20 });
}

/** What it prints does not hang on when it is asked, nor does it change anything. */
export function mayBeAskedTwice(args: readonly string[]): boolean {
  try {
    const invocation = parseCommandLine(args);
    if (invocation === undefined || invocation.options['help'] === true) return true;
    const { command, params, options } = invocation;
    if (command.local === true || options['follow'] === true || command.streams === true) return false;
    return !OF_THE_MOMENT.has(command.name) && onlyReads(command, params);
  } catch {
    // Nothing is done of a line that is wrong.
    return true;
  }
}

export function expectSame(args: readonly string[], byClient: CliResult, byNode: CliResult): void {
  expect({ args, ...masked(byClient) }).toEqual({ args, ...masked(byNode) });
}

function masked({ status, stdout, stderr }: CliResult): object {
  const mask = (text: string): string => text.replaceAll(/\d+/g, '0').replaceAll(/ +/g, ' ');
  return { status, stdout: mask(stdout), stderr: mask(stderr) };
}
