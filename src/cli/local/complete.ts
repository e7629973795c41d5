/** `t4a complete -- word… partial`: what the last word may become, one candidate a line. The shells' completions call it. */
import { DaemonConnection } from '../../client/connection.js';
import { findDaemon } from '../../client/find-daemon.js';
import { COMMAND_LINE_NAMES, commandSyntax } from '../argv/command-table.js';
import { GLOBAL_FLAGS, KEY_NAMES } from '../argv/commands.generated.js';
import { parseTokens, spellings, splitCommand } from '../argv/parse.js';
import type { CommandSyntax, FlagSyntax, PositionalSyntax } from '../argv/syntax.js';
import type { Token } from '../argv/tokens.js';
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
  const { name, args } = splitCommand(before);
  const command = name === undefined ? undefined : commandSyntax(name);
  const flags = [...(command?.flags ?? []), ...GLOBAL_FLAGS];
  const given = parseTokens(args, flags);
  const terminated = given.some((token) => token.kind === 'option-terminator');
  const count = given.filter((token) => token.kind === 'positional').length;
  // The words of a program that is to be started are its own.
  if (command?.positionals[0]?.rest === true && (terminated || count > 0)) return [];
  const valued = terminated ? undefined : flagWithoutValue(given.at(-1), flags);
  if (valued !== undefined) return NAMES_TERMINAL.has(valued.field) ? terminalIds(given) : (valued.values ?? []);
  if (partial.startsWith('-') && !terminated) return flags.map(spelling);
  if (command === undefined) return name === undefined ? COMMAND_LINE_NAMES : [];
  const possible = await Promise.all(positionalsAt(command, count).map((positional) => valuesOf(positional, given)));
  return possible.flat();
}

/** The flag whose value comes next. */
function flagWithoutValue(last: Token | undefined, flags: readonly FlagSyntax[]): FlagSyntax | undefined {
  if (last?.kind !== 'option' || last.value !== undefined) return undefined;
  return flags.find((flag) => flag.type !== 'boolean' && spellings(flag).includes(last.name));
}

/** Turning off what is on is what there is to say of a switch. */
function spelling({ flag, type, default: value }: FlagSyntax): string {
  return type === 'boolean' && value === true ? `--no-${flag}` : `--${flag}`;
}

/** Arguments that the one at `index` may be: the id of a terminal may be left out where another argument must come. */
function positionalsAt({ positionals }: CommandSyntax, index: number): readonly PositionalSyntax[] {
  const last = positionals.at(-1);
  const at = positionals[index] ?? (last?.rest === true ? last : undefined);
  if (at === undefined) return [];
  const next = positionals[index + 1];
  return at.field === 'id' && next !== undefined && next.optional !== true ? [at, next] : [at];
}

async function valuesOf(positional: PositionalSyntax, given: readonly Token[]): Promise<readonly string[]> {
  if (NAMES_TERMINAL.has(positional.field)) return terminalIds(given);
  switch (positional.field) {
    case 'keys':
      return KEY_NAMES;
    case 'command_name':
      return COMMAND_LINE_NAMES;
    default:
      return positional.values ?? [];
  }
}

/** Ids in the running daemon, if there is one: pressing Tab starts no daemon, and an error is no candidate. */
async function terminalIds(given: readonly Token[]): Promise<readonly string[]> {
  const flag = given.findLast((token) => token.kind === 'option' && token.name === 'socket');
  const signal = AbortSignal.timeout(MAX_ANSWER_MS);
  try {
    const { socketPath, socket } = await findDaemon(flag?.kind === 'option' ? flag.value : undefined, signal);
    if (socket === 'absent') return [];
    const { terminals } = await new DaemonConnection(socket, socketPath).call('list', {}, { signal });
    return [...terminals.map(({ id }) => id), '@'];
  } catch {
    return [];
  }
}
