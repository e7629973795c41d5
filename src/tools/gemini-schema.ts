/**
 * A JSON Schema in the subset of OpenAPI 3.0 that Gemini's function declarations take. What has no form there (maps with
 * free keys) is left out: such fields are optional, and a model can do without them.
 * @see https://ai.google.dev/api/caching#Schema
 */
import type { JsonSchema } from './json-schema.js';

const KEPT = new Set([
  'description',
  'title',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
]);

/** Undefined: nothing of it can be said. */
export function geminiSchema(schema: JsonSchema): JsonSchema | undefined {
  const branches = schema['anyOf'] as readonly JsonSchema[] | undefined;
  if (branches !== undefined) return anyOf(schema, branches);
  const kept = Object.fromEntries(Object.entries(schema).filter(([key]) => KEPT.has(key)));
  if ('const' in schema) return { ...kept, ...constant(schema['const']) };
  switch (schema['type']) {
    case 'object':
      return objectSchema(schema, kept);
    case 'array': {
      const items = geminiSchema((schema['items'] ?? {}) as JsonSchema);
      return items === undefined ? undefined : { type: 'ARRAY', ...kept, items };
    }
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean': {
      const values = schema['enum'] as readonly unknown[] | undefined;
      return { type: schema['type'].toUpperCase(), ...kept, ...(values === undefined ? {} : { enum: values }) };
    }
    default:
      return undefined;
  }
}

/** No constants there: a text becomes an enumeration of one, anything else the type that it has. */
function constant(value: unknown): JsonSchema {
  return typeof value === 'string' ? { type: 'STRING', enum: [value] } : { type: (typeof value).toUpperCase() };
}

function anyOf(schema: JsonSchema, branches: readonly JsonSchema[]): JsonSchema | undefined {
  const nullable = branches.some((branch) => branch['type'] === 'null');
  const others = branches
    .filter((branch) => branch['type'] !== 'null')
    .map(geminiSchema)
    .filter((branch) => branch !== undefined);
  const described = {
    ...(schema['description'] === undefined ? {} : { description: schema['description'] }),
    ...(nullable ? { nullable } : {}),
  };
  const [only, ...more] = others;
  if (only === undefined) return undefined;
  if (more.length === 0) return { ...only, ...described };
  // "When using any_of, it must be the only field set": what describes the whole stands in its first branch.
  const flat = others.flatMap((branch) => (branch['anyOf'] as readonly JsonSchema[] | undefined) ?? [branch]);
  return { anyOf: flat.map((branch, i) => (i === 0 ? { ...branch, ...described } : branch)) };
}

function objectSchema(schema: JsonSchema, kept: JsonSchema): JsonSchema | undefined {
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
    .map(([name, field]) => [name, geminiSchema(field)] as const)
    .filter(([, field]) => field !== undefined);
  if (fields.length === 0) return undefined;
  const properties = Object.fromEntries(fields);
  const required = ((schema['required'] ?? []) as readonly string[]).filter((name) => name in properties);
  return { type: 'OBJECT', ...kept, properties, ...(required.length === 0 ? {} : { required }) };
}
