/** `t4a complete -- word… partial`: what the last word may become, one candidate a line. The shells' completions call it. */
import { DaemonConnection } from '../../client/connection.js';
import { findDaemon } from '../../client/find-daemon.js';
import { COMMAND_NAMES, commandSyntax } from '../argv/command-table.js';
import { GLOBAL_FLAGS, KEY_NAMES } from '../argv/commands.generated.js';
import type { CommandSyntax, FlagSyntax } from '../argv/syntax.js';
import type { LocalCommand } from './local-command.js';

/** A shell waits for this with every Tab. */
const MAX_ANSWER_MS = 500;
/** Fields whose value is the id of a terminal. */
const NAMES_TERMINAL: ReadonlySet<string> = new Set(['id', 'terminal']);

export const complete: LocalCommand = async ({ options }, host) => {
  const words = (options['words'] ?? []) as readonly string[];
  const partial = words.at(-1) ?? '';
  const candidates = await candidatesFor(words.slice(0, -1), partial);
  const fitting = candidates.filter((candidate) => candidate.toLowerCase().startsWith(partial.toLowerCase()));
  host.out(fitting.map((candidate) => `${candidate}\n`).join(''));
  return 0;
};

async function candidatesFor(before: readonly string[], partial: string): Promise<readonly string[]> {
  const name = COMMAND_NAMES.find((each) => before.includes(each));
  const command = name === undefined ? undefined : commandSyntax(name);
  const flags = [...(command?.flags ?? []), ...GLOBAL_FLAGS];
  const valued = flags.find((flag) => `--${flag.flag}` === before.at(-1) && flag.type !== 'boolean');
  if (valued !== undefined) return NAMES_TERMINAL.has(valued.field) ? terminalIds(before) : (valued.values ?? []);
  if (partial.startsWith('-')) return flags.map(spelling);
  if (command === undefined) return COMMAND_NAMES;
  return byPosition(command, before, flags);
}

/** Turning off what is on is what there is to say of a switch. */
function spelling({ flag, type, default: value }: FlagSyntax): string {
  return type === 'boolean' && value === true ? `--no-${flag}` : `--${flag}`;
}

async function byPosition(
  command: CommandSyntax,
  before: readonly string[],
  flags: readonly FlagSyntax[],
): Promise<readonly string[]> {
  const given = positionalsIn(before.slice(before.indexOf(command.name) + 1), flags);
  const positional = command.positionals[Math.min(given, command.positionals.length - 1)];
  if (positional === undefined) return [];
  if (NAMES_TERMINAL.has(positional.field)) return terminalIds(before);
  switch (positional.field) {
    case 'keys':
      return KEY_NAMES;
    case 'command_name':
      return COMMAND_NAMES;
    default:
      return positional.values ?? [];
  }
}

function positionalsIn(words: readonly string[], flags: readonly FlagSyntax[]): number {
  let count = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    if (!word.startsWith('-')) count++;
    else if (flags.some((flag) => `--${flag.flag}` === word && flag.type !== 'boolean')) i++;
  }
  return count;
}

/** Of the daemon that runs, if one does: pressing Tab starts nothing, and an error is no candidate. */
async function terminalIds(before: readonly string[]): Promise<readonly string[]> {
  const given = before[before.indexOf('--socket') + 1];
  const signal = AbortSignal.timeout(MAX_ANSWER_MS);
  try {
    const { socketPath, socket } = await findDaemon(before.includes('--socket') ? given : undefined, signal);
    if (socket === 'absent') return [];
    const { terminals } = await new DaemonConnection(socket, socketPath).call('list', {}, { signal });
    return [...terminals.map(({ id }) => id), '@'];
  } catch {
    return [];
  }
}
