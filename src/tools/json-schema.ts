/** The schema of a tool's input, out of the schema of its command's request. */
import { z } from 'zod';
import { COMMANDS } from '../protocol/registry.js';
import type { CatalogEntry } from './catalog.js';

export type JsonSchema = { readonly [key: string]: unknown };

export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

export function inputSchema({ name, fields }: CatalogEntry): ObjectSchema {
  const whole = withoutNoise(z.toJSONSchema(COMMANDS[name].params, { io: 'input' })) as ObjectSchema;
  const wanted = fields === undefined ? undefined : new Set(fields);
  const properties = Object.fromEntries(
    Object.entries(whole.properties).filter(([field]) => wanted === undefined || wanted.has(field)),
  );
  const required = (whole.required ?? []).filter((field) => field in properties);
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** What costs tokens and tells a model nothing: the dialect, and the bounds that every safe integer has. */
function withoutNoise(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutNoise);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== '$schema' && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER)
      .map(([key, value]) => [key, withoutNoise(value)]),
  );
}
