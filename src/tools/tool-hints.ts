/**
 * Hints name command lines, for people; a model reads them as tools and their fields. What none of its tools can do is left
 * out, or is the person's.
 */
import { COMMANDS, type CommandName } from '../protocol/registry.js';
import { catalog, type CatalogEntry, type ToolOffer } from './catalog.js';
import { inputSchema } from './json-schema.js';

/** The tools of the model that reads the hint. */
export interface HintReader extends ToolOffer {
  /** Tool that failed. */
  readonly tool?: string | undefined;
  /** Another host, which the call was for. */
  readonly host?: string | undefined;
  /** Terminal, which the call named. */
  readonly id?: unknown;
}

/** `t4a NAME WORD…`, perhaps in quotes. Words end with what ends a sentence. */
const COMMAND_LINE = /"?\bt4a ([a-z]+)((?: (?:--)?[\w@+…-]+)*)"?/g;

/** Perhaps with its value, as in `"reuse": true`. */
const FIELD = /"([a-z_0-9]+)"/g;

/** Words of `for`, which tools have in place of these flags. */
const CONDITIONS: Readonly<Record<string, string>> = {
  '--done': 'done',
  '--exit': 'exit',
  '--input': 'input',
  '--input-kind': 'input',
};

/** Conditions with the value after the flag. */
const VALUED: Readonly<Record<string, string>> = { '--control': 'control' };

/** Tools that name no terminal which exists: their calls name another host by a field of its own. */
export const TAKE_HOST: ReadonlySet<string> = new Set<CommandName>(['create', 'run', 'list']);

/** These quote what the caller wrote, or may write. */
const OF_VALUES = /^(?:Did you mean|One of)\b/;

/** @returns undefined where nothing is left to say */
export function toolHint(hint: string, reader: HintReader = {}): string | undefined {
  const tools = new Tools(reader);
  const fields = /^It has: (.*)\.$/.exec(hint)?.[1]?.split(', ');
  if (fields !== undefined) return tools.fieldsOf(reader.tool, fields);
  if (OF_VALUES.test(hint)) return hint;
  // The parts that the model can follow: sentences, and alternatives within them.
  const sentences = hint.split(/(?<=\.) /).map((sentence) => {
    if (sentence.startsWith('On the command line:')) return undefined;
    const ways = sentence.replace(/\.$/, '').split(/(?:,|;) or (?:else )?/);
    const left = ways.map((way) => tools.wayOf(way)).filter((way) => way !== undefined);
    if (left.length === 0) return undefined;
    const text = left.join(', or ');
    return sentence.endsWith('.') ? `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.` : text;
  });
  const said = sentences.filter((sentence) => sentence !== undefined).join(' ');
  return said === '' ? undefined : said;
}

class Tools {
  readonly #tools: ReadonlyMap<string, CatalogEntry>;
  readonly #host: string | undefined;
  readonly #failed: string | undefined;
  /** Id of the call, as its host names it. */
  readonly #id: string | undefined;

  constructor({ tool, host, id, ...offer }: HintReader) {
    this.#tools = new Map(catalog(offer).map((entry) => [entry.name, entry]));
    this.#host = host;
    this.#failed = tool;
    this.#id = typeof id === 'string' ? id.slice(id.lastIndexOf('/') + 1) : undefined;
  }

  /** Fields that its schema has; of an unknown tool all. */
  fieldsOf(tool: string | undefined, fields: readonly string[]): string | undefined {
    const own = this.#properties(tool);
    const known = own === undefined ? fields : fields.filter((field) => own.has(field));
    return known.length === 0 ? undefined : `It has: ${known.join(', ')}.`;
  }

  /** @returns undefined if the model has no tool or field for it */
  wayOf(way: string): string | undefined {
    if (/^"?t4a \w+ --help"?$/.test(way)) return undefined;
    const setting = /raise "([a-z_]+)" with "config"/.exec(way)?.[1];
    if (setting !== undefined) return `ask the person to raise "${setting}"`;
    if (!this.#hasFields(way)) return undefined;
    let isPossible = true;
    let isForPerson = false;
    const text = way.replaceAll(COMMAND_LINE, (line, name: string, words: string) => {
      // The others are the command line's own.
      if (!Object.hasOwn(COMMANDS, name) || COMMANDS[name as CommandName].traits.reach === 'admin') {
        isForPerson = true;
        return line;
      }
      const call = this.#call(name as CommandName, words.trim());
      isPossible &&= call !== undefined;
      return call ?? line;
    });
    if (!isPossible) return undefined;
    return isForPerson ? `For the person: ${text}` : text;
  }

  /** Whether the tool that failed has the fields of its command that are named. */
  #hasFields(way: string): boolean {
    const own = this.#properties(this.#failed);
    if (own === undefined) return true;
    const { shape } = COMMANDS[this.#failed as CommandName].params;
    return [...way.matchAll(FIELD)].every(([, field = '']) => own.has(field) || !Object.hasOwn(shape, field));
  }

  #properties(tool: string | undefined): ReadonlySet<string> | undefined {
    const entry = tool === undefined ? undefined : this.#tools.get(tool);
    return entry === undefined ? undefined : new Set(Object.keys(inputSchema(entry).properties));
  }

  #call(name: CommandName, words: string): string | undefined {
    const has = this.#properties(name);
    const tokens = words === '' ? [] : words.split(' ');
    // The words after these are sentence, or a program's.
    if (has === undefined || tokens.includes('--')) return undefined;
    const { shape } = COMMANDS[name].params as { readonly shape: Readonly<Record<string, unknown>> };
    const fields: Record<string, unknown> = {};
    const places = COMMANDS[name].cli.positionals ?? [];
    const rest: string[] = [];
    let at = 0;
    for (const [i, token] of tokens.entries()) {
      const before = tokens[i - 1] ?? '';
      const valued = VALUED[before];
      const condition = CONDITIONS[token];
      const field = token.startsWith('--') ? token.slice(2).replaceAll('-', '_') : '';
      // The name of the author is that of the connection.
      if (before === '--as' || token === '--as' || Object.hasOwn(VALUED, token) || before === '--input-kind') continue;
      if (condition !== undefined) fields['for'] = condition;
      else if (valued !== undefined) fields['until'] = { [valued]: token };
      else if (field !== '' && Object.hasOwn(shape, field)) fields[field] = true;
      else if (field !== '') return undefined;
      else if (at < places.length) place(fields, places[at++] ?? '', token);
      else rest.push(token);
    }
    if (!Object.keys(fields).every((field) => has.has(field))) return undefined;
    const host = this.#host;
    if (fields['id'] === '@' && this.#id !== undefined) fields['id'] = this.#id;
    if (host !== undefined && typeof fields['id'] === 'string') fields['id'] = `${host}/${fields['id']}`;
    if (host !== undefined && TAKE_HOST.has(name)) fields['host'] = host;
    const call =
      Object.keys(fields).length === 0 ? `the tool ${name}` : `the tool ${name} with ${JSON.stringify(fields)}`;
    return [call, ...rest].join(' ');
  }
}

/** @param hint of a positional, such as `id?` or `keys...` */
function place(fields: Record<string, unknown>, hint: string, token: string): void {
  const field = hint.replace(/\??$/, '').replace(/\.\.\.$/, '');
  fields[field] = hint.includes('...') && field !== 'id' ? [token] : token;
}
