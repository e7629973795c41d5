/**
 * docs/schema.json as a client in another language reads it, without the schemas that it was generated from: tests compare
 * it with the requests that the daemon accepts.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type TypeName = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** As much of JSON Schema as the contract uses. */
export interface Schema {
  readonly type?: TypeName | readonly TypeName[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly contentEncoding?: string;
}

export interface CommandContract {
  readonly description: string;
  readonly details?: string;
  readonly reply_kind: 'line' | 'bytes' | 'stream';
  readonly errors: readonly string[];
  readonly request: Schema;
  readonly reply: Schema;
}

export interface Contract {
  readonly protocol: number;
  readonly commands: Readonly<Record<string, CommandContract>>;
  readonly events: Readonly<Record<string, Schema>>;
  readonly errors: Readonly<Record<string, { description: string; fault: string; exit_status: number }>>;
}

export const CONTRACT = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../docs/schema.json', import.meta.url)), 'utf8'),
) as Contract;

export type Path = readonly (string | number)[];

/** Where the value is not what the schema says; empty if it is. */
export function problems(schema: Schema, value: unknown, at: Path = []): Path[] {
  if (schema.anyOf !== undefined) {
    const branches = schema.anyOf.map((branch) => problems(branch, value, at));
    return branches.some((found) => found.length === 0) ? [] : branches.flat();
  }
  if (!hasType(schema.type, value)) return [at];
  if (schema.const !== undefined && value !== schema.const) return [at];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [at];
  if (typeof value === 'number') return isWithin(value, schema.minimum, schema.maximum) ? [] : [at];
  if (typeof value === 'string') return isText(schema, value) ? [] : [at];
  if (Array.isArray(value)) {
    if (!isWithin(value.length, schema.minItems, schema.maxItems)) return [at];
    return value.flatMap((item, index) => problems(schema.items ?? {}, item, [...at, index]));
  }
  if (typeof value === 'object' && value !== null) return objectProblems(schema, value as Record<string, unknown>, at);
  return [];
}

function objectProblems(schema: Schema, value: Record<string, unknown>, at: Path): Path[] {
  const { properties = {}, required = [], additionalProperties = true, propertyNames = {} } = schema;
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => [...at, name]);
  const wrong = Object.entries(value).flatMap(([name, field]) => {
    const path = [...at, name];
    if (Object.hasOwn(properties, name)) return problems(properties[name] ?? {}, field, path);
    if (additionalProperties === false) return [path];
    const ofName = problems(propertyNames, name, path);
    return additionalProperties === true ? ofName : [...ofName, ...problems(additionalProperties, field, path)];
  });
  return [...missing, ...wrong];
}

function hasType(type: Schema['type'], value: unknown): boolean {
  if (type === undefined) return true;
  if (typeof type === 'object') return type.some((one) => hasType(one, value));
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

/** Lengths are counted in UTF-16 code units. */
function isText({ minLength, maxLength, pattern }: Schema, value: string): boolean {
  return (
    isWithin(value.length, minLength, maxLength) && (pattern === undefined || new RegExp(pattern, 'u').test(value))
  );
}

function isWithin(value: number, least = -Infinity, most = Infinity): boolean {
  return value >= least && value <= most;
}

/** The least that the schema takes. */
export function sample(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return sample(schema.anyOf[0] ?? {});
  switch (schema.type) {
    case 'object':
      if (isChoice(schema)) return hasAll(schema, ACTIONS) ? { kill: true } : { exit: true };
      return Object.fromEntries((schema.required ?? []).map((name) => [name, sample(schema.properties?.[name] ?? {})]));
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}));
    case 'string':
      return SAMPLE_TEXTS.find((text) => problems(schema, text).length === 0);
    case 'boolean':
      return true;
    default:
      return Math.max(schema.minimum ?? 0, 0);
  }
}

const SAMPLE_TEXTS = ['a', 'YQ==', '#102030', '/a'];

const CONDITIONS = ['settled_ms', 'exit'];
const ACTIONS = ['notify', 'kill'];

/** A condition of a wait, or an action of a trigger: an object of exactly one field, which JSON Schema is not asked to say. */
function isChoice(schema: Schema): boolean {
  return hasAll(schema, CONDITIONS) || hasAll(schema, ACTIONS);
}

function hasAll({ properties = {} }: Schema, names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(properties, name));
}

export interface Field {
  readonly path: Path;
  readonly schema: Schema;
  /** A request of nothing else that could be wrong, with this value in the field. */
  readonly holding: (value: unknown) => unknown;
}

/** The schema's fields at any depth: of objects, of what an array holds, of each branch. */
export function fieldsOf(schema: Schema, holding: Field['holding'] = (value) => value, path: Path = []): Field[] {
  const within = (schema.anyOf ?? []).flatMap((branch) => fieldsOf(branch, holding, path));
  if (schema.items !== undefined) {
    const item = schema.items;
    const inArray: Field['holding'] = (value) => holding([value]);
    within.push({ path: [...path, 0], schema: item, holding: inArray }, ...fieldsOf(item, inArray, [...path, 0]));
  }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const others = isChoice(schema) ? {} : (sample(schema) as object);
    const inObject: Field['holding'] = (value) => holding({ ...others, [name]: value });
    within.push(
      { path: [...path, name], schema: field, holding: inObject },
      ...fieldsOf(field, inObject, [...path, name]),
    );
  }
  if (typeof schema.additionalProperties === 'object') {
    const field = schema.additionalProperties;
    const inRecord: Field['holding'] = (value) => holding({ a: value });
    within.push(
      { path: [...path, 'a'], schema: field, holding: inRecord },
      ...fieldsOf(field, inRecord, [...path, 'a']),
    );
  }
  return within;
}
