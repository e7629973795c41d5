/** A command line in the process of the test, and a daemon beside it that answers as the test says. */
import type { LazyBundles } from '../../src/cli/lazy-bundles.js';
import { runCommandLine } from '../../src/cli/run-command-line.js';
import type { Host } from '../../src/cli/host.js';
import type { Handlers } from '../../src/rpc/service.js';
import { serve } from './serve.js';
import { host } from './host.js';

export interface Ran {
  readonly status: number;
  readonly printed: string;
  readonly noted: string;
}

export type Run = (argv: readonly string[], overrides?: Partial<Host>) => Promise<Ran>;

export async function run(
  argv: readonly string[],
  overrides: Partial<Host> = {},
  bundles: Partial<LazyBundles> = {},
): Promise<Ran> {
  const where = host(overrides);
  const status = await runCommandLine(argv, where, bundles as LazyBundles);
  return { status, printed: where.printed(), noted: where.noted() };
}

/** Of commands to a daemon of the test's own. */
export async function served(handlers: Partial<Handlers> = {}): Promise<Run> {
  const { socketPath } = await serve(handlers);
  return (argv, overrides) => run(['--socket', socketPath, ...argv], overrides);
}
