/**
 * Descriptions are those of the protocol, which has more commands and fields than a model may have. What they say of others
 * is left out: their names in an enumeration, else the brackets, the clause or the sentence around them.
 */
import { z } from 'zod';
import { COMMANDS, type CommandName } from '../protocol/registry.js';

/** @param sentence in which the name stands */
export type IsOffered = (name: string, sentence: string) => boolean;

/** Tools that the model has, each with its fields; undefined: all. */
export type Offered = ReadonlyMap<CommandName, ReadonlySet<string> | undefined>;

/** Fields of requests and turns that the schema of a command may lack. */
const OF_REQUESTS = new Set(['as', 'scope', 'req', 'host', 'wait', 'observe']);

/** Forms of a moment, not fields. */
const MOMENTS = new Set(['start', 'end', 'input']);

const NAME = /`([a-z_0-9]+)`/g;

const LIST = /`[^`]+`(?:, `[^`]+`)*(?:,? (?:and|or) `[^`]+`)?/g;

/**
 * @param own schema of the tool's input
 * @param whole schema of the request
 */
export function offeredNames(command: CommandName, own: object, whole: object, tools: Offered): IsOffered {
  const has = namesIn(own);
  const withheld = namesIn(whole);
  let ofReply: ReadonlySet<string> | undefined;
  return (name, sentence) => {
    if (has.has(name) || tools.has(name as CommandName) || MOMENTS.has(name)) return true;
    const owner = new RegExp(`\`${name}\` of \`([a-z]+)\``).exec(sentence)?.[1];
    if (owner !== undefined && Object.hasOwn(COMMANDS, owner)) {
      const of = owner as CommandName;
      return tools.has(of) && (tools.get(of)?.has(name) !== false || replyNames(of).has(name));
    }
    if (withheld.has(name) || OF_REQUESTS.has(name)) return false;
    if (!Object.hasOwn(COMMANDS, name)) return true;
    ofReply ??= replyNames(command);
    return ofReply.has(name);
  };
}

function replyNames(command: CommandName): ReadonlySet<string> {
  return namesIn(z.toJSONSchema(COMMANDS[command].reply));
}

/** Fields of any depth, and values. */
function namesIn(schema: object): Set<string> {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { properties = {}, enum: values = [] } = value as { properties?: object; enum?: readonly unknown[] };
    for (const name of [...Object.keys(properties), ...values]) names.add(String(name));
    for (const inner of Object.values(value)) collect(inner);
  };
  collect(schema);
  return names;
}

/** @returns empty if nothing is left */
export function offeredWords(text: string, isOffered: IsOffered): string {
  if (!text.includes('`')) return text;
  return text
    .split(/(?<=\.) (?=[A-Z`"])/)
    .map((sentence) => offeredSentence(sentence, isOffered))
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function offeredSentence(sentence: string, isOffered: IsOffered): string {
  const isAllOffered = (part: string): boolean =>
    [...part.matchAll(NAME)].every(([, name = '']) => isOffered(name, sentence));
  if (isAllOffered(sentence)) return sentence;
  const clauses = sentence
    .replace(/\.$/, '')
    .replaceAll(LIST, (list) => offeredList(list, isAllOffered))
    .replaceAll(/ \([^()]*\)/g, (brackets) => (isAllOffered(brackets) ? brackets : ''))
    .split('; ')
    .filter(isAllOffered);
  const [first, ...others] = clauses;
  if (first === undefined) return '';
  return `${[first.slice(0, 1).toUpperCase() + first.slice(1), ...others].join('; ')}.`;
}

/** List of what is offered; the whole if no item is left. */
function offeredList(list: string, isAllOffered: (part: string) => boolean): string {
  const items = list.match(/`[^`]+`/g) ?? [];
  const left = items.filter(isAllOffered);
  if (left.length === 0 || left.length === items.length) return list;
  const word = / (and|or) /.exec(list)?.[1];
  const last = left.at(-1) ?? '';
  return word === undefined || left.length === 1 ? left.join(', ') : `${left.slice(0, -1).join(', ')} ${word} ${last}`;
}
