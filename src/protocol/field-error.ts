/**
 * What is wrong with a field, as an error that says which, what it holds and what was expected. Security: callers log errors,
 * so what may be a secret is not in them. That is what is typed, what is called a secret, the values of the environment, and
 * names that are none (a password in the place of an id or of a field).
 */
import { z } from 'zod';
import { nearestWords } from '../base/nearest.js';
import { quote, refusal, type T4aError } from './errors.js';
import { issueWords } from './issue-words.js';

export interface FieldOwner {
  /** Name in messages. */
  readonly name: string;
  readonly schema: z.ZodType;
  /** Fields beside those of the schema. */
  readonly beside?: readonly string[];
  /** Hint if nothing better is known. */
  readonly hint: string;
  /** The known word that an unknown one stands for. Default: the nearest. */
  readonly meant?: (word: string, known: readonly string[]) => string | undefined;
}

type GivenFields = Readonly<Record<string, unknown>>;

/** Fields whose values are not shown. */
const UNSHOWN: readonly unknown[] = ['id', 'terminal', 'text', 'text_base64', 'input', 'input_base64', 'env'];

/** Wherever they stand: an address with its key, and what opens it; and all around them. */
const UNSHOWN_WITHIN: readonly PropertyKey[] = ['notify', 'webhook', 'headers'];

/** Form of the names of fields and commands. */
const NAME = /^[a-z]+(?:_[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 32;

/** Names that callers choose: of variables, of themes. */
const CHOSEN_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** The first problem only: correcting it often corrects the others. */
export function fieldError(
  { name, schema, beside = [], hint, meant = (word, known) => nearestWords(word, known)[0] }: FieldOwner,
  error: z.ZodError,
  params: GivenFields,
): T4aError {
  const issue = deepest(mostTelling(error, params));
  if (issue === undefined) return refusal('invalid_field', `The fields of "${name}" are not valid.`);
  if (issue.code === 'unrecognized_keys') return unknownField({ name, schema, beside, meant }, issue, isSecret(params));
  const path = shownPath(issue.path);
  const value = valueAt(params, issue.path);
  const isShown =
    !isSecret(params) && !UNSHOWN.includes(issue.path[0]) && !issue.path.some((at) => UNSHOWN_WITHIN.includes(at));
  const given = value === undefined ? 'is missing' : `is ${isShown ? quote(value) : 'not valid'}`;
  const words = issueWords(issue, value === undefined);
  const why = words === '' ? '' : `: ${words}`;
  return refusal('invalid_field', `"${path}" of "${name}" ${given}${why}.`, {
    field: path,
    hint,
  });
}

/** A field that is missing is often there under another name. */
function mostTelling({ issues }: z.ZodError, params: GivenFields): z.core.$ZodIssue | undefined {
  const [first] = issues;
  if (first === undefined || valueAt(params, first.path) !== undefined) return first;
  const around = shownPath(first.path.slice(0, -1));
  return issues.find(({ code, path }) => code === 'unrecognized_keys' && shownPath(path) === around) ?? first;
}

function valueAt(params: GivenFields, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], params);
}

/** Undefined where it is not like any name: it may be a value in the wrong place. @param closest what was most likely meant */
export function shownName(name: string, closest: string | undefined): string | undefined {
  const isName = name.length <= MAX_NAME_LENGTH && NAME.test(name);
  return isName || closest !== undefined ? name : undefined;
}

function unknownField(
  { name, schema, beside, meant }: Required<Omit<FieldOwner, 'hint'>>,
  issue: z.core.$ZodIssueUnrecognizedKeys,
  hasSecret: boolean,
): T4aError {
  const unknown = issue.keys[0] ?? '';
  const known = knownFields(schema, issue.path);
  const closest = meant(unknown, issue.path.length === 0 ? [...known, ...beside] : known);
  const shown = hasSecret && closest === undefined ? undefined : shownName(unknown, closest);
  const field = shownPath(shown === undefined ? issue.path : [...issue.path, shown]);
  const place = field === '' ? `"${name}"` : `"${field}" of "${name}"`;
  const message = shown === undefined ? `A field of ${place} is unknown.` : `"${name}" has no field ${quote(field)}.`;
  return refusal('unknown_field', message, {
    hint: closest === undefined ? `It has: ${known.join(', ') || 'none'}.` : `Did you mean "${closest}"?`,
    ...(closest === undefined ? {} : { closest }),
    ...(field === '' ? {} : { field }),
  });
}

export function shownPath(path: readonly PropertyKey[]): string {
  return path.map((key) => (typeof key === 'number' || CHOSEN_NAME.test(String(key)) ? String(key) : '…')).join('.');
}

function isSecret(params: GivenFields): boolean {
  return params['secret'] !== undefined && params['secret'] !== false;
}

/** Issue that says most: for a union that of the branch that got furthest, for a name what is wrong with it. */
export function deepest(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code === 'invalid_key') return { ...issue, message: issue.issues[0]?.message ?? issue.message };
  if (issue?.code !== 'invalid_union') return issue;
  const branches = issue.errors.map((branch) => branch[0]).filter((first) => first !== undefined);
  const nested = branches.toSorted((a, b) => b.path.length - a.path.length)[0];
  if (nested === undefined || (nested.path.length === 0 && !SAYS_MORE.has(nested.code))) return issue;
  return { ...nested, path: [...issue.path, ...nested.path] };
}

/** Codes that say more than that the value is none of what the union takes. */
const SAYS_MORE = new Set(['unrecognized_keys', 'custom']);

/** Names of the fields of the object at that path; if several objects are possible, the fields of all. */
function knownFields(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const at = path.reduce<z.core.$ZodType[]>(
    (schemas, key) => schemas.flatMap((outer) => inner(outer, key)).flatMap(unwrapped),
    unwrapped(schema),
  );
  return [...new Set(at.flatMap((found) => (found instanceof z.ZodObject ? Object.keys(found.shape) : [])))];
}

function inner(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType[] {
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  const field = schema instanceof z.ZodObject ? (schema.shape[String(key)] as z.core.$ZodType | undefined) : undefined;
  return field === undefined ? [] : [field];
}

/** Schemas of what a value may be, without those that only say that it may be left out or is changed afterwards. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(unwrapped);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return unwrapped(schema.unwrap());
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in);
  return [schema];
}
