/** From a line to a checked request, or to an error that says what is wrong with it and where. */
import { z } from 'zod';
import { nearestWords } from '../base/nearest.js';
import { envelopeShape } from './command.js';
import { T4aError, quote } from './errors.js';
import { COMMANDS, COMMAND_NAMES, type CommandName, type Params } from './registry.js';

export type RequestId = string | number;

export type CheckedRequest = {
  [Name in CommandName]: { readonly cmd: Name; readonly params: Params<Name> };
}[CommandName];

export interface ParsedLine {
  /** Present whenever it could be read, also beside an error: the failure's reply echoes it. */
  readonly req: RequestId | undefined;
  readonly request: CheckedRequest | T4aError;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

export function parseRequestLine(line: Uint8Array): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(line));
  } catch (error) {
    return { req: undefined, request: notJson(line, error) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const hint = 'Send one JSON object per line, for example {"cmd":"list"}.';
    return { req: undefined, request: new T4aError('bad_request', `Not a JSON object: ${quote(value)}.`, { hint }) };
  }
  return parseRequest(value as Record<string, unknown>);
}

export function parseRequest(fields: Record<string, unknown>): ParsedLine {
  const { cmd, req: rawReq, ...params } = fields;
  const req = envelopeShape.req.safeParse(rawReq);
  if (!req.success) {
    const error = new T4aError('invalid_field', `"req" is ${quote(rawReq)}: expected a string or a number.`, {
      field: 'req',
      hint: 'For example "req": 1.',
    });
    return { req: undefined, request: error };
  }
  return { req: req.data, request: checkRequest(cmd, params) };
}

function checkRequest(cmd: unknown, params: Record<string, unknown>): CheckedRequest | T4aError {
  if (cmd === undefined) {
    return new T4aError('missing_cmd', 'The request has no "cmd".', { hint: `One of: ${COMMAND_NAMES.join(', ')}.` });
  }
  if (typeof cmd !== 'string' || !Object.hasOwn(COMMANDS, cmd)) {
    const closest = typeof cmd === 'string' ? nearestWords(cmd, COMMAND_NAMES)[0] : undefined;
    return new T4aError('unknown_cmd', `Unknown command ${quote(cmd)}.`, {
      hint: closest === undefined ? `One of: ${COMMAND_NAMES.join(', ')}.` : `Did you mean "${closest}"?`,
      ...(closest === undefined ? {} : { closest }),
    });
  }
  const name = cmd as CommandName;
  const schema: z.ZodType = COMMANDS[name].params;
  const checked = schema.safeParse(params);
  if (!checked.success) return fieldError({ name, schema, hint: `t4a ${name} --help` }, checked.error, params);
  return { cmd: name, params: checked.data } as CheckedRequest;
}

function notJson(line: Uint8Array, error: unknown): T4aError {
  const text = new TextDecoder().decode(line);
  if (text.includes('"secret"')) {
    return new T4aError('bad_json', 'Not JSON, and not shown, since it speaks of a secret.', { hint: JSON_HINT });
  }
  const start = text.slice(0, 40);
  const isHttp = /^[A-Z]+ \S+ HTTP\//.test(text.slice(0, 200));
  const reason = error instanceof Error ? error.message : String(error);
  return new T4aError('bad_json', `Not JSON: ${quote(start)} (${reason.slice(0, 120)}).`, {
    hint: isHttp ? 'This socket speaks one JSON object per line, not HTTP.' : JSON_HINT,
  });
}

const JSON_HINT = 'Send one JSON object per line, for example {"cmd":"list"}.';

/** Security: what a request calls a secret must not come back in an error, which callers log. */
function isSecret(params: Readonly<Record<string, unknown>>): boolean {
  return params['secret'] !== undefined && params['secret'] !== false;
}

export interface FieldOwner {
  /** As messages name it. */
  readonly name: string;
  readonly schema: z.ZodType;
  /** Where nothing better is known. */
  readonly hint: string;
}

/** The first problem only: mending it often mends the others. */
export function fieldError(
  { name, schema, hint }: FieldOwner,
  error: z.ZodError,
  params: Readonly<Record<string, unknown>>,
): T4aError {
  const issue = deepest(error.issues[0]);
  if (issue === undefined) return new T4aError('invalid_field', `The fields of "${name}" are not valid.`);
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys[0] ?? '';
    const known = knownFields(schema, issue.path);
    const closest = nearestWords(unknown, known)[0];
    const field = [...issue.path.map(String), unknown].join('.');
    return new T4aError('unknown_field', `"${name}" has no field ${quote(field)}.`, {
      hint: closest === undefined ? `It has: ${known.join(', ') || 'none'}.` : `Did you mean "${closest}"?`,
      ...(closest === undefined ? {} : { closest }),
      field,
    });
  }
  const value = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    params,
  );
  const shown = isSecret(params) ? 'not valid' : quote(value);
  const given = value === undefined ? 'is missing' : `is ${shown}`;
  return new T4aError('invalid_field', `"${path}" of "${name}" ${given}: ${lowerFirst(issue.message)}.`, {
    field: path,
    hint,
  });
}

/** For a union the branch that got furthest says most. */
function deepest(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union') return issue;
  const branches = issue.errors.map((branch) => branch[0]).filter((first) => first !== undefined);
  const nested = branches.toSorted((a, b) => b.path.length - a.path.length)[0];
  if (nested === undefined || (nested.path.length === 0 && nested.code !== 'unrecognized_keys')) return issue;
  return { ...nested, path: [...issue.path, ...nested.path] };
}

function knownFields(shape: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: z.ZodType | undefined = shape;
  for (const key of path) at = at instanceof z.ZodObject ? (at.shape[String(key)] as z.ZodType | undefined) : undefined;
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
