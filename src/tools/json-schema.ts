/** The schema of a tool's input, out of the schema of its command's request. */
import { z } from 'zod';
import { COMMANDS } from '../protocol/registry.js';
import { OWN_TURN_SCHEMAS, SMALL_SCHEMAS, TURN_SCHEMAS } from './model-turn.js';
import { type IsOffered, offeredNames, offeredWords } from './offered-words.js';
import { smallWords } from './small-words.js';
import type { CatalogEntry } from './catalog.js';

export type JsonSchema = { readonly [key: string]: unknown };

export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  /** Absent in small schemas, where it is the case, too. */
  readonly additionalProperties?: false;
}

/** @returns also what its descriptions may name */
export function inputOf({ name, fields, withheldFields, offered }: CatalogEntry): {
  schema: ObjectSchema;
  isOffered: IsOffered;
} {
  const whole = withoutNoise(z.toJSONSchema(COMMANDS[name].params, { io: 'input' })) as ObjectSchema;
  const properties =
    fields === undefined
      ? { ...wholeProperties(whole, withheldFields), ...OWN_TURN_SCHEMAS[name] }
      : smallProperties(name, whole, fields);
  const { tool } = COMMANDS[name].traits;
  const own = fields === undefined || typeof tool !== 'object' ? [] : (tool.required ?? []);
  const all = new Set<string>([...(whole.required ?? []), ...own]);
  // `for` of a wait may stand in its place.
  if ('for' in properties) all.delete('until');
  const required = Object.keys(properties).filter((field) => all.has(field));
  const isOffered = offeredNames(name, { properties }, whole, offered);
  const schema: ObjectSchema = {
    type: 'object',
    properties: described(properties, isOffered) as typeof properties,
    ...(required.length === 0 ? {} : { required }),
    ...(fields === undefined ? { additionalProperties: false as const } : {}),
  };
  return { schema, isOffered };
}

export function inputSchema(entry: CatalogEntry): ObjectSchema {
  return inputOf(entry).schema;
}

/** Schema without what descriptions say of what is not offered. */
function described(schema: unknown, isOffered: IsOffered): unknown {
  if (Array.isArray(schema)) return schema.map((each) => described(each, isOffered));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (key !== 'description' || typeof value !== 'string') return [[key, described(value, isOffered)]];
      const words = offeredWords(value, isOffered);
      return words === '' ? [] : [[key, words]];
    }),
  );
}

function wholeProperties({ properties }: ObjectSchema, withheld: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).filter(([field]) => !withheld.includes(field)));
}

function smallProperties(name: string, whole: ObjectSchema, fields: readonly string[]): Record<string, JsonSchema> {
  const own = { ...OWN_TURN_SCHEMAS[name], ...SMALL_SCHEMAS[name] };
  const { properties } = whole;
  return Object.fromEntries(
    Object.entries({ ...OWN_TURN_SCHEMAS[name], ...properties, ...own })
      .filter(([field]) => fields.includes(field) || Object.hasOwn(own, field))
      .map(([field, schema]) => [
        field,
        own[field] ?? TURN_SCHEMAS[field] ?? reworded(name, field, smallField(schema)),
      ]),
  );
}

/** Schema in the words of the small ones, if they have their own. */
function reworded(tool: string, path: string, schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  const { properties } = schema as { readonly properties?: Readonly<Record<string, JsonSchema>> };
  const inner = Object.entries(properties ?? {}).map(([field, each]) => [
    field,
    reworded(tool, `${path}.${field}`, each),
  ]);
  const words = smallWords(tool, path) ?? description;
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(inner) }),
    ...(words === undefined || words === '' ? {} : { description: words }),
  };
}

/** Field without bounds and patterns, which the daemon checks, and without defaults, which the words say if they matter. */
function smallField(schema: JsonSchema): JsonSchema {
  const { anyOf, ...whole } = schema as { readonly anyOf?: readonly JsonSchema[] };
  // What is a text or a number may always be a text.
  if (anyOf?.some(({ type }) => type === 'integer') === true) return smallField({ ...whole, type: 'string' });
  const kept = Object.entries(schema).filter(([key]) => !CHECKED.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, smallPart(key, value)]));
}

const CHECKED: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'pattern',
  'default',
  'additionalProperties',
]);

function smallPart(key: string, value: unknown): unknown {
  if (key === 'items') return smallBranch(value as JsonSchema);
  if (key === 'anyOf') return (value as readonly JsonSchema[]).map(smallBranch);
  if (key !== 'properties') return value;
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, JsonSchema>>).map(([field, each]) => [field, smallField(each)]),
  );
}

/** The whole describes it. */
function smallBranch(schema: JsonSchema): JsonSchema {
  const { description: _, ...rest } = smallField(schema);
  return rest;
}

/** The forms of a moment: their description has examples. */
const MAX_PATTERN_LENGTH = 200;

/** Schema without what costs tokens and helps no model: the dialect, long patterns, and the bounds that every safe integer has. */
function withoutNoise(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNoise);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== '$schema' && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER)
      .filter(([key, value]) => key !== 'pattern' || String(value).length <= MAX_PATTERN_LENGTH)
      .map(([key, value]) => [key, withoutNoise(value)]),
  );
}
