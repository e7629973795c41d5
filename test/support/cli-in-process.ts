/** The command line in the process of the test, with what a process of its own would have; its start takes a tenth of a second. */
import { readFileSync } from 'node:fs';
import type { LazyBundles } from '../../src/cli/lazy-bundles.js';
import { callersScope } from '../../src/cli/prepare/callers-scope.js';
import { runCommandLine } from '../../src/cli/run-command-line.js';
import { configFilePath, readConfigFile } from '../../src/protocol/config-file.js';
import { homeDirectory } from '../../src/base/home-directory.js';
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
  const where = host({
    env,
    scope: () => callersScope(),
    cwd: () => options.cwd ?? process.cwd(),
    configFile: (onRefused) =>
      readConfigFile(configFilePath(env, homeDirectory(env)), (path) => readFileSync(path, 'utf8'), onRefused),
    stdin: () => input(...(options.input === undefined ? [] : [options.input])),
    out: (data) => void printed.push(Buffer.from(data)),
  });
  const socket = options.socketPath === undefined ? [] : ['--socket', options.socketPath];
  const status = await runCommandLine([...socket, ...args], where, BUNDLES as LazyBundles);
  const bytes = Buffer.concat(printed);
  return { status, stdout: bytes.toString(), bytes, stderr: where.noted() };
}
