/** Table of what the command line knows of each command: read from the generated one when it is asked for. */
import { COMMANDS_AS_JSON } from './commands.generated.js';
import type { CommandSyntax } from './syntax.js';

export const COMMAND_LINE_NAMES: readonly string[] = Object.keys(COMMANDS_AS_JSON);

const parsed = new Map<string, CommandSyntax>();

export function commandSyntax(name: string): CommandSyntax | undefined {
  const known = parsed.get(name) ?? parse(name);
  if (known !== undefined) parsed.set(name, known);
  return known;
}

function parse(name: string): CommandSyntax | undefined {
  const json = Object.hasOwn(COMMANDS_AS_JSON, name) ? COMMANDS_AS_JSON[name]?.() : undefined;
  // Made from this very type.
  return json === undefined ? undefined : (JSON.parse(json) as CommandSyntax);
}

export function commandTable(): readonly CommandSyntax[] {
  return COMMAND_LINE_NAMES.map(commandSyntax).filter((command) => command !== undefined);
}
