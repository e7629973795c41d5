/** Hints name command lines, for people; a model reads them as tools and their fields. */
import { COMMANDS, type CommandName } from '../protocol/registry.js';

/** `t4a NAME WORD…`, perhaps in quotes. Words end with what ends a sentence. */
const COMMAND_LINE = /"?\bt4a ([a-z]+)((?: (?:--)?[\w@+…-]+)*)"?/g;

/** `--done` and the like are conditions; `--help` says nothing beyond the tool's schema. */
const CONDITIONS: Readonly<Record<string, object>> = {
  '--done': { done: true },
  '--exit': { exit: true },
  '--input': { awaiting_input: true },
  '--input-kind': { awaiting_input: 'password' },
};

/** Conditions with the value after the flag. */
const VALUED: Readonly<Record<string, string>> = { '--control': 'control' };

/** @returns undefined where nothing is left to say */
export function toolHint(hint: string): string | undefined {
  if (/^"?t4a \w+ --help"?$/.test(hint)) return undefined;
  return hint.replaceAll(COMMAND_LINE, (line, name: string, words: string) => toolCall(name, words.trim()) ?? line);
}

/** Undefined for what is no tool. */
function toolCall(name: string, words: string): string | undefined {
  if (!Object.hasOwn(COMMANDS, name)) return undefined;
  const { traits, cli } = COMMANDS[name as CommandName];
  const tokens = words === '' ? [] : words.split(' ');
  // The words after these are sentence, or a program's.
  if (traits.reach === 'admin' || traits.tool === false || tokens.includes('--')) return undefined;
  const fields: Record<string, unknown> = {};
  const places = cli.positionals ?? [];
  let at = 0;
  for (const [i, token] of tokens.entries()) {
    const before = tokens[i - 1] ?? '';
    const valued = VALUED[before];
    const condition = valued === undefined ? CONDITIONS[token] : { [valued]: token };
    // The name of the author is that of the connection.
    if (before === '--as') continue;
    if (condition !== undefined) fields['until'] = condition;
    else if (!token.startsWith('--') && token !== 'password') place(fields, places[at++], token);
  }
  return Object.keys(fields).length === 0 ? `the tool ${name}` : `the tool ${name} with ${JSON.stringify(fields)}`;
}

/** @param hint of a positional, such as `id?` or `keys...` */
function place(fields: Record<string, unknown>, hint: string | undefined, token: string): void {
  if (hint === undefined) return;
  const field = hint.replace(/\??$/, '').replace(/\.\.\.$/, '');
  fields[field] = hint.includes('...') && field !== 'id' ? [token] : token;
}
