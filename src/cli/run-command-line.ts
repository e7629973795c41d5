/**
 * From argv to the exit status: what needs no daemon is answered here, everything else is a request. What is
 * imported when it is asked for is not in the program of the common commands (scripts/build.mjs).
 */
import { VERSION } from '../base/version.js';
import { T4aError, errorReply, isT4aError } from '../protocol/errors.js';
import { commandTable } from './argv/command-table.js';
import { GLOBAL_FLAGS } from './argv/commands.generated.js';
import { execute } from './execute.js';
import { exitStatusOfError, isRefusedLine, NOTHING_RUN, reportsProgram } from './exit-status.js';
import { detailsHere } from './hints.js';
import type { Invocation } from './argv/invocation.js';
import { commandNamed, parseCommandLine, parseGlobalFlags, splitAt, splitCommand } from './argv/parse.js';
import type { LazyBundles } from './lazy-bundles.js';
import { printable } from './output/printable.js';
import { printsJson } from './settings.js';
import { ClosedOutput, type Host } from './host.js';

const USAGE = 2;

export async function runCommandLine(argv: readonly string[], host: Host, bundles: LazyBundles): Promise<number> {
  let asJson = argv.includes('--json');
  let invocation: Invocation | undefined;
  try {
    if (host.hasWholeArguments?.() === false) {
      throw new T4aError('usage', 'An argument is no UTF-8, and cannot be passed on.');
    }
    if (argv[0] === '--version') return await printed(printVersion(host), host);
    const door = splitAt('tmux', argv);
    if (door !== undefined && door.words[0] !== '--help' && !door.before.includes('--help')) {
      const { tmux } = await import('./local/tmux.js');
      const { words, before } = door;
      const attach = (line: readonly string[]): Promise<number> => runCommandLine(line, host, bundles);
      return await printed(tmux(words, host, bundles, { before, attach }), host);
    }
    invocation = parseCommandLine(argv);
    if (invocation === undefined) return await printed(answerWithoutCommand(argv, host), host);
    for (const note of invocation.notes ?? []) host.note(`t4a: ${note}\n`);
    if (invocation.command.local !== true && invocation.options['help'] !== true) {
      invocation.options['json'] = printsJson(invocation.options['json'], host);
    }
    asJson = invocation.options['json'] === true;
    return await printed(answer(invocation, host, bundles), host);
  } catch (error) {
    if (error instanceof ClosedOutput) return 0;
    // Of any bundle.
    if (!isT4aError(error)) throw error;
    const said = new T4aError(error.code, error.message, detailsHere(error, invocation));
    host.note(asJson ? `${JSON.stringify(errorReply(said))}\n` : explain(said));
    const command = invocation?.command ?? commandNamed(splitCommand(argv).name ?? '');
    if (isRefusedLine(error, command, invocation?.params)) return NOTHING_RUN;
    return exitStatusOfError(error.code, reportsProgram(command, invocation?.options));
  }
}

/** Once all that it printed has come to its reader: what that lacks is an error like any other. */
async function printed(status: number | Promise<number>, host: Host): Promise<number> {
  const ended = await status;
  await host.delivered?.(ended);
  return ended;
}

async function answerWithoutCommand(argv: readonly string[], host: Host): Promise<number> {
  const { overviewHelp } = await import('./argv/help.js');
  const text = overviewHelp(commandTable(), GLOBAL_FLAGS, host.columns());
  if (parseGlobalFlags(argv)['help'] === true) return print(text, host);
  host.note(text);
  return USAGE;
}

async function answer(invocation: Invocation, host: Host, bundles: LazyBundles): Promise<number> {
  const { command, options } = invocation;
  if (options['help'] === true) {
    const { helpOf } = await import('./argv/help.js');
    return print(helpOf(invocation, host.columns()), host);
  }
  if (command.local !== true && command.name !== SHUTDOWN) return execute(invocation, host, bundles);
  if (options['on'] !== undefined && !ASKS_FAR_HOSTS.has(command.name)) {
    throw new T4aError('usage', `"${command.name}" takes no "--on": it is for this machine.`, {
      hint: `It goes with commands that ask a daemon, and with ${[...ASKS_FAR_HOSTS].join(', ')}`,
    });
  }
  const { localCommand } = await import('./local/local-commands.js');
  return localCommand(command.name)(invocation, host, bundles);
}

/** A request of its own: it ends a daemon of any version, and no daemon is no failure. */
const SHUTDOWN = 'shutdown';

/** Of the commands that the command line answers itself. */
const ASKS_FAR_HOSTS: ReadonlySet<string> = new Set(['attach', 'view', 'web', 'stdio', SHUTDOWN]);

function printVersion(host: Host): number {
  return print(`t4a ${VERSION}\n`, host);
}

function print(text: string, host: Host): number {
  host.out(text);
  return 0;
}

function explain({ message, details }: T4aError): string {
  const { hint, closest } = details;
  const isNew = closest !== undefined && hint?.includes(closest) !== true;
  const hints = [...(isNew ? [`Did you mean ${JSON.stringify(closest)}?`] : []), ...(hint === undefined ? [] : [hint])];
  return `t4a: ${printable(message)}\n${hints.map((text) => `  hint: ${printable(text)}\n`).join('')}`;
}
