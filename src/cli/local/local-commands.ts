/** Commands that are no request: answered by the command line itself. */
import { VERSION } from '../../base/version.js';
import { placeToServe } from '../../client/find-daemon.js';
import { commandTable } from '../argv/command-table.js';
import { GLOBAL_FLAGS } from '../argv/commands.generated.js';
import { whyElsewhere } from '../elsewhere.js';
import { commandHelp, overviewHelp } from '../argv/help.js';
import { parseCommandLine, type Invocation } from '../argv/parse.js';
import type { Parts } from '../lazy-bundles.js';
import { printable } from '../output/printable.js';
import type { Surroundings } from '../host.js';
import { complete } from './complete.js';
import { printCompletions } from './completions.js';
import { serveOrConfigure } from './mcp.js';
import { printTools } from './tools.js';
import { view } from './view.js';

/** @returns the exit status */
export type LocalCommand = (
  invocation: Invocation,
  surroundings: Surroundings,
  parts: Parts,
) => number | Promise<number>;

export const LOCAL: Readonly<Record<string, LocalCommand>> = {
  daemon: async (invocation, surroundings, parts) => parts.daemon(await daemonArguments(invocation, surroundings)),
  // The only one that asks the system; what it loads, no other command should pay for.
  doctor: async (invocation, surroundings) => (await import('../doctor/doctor.js')).doctor(invocation, surroundings),
  help: ({ options }, surroundings) => explainCommand(options['command'], surroundings),
  version: (_invocation, surroundings) => print(`t4a ${VERSION}\n`, surroundings),
  usage: (_invocation, surroundings, parts) => print(parts.file('docs/usage.md'), surroundings),
  mcp: serveOrConfigure,
  tools: printTools,
  completions: printCompletions,
  complete,
  view,
};

export function explainCommand(name: unknown, surroundings: Surroundings): number {
  if (typeof name !== 'string') return print(overviewHelp(commandTable(), GLOBAL_FLAGS), surroundings);
  const invocation = parseCommandLine([name, '--help']);
  if (invocation !== undefined) print(commandHelp(invocation.command, GLOBAL_FLAGS), surroundings);
  return 0;
}

async function daemonArguments({ options }: Invocation, surroundings: Surroundings): Promise<string[]> {
  const { timeout_ms: timeoutMs, verbose } = options;
  const socket = options['socket'] ?? (await unnamedPlace(surroundings));
  return [
    ...(typeof socket === 'string' ? ['--socket', socket] : []),
    ...(verbose === true ? ['--verbose'] : []),
    ...(typeof timeoutMs === 'number' ? [String(timeoutMs)] : []),
  ];
}

async function unnamedPlace(surroundings: Surroundings): Promise<string | undefined> {
  const path = await placeToServe();
  const why = path === undefined ? undefined : whyElsewhere(path);
  if (why !== undefined) surroundings.note(`t4a: ${printable(why)}\n`);
  return path;
}

function print(text: string, surroundings: Surroundings): number {
  surroundings.out(text);
  return 0;
}
