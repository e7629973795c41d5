/** A line of a client as a request, and the fields of requests. Unknown fields are ignored, as in interminai. */
import { InterminaiError } from './replies.js';

export type InterminaiFields = Readonly<Record<string, unknown>>;

/** @throws RequestError */
export function parseFields(line: string): InterminaiFields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new InterminaiError('Invalid request: not JSON');
  }
  if (!isObject(value)) throw new InterminaiError('Invalid request: not an object');
  return value;
}

/** @throws RequestError if it is absent or no string */
export function stringField(fields: InterminaiFields, name: string): string {
  const value = fields[name];
  if (value === undefined) throw new InterminaiError(`Invalid request: missing '${name}' field`);
  if (typeof value !== 'string') throw new InterminaiError(`Invalid request: '${name}' is not a string`);
  return value;
}

/** @throws RequestError if it is absent or no whole number above 0 */
export function countField(fields: InterminaiFields, name: string): number {
  const value = fields[name];
  if (value === undefined) throw new InterminaiError(`Invalid request: missing '${name}' field`);
  if (!Number.isSafeInteger(value) || (value as number) < 1) {
    throw new InterminaiError(`Invalid request: '${name}' is not a whole number above 0`);
  }
  return value as number;
}

/** Absent is false. @throws RequestError if it is no boolean */
export function switchField(fields: InterminaiFields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== 'boolean') throw new InterminaiError(`Invalid request: '${name}' is not true or false`);
  return value;
}

/** Absent is an empty object. @throws RequestError if it is no object */
export function objectField(fields: InterminaiFields, name: string): InterminaiFields {
  const value = fields[name] ?? {};
  if (!isObject(value)) throw new InterminaiError(`Invalid request: '${name}' is not an object`);
  return value;
}

function isObject(value: unknown): value is InterminaiFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
