/**
 * Request lines of every command, made from its schema: most are right and do what they say, the others are such lines with
 * one thing made wrong: a value, a field, the command's name, or some bytes. What a request runs comes from a list of
 * harmless programs, and the lines that run something never have their bytes changed.
 */
import { protocolSchema } from '../../src/protocol/json-schema.js';
import type { Random } from '../support/random.js';
import { FIELDS, ONE_OF } from './request-values.js';

export interface RequestLine {
  readonly command: string;
  /** Without its newline, never blank, and never one that is not answered exactly once. */
  readonly bytes: Buffer;
  /** Nothing was made wrong: it is refused only for what the terminal happens to be. */
  readonly intact: boolean;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema | boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

type Fields = Record<string, unknown>;

const REQUESTS = requestSchemas();

/** `shutdown` ends the daemon; accepted, `events` and `replace` end the conversation: all three have tests of their own. */
export const COMMANDS = Object.keys(REQUESTS).filter((name) => !['shutdown', 'events', 'replace'].includes(name));

/** Never mutated bytewise: a letter more or less could name another program. */
const RUNS_PROGRAMS: readonly string[] = ['create', 'run'];

/** These start or end processes, or answer half a megabyte: once for so many times of the others, or nothing else would be tried. */
const COSTLY: readonly string[] = ['create', 'run', 'kill', 'schema'];
const CHEAP_FOR_ONE_COSTLY = 5;
const DRAWN = COMMANDS.flatMap((name) => Array<string>(COSTLY.includes(name) ? 1 : CHEAP_FOR_ONE_COSTLY).fill(name));

const WRONG_SHARE = 0.35;
const OPTIONAL_SHARE = 0.2;
const MAX_DEPTH = 8;

const STRANGE_NAMES = ['constructor', 'toString', 'cmd', 'id', 'toJSON', '', 'host', 'no_such_field'];
const STRANGE_NUMBERS = [0, -1, 0.5, 1e9, -1e9, 2 ** 31, 2 ** 53, 1e308];
const ABSENT = ['nobody', 'fuzz-2', '@nowhere', 'x'.repeat(64), '中文'];
const STRANGE_STRINGS = ['', '\ud800', 'nobody', '/no/such', 'relative', '(', 'x'.repeat(2000), 'SIGNOPE'];

export function requestLine(random: Random, req?: number): RequestLine {
  const command = random.pick(DRAWN);
  const fields = rightFields(command, random);
  if (req !== undefined) fields['req'] = req;
  if (!random.chance(WRONG_SHARE)) return { command, bytes: Buffer.from(JSON.stringify(fields)), intact: true };
  const bytes = random.pick([wrongValue, wrongName, wrongCommand, wrongTerminal, wrongBytes, wrongBytes])(
    fields,
    command,
    random,
  );
  return { command, bytes, intact: false };
}

function rightFields(command: string, random: Random): Fields {
  const fields = object(REQUESTS[command] ?? {}, command, random, 0);
  delete fields['req'];
  // A daemon by itself knows no host.
  delete fields['host'];
  const groups = ONE_OF[command] ?? [];
  if (groups.length > 0) {
    for (const name of groups.flat()) delete fields[name];
    for (const name of random.pick(groups)) fields[name] = valueOf(name, REQUESTS[command], command, random, 1);
  }
  if (command === 'run') {
    fields['timeout_ms'] = 5;
    // Its reply comes once another has read all of the output; nobody does.
    delete fields['stream'];
  }
  // Without a name there would be a terminal more each time.
  if (command === 'create') Object.assign(fields, { name: random.pick(['other', 'third']), reuse: true });
  return fields;
}

function wrongValue(fields: Fields, command: string, random: Random): Buffer {
  const names = Object.keys(fields).filter((name) => !['cmd', 'req', 'timeout_ms', 'cmd_args'].includes(name));
  const name = names.length === 0 ? 'id' : random.pick(names);
  const inner = fields[name];
  // A field of an inner object is as good a place as the field itself.
  if (isFields(inner) && Object.keys(inner).length > 0 && random.chance(0.7)) {
    return encoded({ ...fields, [name]: { ...inner, [random.pick(Object.keys(inner))]: strange(random) } });
  }
  return encoded({ ...fields, [name]: strange(random) });
}

function wrongName(fields: Fields, command: string, random: Random): Buffer {
  const name = random.pick(STRANGE_NAMES);
  return encoded({ [name]: strange(random), ...fields });
}

/** A terminal that is not there, or has gone. */
function wrongTerminal(fields: Fields, command: string, random: Random): Buffer {
  return 'id' in fields ? encoded({ ...fields, id: random.pick(ABSENT) }) : wrongValue(fields, command, random);
}

function wrongCommand(fields: Fields, command: string, random: Random): Buffer {
  return encoded({ ...fields, cmd: random.pick([command.slice(1), `${command}s`, '', null, 3, 'constructor']) });
}

/** Bytes changed, lost, doubled; a newline would make two lines of one, and nothing but blanks is no request. */
function wrongBytes(all: Fields, command: string, random: Random): Buffer {
  const { req: _unnumbered, ...fields } = all;
  if (RUNS_PROGRAMS.includes(command)) return wrongName(fields, command, random);
  let bytes = encoded(fields);
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(bytes.length);
    const kind = random.below(4);
    if (kind === 0) bytes[at] = random.below(256);
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    else if (kind === 2)
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at >> 1, at), bytes.subarray(at)]);
    else bytes = bytes.subarray(0, at);
  }
  bytes = Buffer.from(bytes.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte)));
  const isBare = bytes.toString().trim() === '' || /shutdown|"events"|"run"|"create"/.test(bytes.toString());
  return isBare ? Buffer.from('{') : bytes;
}

function encoded(fields: Fields): Buffer {
  return Buffer.from(JSON.stringify(fields));
}

function object(schema: Schema, owner: string, random: Random, depth: number): Fields {
  const properties = Object.keys(schema.properties ?? {});
  // Of a condition exactly one kind.
  if (properties.includes('settled_ms') && properties.includes('gone')) {
    const kind = random.pick(properties);
    return { [kind]: valueOf(kind, schema, owner, random, depth + 1) };
  }
  const fields: Fields = {};
  for (const name of properties) {
    const isWanted = schema.required?.includes(name) === true || name === 'timeout_ms';
    if (isWanted || random.chance(OPTIONAL_SHARE)) fields[name] = valueOf(name, schema, owner, random, depth + 1);
  }
  return fields;
}

function valueOf(name: string, schema: Schema | undefined, owner: string, random: Random, depth: number): unknown {
  const make = (depth === 1 ? FIELDS[`${owner}.${name}`] : undefined) ?? FIELDS[name];
  // Inside of `observe` a picture has other fields of these names than the command itself.
  const isPicture = schema?.properties?.['minimum_contrast'] !== undefined;
  if (isPicture && name === 'region') return FIELDS['picture.region']?.(random);
  return make?.(random) ?? value(schema?.properties?.[name] ?? {}, owner, random, depth);
}

function value(schema: Schema, owner: string, random: Random, depth: number): unknown {
  if (depth > MAX_DEPTH) return null;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return value(random.pick(branches), owner, random, depth + 1);
  if (schema.properties !== undefined) return object(schema, owner, random, depth);
  switch (schema.type) {
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return Math.min((schema.minimum ?? 0) + random.below(50), schema.maximum ?? Infinity);
    case 'string':
      return 'a';
    case 'array':
      return Array.from({ length: 1 + random.below(3) }, () =>
        value(typeof schema.items === 'object' ? schema.items : {}, owner, random, depth + 1),
      );
    default:
      return strange(random);
  }
}

function strange(random: Random): unknown {
  return random.pick([
    null,
    true,
    [],
    {},
    [[]],
    { a: { b: [] } },
    random.pick(STRANGE_NUMBERS),
    random.pick(STRANGE_STRINGS),
  ]);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function requestSchemas(): Record<string, Schema> {
  const { commands } = protocolSchema() as { commands: Record<string, { request: Schema }> };
  return Object.fromEntries(Object.entries(commands).map(([name, { request }]) => [name, request]));
}
