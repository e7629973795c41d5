/**
 * The gate of all tools: what a model says is checked against the very schema that it was offered, before anything is sent.
 * What the schema leaves out (lengths, forms of names) the daemon checks.
 */
import { z } from 'zod';
import { T4aError } from '../protocol/errors.js';
import { fieldError } from '../protocol/field-error.js';
import type { CatalogEntry } from './catalog.js';
import { inputSchema, type JsonSchema, type ObjectSchema } from './json-schema.js';
import { meantWord } from './other-words.js';
import { wrongFieldsWords } from './wrong-fields.js';

export type ToolInput = Readonly<Record<string, unknown>>;

/** @throws T4aError `unknown_field`, `invalid_field`: with all that is wrong, and the nearest names */
export function checkedInput(entry: CatalogEntry, input: unknown): ToolInput {
  const { name } = entry;
  if (!isObject(input)) {
    const hint = 'A tool without fields takes {}.';
    throw new T4aError('invalid_field', `The input of "${name}" is no object.`, { hint });
  }
  refuseWithheld(entry, input);
  const offered = inputSchema(entry);
  const schema = checkerOf(offered);
  const { error } = schema.safeParse(input);
  if (error === undefined) return input;
  const first = fieldError({ name, schema, hint: `t4a ${name} --help`, meant: meantWord }, error, input);
  const words = wrongFieldsWords(name, offered, error, input);
  throw words === undefined ? first : new T4aError(first.code, words);
}

/** @throws T4aError unknown_field: a model may ignore the schema */
function refuseWithheld({ name, withheldFields }: CatalogEntry, input: ToolInput): void {
  const field = withheldFields.find((withheld) => Object.hasOwn(input, withheld));
  if (field === undefined) return;
  throw new T4aError('unknown_field', `The tool "${name}" has no field "${field}".`, {
    field,
    hint: 'Ask the person, who alone may decide that, on the command line.',
  });
}

function isObject(value: unknown): value is ToolInput {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function checkerOf(schema: ObjectSchema): z.ZodType {
  return z.fromJSONSchema(closed(schema));
}

/** Small schemas do not say that an object has no other fields. Patterns are left to the daemon, whose are of Unicode. */
function closed(schema: JsonSchema): JsonSchema {
  const { pattern: _, propertyNames: _names, ...rest } = schema;
  const { properties, items, anyOf, additionalProperties } = rest as Parts;
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(properties).map(([field, inner]) => [field, closed(inner)])),
          additionalProperties: false,
        }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: closed(additionalProperties) } : {}),
    ...(items === undefined ? {} : { items: closed(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(closed) }),
  };
}

interface Parts {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}
