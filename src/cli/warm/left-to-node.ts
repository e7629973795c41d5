/** What the host leaves to a process of Node: whatever wants the terminal or the process for itself, and what computes for long. */
import type { CommandSyntax } from '../argv/syntax.js';
import { parseCommandLine, splitAt } from '../argv/parse.js';

/** The native client runs Node in its own process. Nothing was done, printed or read until then. */
export class LeftToNode extends Error {}

/** Of the commands that the command line answers itself, those that are an answer. */
const OWN_ANSWERS: ReadonlySet<string> = new Set(['help', 'version', 'usage', 'completions', 'complete']);

/** Pictures of many screens. */
const LONG: ReadonlySet<string> = new Set(['film']);

/** What Node itself reads when it starts; the others of that name are for programs, and no part of this one. */
const OF_NODE = /^(?:NODE_(?!ENV$|PATH$)|TZ$|LC_ALL$|LC_TIME$|LANG$)/;

export interface Where {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string | undefined;
  readonly stdoutIsTerminal: boolean;
  /** Files have other names for the host. */
  readonly isElsewhere: boolean;
}

/** @param own environment of the host */
export function isLeftToNode(argv: readonly string[], where: Where, own: Where['env']): boolean {
  if (splitAt('tmux', argv) !== undefined) return true;
  // Node knows whether it is the caller's, or stands for bytes that are no UTF-8.
  if ([where.cwd, ...argv].some((name) => name?.includes('\uFFFD') === true)) return true;
  // Elsewhere is no Node that would read it.
  if (!where.isElsewhere && differsForNode(where.env, own)) return true;
  let command: CommandSyntax | undefined;
  let options: Readonly<Record<string, unknown>> = {};
  try {
    ({ command, options = {} } = parseCommandLine(argv) ?? {});
  } catch {
    // An error of usage, which the command line itself explains.
    return false;
  }
  if (command === undefined || options['help'] === true) return false;
  const { name } = command;
  if (command.local === true || name === 'shutdown') return !OWN_ANSWERS.has(name);
  // A terminal is asked whether it shows pictures.
  if (name === 'screenshot' && where.stdoutIsTerminal) return true;
  // The FIFO of --stdin lies in a folder of the caller.
  return LONG.has(name) || (name === 'run' && options['stdin'] === true && where.isElsewhere);
}

function differsForNode(env: Where['env'], own: Where['env']): boolean {
  const names = new Set([...Object.keys(env), ...Object.keys(own)].filter((name) => OF_NODE.test(name)));
  return [...names].some((name) => env[name] !== own[name]);
}
