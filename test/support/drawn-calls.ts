/**
 * Random calls: of every command, with every field that any command knows, at its own type and at others, in names of others, and
 * with fields of the request around a tool's input.
 */
import { z } from 'zod';
import { COMMANDS, type CommandName } from '../../src/protocol/registry.js';
import { pick, type Random, STARTING } from './rights.js';
import { samples } from './schema-samples.js';

export type Fields = Record<string, unknown>;

export interface Call {
  readonly name: string;
  readonly input: unknown;
}

/** What the calls are about. */
export interface Target {
  readonly id: string;
  /** A terminal that the caller may not even see. */
  readonly hidden?: string | undefined;
  /** Number of an open question of another. */
  readonly ask: number;
  /** Names in which calls are made. */
  readonly names: readonly string[];
}

/** Fields of the request around a tool's input, and those of persons. */
const ENVELOPE: Fields = {
  cmd: 'create',
  req: 5,
  as: 'ada',
  scope: 'other',
  host: 'local',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  via: ['x'],
  person: true,
  force: true,
  // In other cases.
  CMD: 'create',
  Person: true,
};
const OTHER_COMMANDS = ['create', 'run', 'kill', 'type', 'shutdown', 'events', 'config', 'answer', 'restart'];

const NAMES = (Object.keys(COMMANDS) as CommandName[]).filter((name) => COMMANDS[name].kind !== 'stream');

/** Values of each field, at its own type. */
const FIELDS: ReadonlyMap<string, readonly unknown[]> = new Map(
  NAMES.flatMap((name) => {
    const { properties = {} } = z.toJSONSchema(COMMANDS[name].params, { io: 'input', unrepresentable: 'any' });
    return Object.entries(properties).map(
      ([field, schema]) => [field, samples(schema as z.core.JSONSchema.JSONSchema)] as const,
    );
  }),
);
const OTHER_TYPES = [true, 1, -1, 2 ** 53, 'x', '', null, [], {}, ['x']];

/** Those that make a call one that does something. */
const FREQUENT: readonly string[] = [
  'ask',
  'id',
  'text',
  'keys',
  'cmd_args',
  'command',
  'pattern',
  'until',
  'input',
  'question',
];

export class DrawnCalls {
  readonly #random: Random;
  readonly #target: Target;
  #foreign: number;

  constructor(random: Random, target: Target) {
    this.#random = random;
    this.#target = target;
    this.#foreign = Math.floor(random() * FIELDS.size);
  }

  /** @param file that programs of the call make */
  next(file: string): Call {
    const random = this.#random;
    const name = random() < 0.6 ? pick(random, STARTING) : pick(random, NAMES);
    const { shape } = COMMANDS[name as CommandName].params;
    const own = Object.keys(shape).filter((field) => FREQUENT.includes(field) || random() < 0.02);
    const fields = [
      ...own,
      ...('resume' in shape && random() < 0.15 ? ['resume'] : []),
      // Each in turn, so that all come.
      ...(random() < 0.3 ? [[...FIELDS.keys()][this.#foreign++ % FIELDS.size] ?? ''] : []),
      ...(random() < 0.4 ? [pick(random, Object.keys(ENVELOPE))] : []),
      ...('timeout_ms' in shape ? ['timeout_ms'] : []),
    ];
    const values = this.#values(name, file);
    const input = Object.fromEntries(fields.map((field) => [field, this.#value(field, values)]));
    if (name === 'create' || name === 'run') delete input[random() < 0.5 ? 'command' : 'cmd_args'];
    if (random() < 0.05) delete input['id'];
    if (random() < 0.05)
      return { name, input: pick(random, [null, [], 'x', JSON.parse(`{"__proto__":${JSON.stringify(input)}}`)]) };
    const named = [`t4a_${name}`, name.toUpperCase(), ` ${name}`, `\uFEFF${name}`];
    return { name: random() < 0.1 ? pick(random, named) : name, input };
  }

  #value(field: string, values: Fields): unknown {
    const random = this.#random;
    if (Object.hasOwn(values, field) && random() < 0.9) return values[field];
    const samplesOf = FIELDS.get(field) ?? [];
    return samplesOf.length > 0 && random() < 0.6 ? pick(random, samplesOf) : pick(random, OTHER_TYPES);
  }

  #values(name: string, file: string): Fields {
    const random = this.#random;
    const { id: own, hidden = own, ask, names } = this.#target;
    const id = pick(random, [own, own, own, own, own, own, '@', hidden]);
    return {
      ...ENVELOPE,
      id,
      terminal: id,
      ask,
      withdraw: ask,
      resume: name === 'run' ? { id, elapsed_ms: pick(random, [0, 20, 86_400_000]) } : ask,
      // A replacement that is carried out makes the file.
      exec: '/usr/bin/touch',
      entry: file,
      within_ms: 100,
      text: 'x',
      input: 'x',
      keys: ['a'],
      cmd_args: ['touch', file],
      command: `touch ${file}`,
      all: true,
      where: { id: [id] },
      until: { exit: true },
      pattern: 'x',
      name: `n${Math.floor(random() * 1e9)}`,
      signal: 'TERM',
      question: 'q',
      path: file,
      write: file,
      save: file,
      data: 'x',
      kind: 'text',
      submit: true,
      wait: { until: { exit: true }, timeout_ms: 1 },
      observe: { text: true },
      timeout_ms: 20,
      wait_ms: 20,
      grace_ms: 10,
      as: pick(random, names),
      cmd: pick(random, OTHER_COMMANDS),
    };
  }
}
