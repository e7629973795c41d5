/** Command lines that t4a proposes, for the host that the caller has asked. */
import { parseAddress, LOCAL } from '../fleet/address.js';
import { commandSyntax } from './argv/command-table.js';
import type { Fields } from './argv/invocation.js';

const COMMAND_LINE = /\bt4a ([a-z]+)((?: [^\s,;.]+)?)/g;

/** A name of hosts.json, and no route. */
const HOST_NAME = /^[^/:]+$/;

/** @param options of the invocation; `on` is the host */
export function asked(text: string, { on }: Fields): string {
  if (typeof on !== 'string') return text;
  return text.replaceAll(COMMAND_LINE, (line, name: string, word: string) => {
    const command = commandSyntax(name);
    // The list of hosts is this machine's.
    if (command === undefined || name === 'hosts') return line;
    const takesId = command.positionals[0]?.field === 'id' && /^ [\w@]/.test(word);
    if (takesId && HOST_NAME.test(on)) return `t4a ${name} ${on}/${word.slice(1)}`;
    return `t4a --on ${shellWord(on)} ${name}${word}`;
  });
}

/** The options with the host that an address among the fields names. */
export function withHostOf(params: Fields, options: Fields): Fields {
  if (options['on'] !== undefined) return options;
  const [id] = [params['id'] ?? params['terminal'] ?? options['id']].flat();
  const host = typeof id === 'string' ? parseAddress(id).host : undefined;
  return host === undefined || host === LOCAL ? options : { ...options, on: host };
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
