/** The command line in the process of the test, with what a process of its own would have; its start takes a tenth of a second. */
import { readFileSync } from 'node:fs';
import type { LazyBundles } from '../../src/cli/lazy-bundles.js';
import { callersScope } from '../../src/cli/prepare/callers-scope.js';
import { runCommandLine } from '../../src/cli/run-command-line.js';
import { configFilePath, readConfigFile } from '../../src/protocol/config-file.js';
import { homeDirectory } from '../../src/base/home-directory.js';
import { environmentOf, type CliOptions, type CliResult } from './cli.js';
import { host, input } from './host.js';

/** Commands with a bundle of their own (attach, export, play and the servers) are refused: they are tested as built. */
export async function runCliHere(args: readonly string[], options: Omit<CliOptions, 'cwd'> = {}): Promise<CliResult> {
  const env = environmentOf(options);
  const printed: Buffer[] = [];
  const where = host({
    env,
    scope: () => callersScope(),
    cwd: () => process.cwd(),
    configFile: (onRefused) =>
      readConfigFile(configFilePath(env, homeDirectory(env)), (path) => readFileSync(path, 'utf8'), onRefused),
    stdin: () => input(...(options.input === undefined ? [] : [options.input])),
    out: (data) => void printed.push(Buffer.from(data)),
  });
  const socket = options.socketPath === undefined ? [] : ['--socket', options.socketPath];
  const status = await runCommandLine([...socket, ...args], where, {} as LazyBundles);
  const bytes = Buffer.concat(printed);
  return { status, stdout: bytes.toString(), bytes, stderr: where.noted() };
}
