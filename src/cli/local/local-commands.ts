/** Commands that the command line answers itself. */
import { VERSION } from '../../base/version.js';
import { placeToServe } from '../../client/find-daemon.js';
import { commandTable } from '../argv/command-table.js';
import { GLOBAL_FLAGS } from '../argv/commands.generated.js';
import { whyElsewhere } from '../elsewhere.js';
import { helpOf, overviewHelp } from '../argv/help.js';
import type { Invocation } from '../argv/invocation.js';
import { parseCommandLine } from '../argv/parse.js';
import { printable } from '../output/printable.js';
import type { Host } from '../host.js';
import { attach } from './attach.js';
import { serveFleet } from './fleet.js';
import { runGrpc } from './grpc.js';
import { hosts } from './hosts.js';
import { join } from './join.js';
import { stdio } from './stdio.js';
import { crew } from './crew.js';
import { complete } from './complete.js';
import { printCompletions } from './completions.js';
import { runInterminai } from './interminai.js';
import type { LocalCommand } from './local-command.js';
import { serveOrConfigure } from './mcp.js';
import { nativeClient } from './native-client.js';
import { shutDown } from './shut-down.js';
import { runExport } from './export.js';
import { runPlay } from './play.js';
import { printTools } from './tools.js';
import { tmux } from './tmux.js';
import { view } from './view.js';
import { web } from './web.js';

/** @param name of a command that the table marks as local */
export function localCommand(name: string): LocalCommand {
  const command = LOCAL[name];
  if (command === undefined) throw new Error(`"${name}" is no local command`);
  return command;
}

const LOCAL: Readonly<Record<string, LocalCommand>> = {
  daemon: async (invocation, host, bundles) => bundles.daemon(await daemonArguments(invocation, host)),
  // Loaded here alone, so that no other command pays for it.
  doctor: async (invocation, host) => (await import('../doctor/doctor.js')).doctor(invocation, host),
  help: ({ options }, host) => explainCommand(options['command_name'], host),
  version: (_invocation, host) => print(`t4a ${VERSION}\n`, host),
  usage: (_invocation, host, bundles) => print(bundles.file('docs/usage.md'), host),
  attach,
  client: nativeClient,
  crew,
  fleet: serveFleet,
  grpc: runGrpc,
  hosts,
  join,
  stdio,
  interminai: runInterminai,
  mcp: serveOrConfigure,
  tools: printTools,
  // Before its arguments are read, in run-command-line.ts: they are tmux's own.
  tmux: (_invocation, host, bundles) => tmux([], host, bundles),
  completions: printCompletions,
  complete,
  view,
  web,
  play: runPlay,
  // Loaded here alone.
  evidence: async (invocation, host, bundles) => (await import('./evidence.js')).evidence(invocation, host, bundles),
  export: runExport,
  shutdown: shutDown,
};

export function explainCommand(name: unknown, host: Host): number {
  if (typeof name !== 'string') return print(overviewHelp(commandTable(), GLOBAL_FLAGS, host.columns()), host);
  const invocation = parseCommandLine([name, '--help']);
  if (invocation !== undefined) print(helpOf(invocation, host.columns()), host);
  return 0;
}

async function daemonArguments({ options }: Invocation, host: Host): Promise<string[]> {
  const { timeout_ms: timeoutMs, verbose } = options;
  const socket = options['socket'] ?? (await unnamedPlace(host));
  return [
    ...(typeof socket === 'string' ? ['--socket', socket] : []),
    ...(verbose === true ? ['--verbose'] : []),
    ...(typeof timeoutMs === 'number' ? [String(timeoutMs)] : []),
  ];
}

async function unnamedPlace(host: Host): Promise<string | undefined> {
  const path = await placeToServe();
  const why = path === undefined ? undefined : whyElsewhere(path);
  if (why !== undefined) host.note(`t4a: ${printable(why)}\n`);
  return path;
}

function print(text: string, host: Host): number {
  host.out(text);
  return 0;
}
