/**
 * All that is wrong with the input of a call, so that the model's next call is right. Says no values: they may be secrets.
 */
import type { z } from 'zod';
import { deepest, shownName, shownPath } from '../protocol/field-error.js';
import { issueWords } from '../protocol/issue-words.js';
import type { JsonSchema, ObjectSchema } from './json-schema.js';
import { meantWord } from './other-words.js';

type Input = Readonly<Record<string, unknown>>;

/** Bound of the words for a tool with all of its fields, and for an input with more than there are. */
const MAX_LENGTH = 2000;

/** @returns undefined if no more than one field is wrong */
export function wrongFieldsWords(
  name: string,
  schema: ObjectSchema,
  { issues }: z.ZodError,
  input: Input,
): string | undefined {
  const known = Object.keys(schema.properties);
  const wrong = issues.flatMap(expanded).flatMap((issue) => wordsOf(issue, input, known));
  if (wrong.length < 2) return undefined;
  return `Wrong fields of "${name}": ${shortened(wrong.join('; '))}. It takes ${shortened(shapeOf(schema))}.`;
}

/** Issues, of a union all of the branch that got furthest, as `deepest` has the first. */
function expanded(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [deepest(issue) ?? issue];
  const furthest = issue.errors.toSorted((a, b) => reach(b) - reach(a))[0] ?? [];
  if (reach(furthest) === 0) return [issue];
  return furthest.flatMap((inner) => expanded({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** An unknown field is known to be one of an object, as a wrong field within it is. */
function reach(branch: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...branch.map(({ code, path }) => path.length + (code === 'unrecognized_keys' ? 1 : 0)));
}

function wordsOf(issue: z.core.$ZodIssue, input: Input, known: readonly string[]): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const closest = issue.path.length === 0 ? meantWord(key, known) : undefined;
      const shown = shownName(key, closest);
      const path = shown === undefined ? 'a name that is no field' : `"${shownPath([...issue.path, shown])}"`;
      return `${path} (unknown${closest === undefined ? '' : `: "${closest}"?`})`;
    });
  }
  const value = issue.path.reduce<unknown>((at, key) => (at as Input | undefined)?.[key as string], input);
  const words = issueWords(issue, value === undefined);
  return [`"${shownPath(issue.path)}" (${value === undefined ? 'missing' : words || 'not valid'})`];
}

/** `{command: text (required), keys: [text], observe: "text" | "image"}` */
function shapeOf(schema: JsonSchema, depth = 0): string {
  const { type, enum: values, anyOf, items, properties, required, const: only } = schema as Shape;
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf !== undefined) return [...new Set(anyOf.map((branch) => shapeOf(branch, depth)))].join(' | ');
  if (type === 'array') return `[${items === undefined ? '…' : shapeOf(items, depth)}]`;
  if (properties === undefined || depth > MAX_DEPTH) return TYPES[String(type)] ?? 'object';
  const fields = Object.entries(properties).map(
    ([field, inner]) =>
      `${field}: ${shapeOf(inner, depth + 1)}${required?.includes(field) === true ? ' (required)' : ''}`,
  );
  return `{${fields.join(', ')}}`;
}

interface Shape {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const MAX_DEPTH = 1;

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true | false',
  null: 'null',
};

function shortened(words: string): string {
  return words.length <= MAX_LENGTH ? words : `${words.slice(0, MAX_LENGTH)}…`;
}
