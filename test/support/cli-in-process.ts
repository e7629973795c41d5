/** The command line in the process of the test, with what a process of its own would have; its start takes a tenth of a second. */
import { resolve } from 'node:path';
import { runFor } from '../../src/cli/callers.js';
import type { LazyBundles } from '../../src/cli/lazy-bundles.js';
import { ownFiles } from '../../src/cli/own-files.js';
import { callersProcess, callersScope } from '../../src/cli/prepare/callers-scope.js';
import { runCommandLine } from '../../src/cli/run-command-line.js';
import { callersConfigFile } from '../../src/client/paths.js';
import { environmentOf, type CliOptions, type CliResult } from './cli.js';
import { ROOT } from './consumer.js';
import { host, input } from './host.js';

/** Of the bundles that commands load, those that need nothing of their process. Of the server of the page that is what it refuses. Attach, play and other servers are tested as built. */
const BUNDLES: Partial<LazyBundles> = {
  async exporting() {
    const { exportRecording, ...others } = await import('../../src/playback/export.js');
    // The sources do not lie beside the fonts, as the bundle does.
    return { ...others, exportRecording: (options) => exportRecording({ fontsDir: `${ROOT}fonts`, ...options }) };
  },
  crew: () => import('../../src/crew/entry.js'),
  fleet: () => import('../../src/fleet/entry.js'),
  web: () => import('../../src/web/serve.js'),
  root: () => ROOT,
};

export async function runCliHere(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const env = environmentOf(options);
  const printed: Buffer[] = [];
  const cwd = (): string => options.cwd ?? process.cwd();
  const where = host({
    env,
    scope: () => callersScope(),
    parent: () => callersProcess(),
    cwd,
    files: ownFiles((path) => resolve(cwd(), path)),
    configFile: callersConfigFile,
    stdin: () => input(...(options.input === undefined ? [] : [options.input])),
    out: (data) => void printed.push(Buffer.from(data)),
  });
  const socket = options.socketPath === undefined ? [] : ['--socket', options.socketPath];
  const argv = [...socket, ...args];
  const status = await runFor({ env, cwd }, () => runCommandLine(argv, where, BUNDLES as LazyBundles));
  const bytes = Buffer.concat(printed);
  return { status, stdout: bytes.toString(), bytes, stderr: where.noted() };
}
