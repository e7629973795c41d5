/** The schema of a tool's input, out of the schema of its command's request. */
import { z } from 'zod';
import { COMMANDS } from '../protocol/registry.js';
import { OWN_TURN_SCHEMAS, TURN_SCHEMAS } from './model-turn.js';
import { type IsOffered, offeredNames, offeredWords } from './offered-words.js';
import { smallWords } from './small-words.js';
import { DEFAULT_NESTED_FIELDS, type CatalogEntry } from './catalog.js';

export type JsonSchema = { readonly [key: string]: unknown };

export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
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
  const required = Object.keys(properties).filter((field) => all.has(field));
  const isOffered = offeredNames(name, { properties }, whole, offered);
  const schema: ObjectSchema = {
    type: 'object',
    properties: described(properties, isOffered) as typeof properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
  return { schema, isOffered };
}

export function inputSchema(entry: CatalogEntry): ObjectSchema {
  return inputOf(entry).schema;
}

/** Without what descriptions say of what is not offered. */
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
  const own = OWN_TURN_SCHEMAS[name] ?? {};
  const { properties } = whole;
  return Object.fromEntries(
    Object.entries({ ...properties, ...own })
      .filter(([field]) => fields.includes(field) || Object.hasOwn(own, field))
      .map(([field, schema]) => [
        field,
        own[field] ?? TURN_SCHEMAS[field] ?? reworded(name, field, smallField(schema, DEFAULT_NESTED_FIELDS[field])),
      ]),
  );
}

/** In the words of the small schemas, where they have their own. */
function reworded(tool: string, path: string, schema: JsonSchema): JsonSchema {
  const words = smallWords(tool, path);
  const { default: byDefault, ...rest } = schema;
  const { properties } = schema as { readonly properties?: Readonly<Record<string, JsonSchema>> };
  const inner = Object.entries(properties ?? {}).map(([field, each]) => [
    field,
    reworded(tool, `${path}.${field}`, each),
  ]);
  return {
    // The words may say another one.
    ...(byDefault === undefined || words?.includes('Default:') === true ? {} : { default: byDefault }),
    ...rest,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(inner) }),
    ...(words === undefined ? {} : { description: words }),
  };
}

/** Largest bound that a small schema has: a model comes near no larger one. */
const MAX_SMALL_BOUND = 100_000;

/** One where one or a list may be given; of an object's fields those that are kept; no lengths, no patterns, no far bounds, which the daemon checks. */
function smallField(schema: JsonSchema, kept: readonly string[] | undefined): JsonSchema {
  const { minLength: _1, maxLength: _2, minItems: _3, maxItems: _4, pattern: _5, ...near } = schema;
  const { anyOf, items, maximum, additionalProperties, ...others } = near;
  const rest = {
    ...others,
    ...(typeof maximum === 'number' && maximum < MAX_SMALL_BOUND ? { maximum } : {}),
    ...(additionalProperties === undefined || additionalProperties === false ? {} : { additionalProperties }),
    ...(items === undefined ? {} : { items: smallBranch(items as JsonSchema) }),
  };
  const branches = anyOf as readonly JsonSchema[] | undefined;
  if (branches === undefined) return kept === undefined ? rest : { ...rest, properties: pick(schema, kept) };
  const one = branches.find((branch) => branch['type'] === 'object');
  if (one !== undefined && kept !== undefined) return { ...smallField(one, kept), ...rest };
  return { ...rest, anyOf: branches.map(smallBranch) };
}

/** The whole describes it. */
function smallBranch(schema: JsonSchema): JsonSchema {
  const { description: _, ...rest } = smallField(schema, undefined);
  return rest;
}

function pick(schema: JsonSchema, kept: readonly string[]): Record<string, JsonSchema> {
  const all = schema['properties'] as Record<string, JsonSchema>;
  return Object.fromEntries(kept.map((name) => [name, smallField(all[name] ?? {}, undefined)]));
}

/** The forms of a moment: their description has examples. */
const MAX_PATTERN_LENGTH = 200;

/** Without what costs tokens and helps no model: the dialect, long patterns, and the bounds that every safe integer has. */
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
