/**
 * Request lines of every command, made from its schema: mostly right, often wrong in one place, sometimes mutated byte by
 * byte. What a request runs comes from a list of harmless programs, and such requests are never mutated.
 */
import { protocolSchema } from '../../src/protocol/json-schema.js';
import type { Random } from '../support/random.js';

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

const REQUESTS = requestSchemas();

/** `shutdown` ends the daemon, and an accepted `events` ends the conversation: both have tests of their own. */
const COMMANDS = Object.keys(REQUESTS).filter((name) => !['shutdown', 'events'].includes(name));

/** Never mutated: a letter more or less could name another program. */
const RUNS_PROGRAMS: readonly string[] = ['create', 'run'];

const PROGRAMS = [['true'], ['cat'], ['false'], ['sleep', '0.01'], ['printf', '\\033[31mred'], ['no-such-program'], []];
const SHELL_COMMANDS = ['true', 'exit 3', 'echo hi', ':', 'printf "\\007"'];
const TERMINALS = ['fuzz', 'fuzz', 'fuzz', 't1', '@', '', 'nobody', 'x'.repeat(100)];
const STRINGS = [
  '',
  'a',
  '\u0000',
  '\n',
  '\u001b[A',
  'Enter',
  'C-c',
  '\ud800',
  '😀',
  'é',
  '%s',
  '../..',
  '0',
  'x'.repeat(300),
];
const KEYS = ['__proto__', 'constructor', 'toString', 'cmd', 'id', 'toJSON', ''];
const NUMBERS = [0, 1, -1, 2, 80, 1000, 0.5, 1e9, -1e9, 2 ** 31, 2 ** 53, 1e308];

/** Fields whose value is from a list, wherever they stand. */
const FIELDS: Readonly<Record<string, (random: Random) => unknown>> = {
  id: (random) => random.pick(TERMINALS),
  terminal: (random) => random.pick(TERMINALS),
  name: (random) => random.pick(['fuzz', 'other', 'third', 'a b']),
  cmd_args: (random) => random.pick(PROGRAMS),
  command: (random) => random.pick(SHELL_COMMANDS),
  cwd: (random) => random.pick(['/', '/tmp', '/no/such', 'relative']),
  env: (random) => random.pick([{}, { A: 'b' }, { A: '' }, { __proto__: 'x' }]),
  timeout_ms: (random) => random.pick([1, 2, 5]),
  max_terminals: () => 20,
  max_memory_bytes: () => 0,
  scrollback: (random) => random.pick([0, 10, 1000]),
  max_connections: () => 1000,
  max_line_bytes: () => 1024 * 1024,
  idle_timeout_ms: (random) => random.pick([1, 100, 2000]),
  signal: (random) => random.pick(['SIGINT', 'hup', 2, 'SIGNOPE', 0]),
};

/** A line without its newline, never blank, and never one that is not answered exactly once. */
export function requestLine(random: Random): Buffer {
  const name = random.pick(COMMANDS);
  const fields = object(REQUESTS[name] ?? {}, random, 0);
  fields['cmd'] = name;
  delete fields['req'];
  if (name === 'run') fields['timeout_ms'] = 5;
  const isSafe = !RUNS_PROGRAMS.includes(name);
  if (random.chance(0.2)) fields[random.pick([...KEYS.slice(1), 'no_such_field'])] = random.pick(STRINGS);
  if (isSafe && random.chance(0.2))
    fields['cmd'] = random.pick([name.slice(1), `${name}s`, '', null, 3, 'constructor']);
  const line = Buffer.from(JSON.stringify(fields));
  return isSafe && random.chance(0.4) ? mutated(line, random) : line;
}

/** Bytes changed, lost, doubled; a newline would make two lines of one, and nothing but blanks is no request. */
function mutated(line: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(line);
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

function object(schema: Schema, random: Random, depth: number): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isWanted = schema.required?.includes(name) === true || name === 'timeout_ms';
    if (!isWanted && !random.chance(0.3)) continue;
    const fixed = FIELDS[name];
    const isWrong = fixed === undefined && random.chance(0.06);
    fields[name] = isWrong ? wrong(random) : (fixed?.(random) ?? value(field, random, depth + 1));
  }
  return fields;
}

function value(schema: Schema, random: Random, depth: number): unknown {
  if (depth > 6) return null;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return value(random.pick(branches), random, depth + 1);
  if (schema.properties !== undefined) return object(schema, random, depth);
  switch (schema.type) {
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return random.chance(0.3) ? random.pick(NUMBERS) : (schema.minimum ?? 0) + random.below(50);
    case 'string':
      return random.pick(STRINGS);
    case 'array':
      return Array.from({ length: random.below(4) }, () =>
        typeof schema.items === 'object' ? value(schema.items, random, depth + 1) : random.pick(STRINGS),
      );
    default:
      return wrong(random);
  }
}

function wrong(random: Random): unknown {
  return random.pick([null, true, '', 'wrong', -1, 1.5, [], {}, [[]], { a: { b: [] } }, 'x'.repeat(2000)]);
}

function requestSchemas(): Record<string, Schema> {
  const { commands } = protocolSchema() as { commands: Record<string, { request: Schema }> };
  return Object.fromEntries(Object.entries(commands).map(([name, { request }]) => [name, request]));
}
