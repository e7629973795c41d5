/** Checked request of a line, or an error that says what is wrong with it and where. */
import type { z } from 'zod';
import { nearestWords } from '../base/nearest.js';
import { envelopeShape } from './command.js';
import { T4aError, quote, refusal } from './errors.js';
import { fieldError, shownName } from './field-error.js';
import { lowerFirst } from './issue-words.js';
import { COMMANDS, COMMAND_NAMES, type CommandName, type Params } from './registry.js';
import { requestFields, requestIdOf, type RequestFields, type RequestId } from './request-line.js';
import { readTraceparent } from './traceparent.js';

export type { RequestId };

export type CheckedRequest = {
  [Name in CommandName]: { readonly cmd: Name; readonly params: Params<Name> };
}[CommandName];

/** The fields of a request that are no command's own, where they are as they should be. */
export interface Envelope {
  readonly scope?: string | undefined;
  readonly as?: string | undefined;
  readonly host?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** Fields that gateways add for each other. */
export interface Passed {
  /** Instances of the gateways that it has gone through. */
  readonly via?: readonly string[] | undefined;
}

export interface ParsedLine extends Envelope, Passed {
  /** Present whenever it could be read, also beside an error: the failure's reply echoes it. */
  readonly req: RequestId | undefined;
  readonly request: CheckedRequest | T4aError;
}

export function parseRequestLine(line: Uint8Array): ParsedLine {
  const fields = requestFields(line);
  return fields instanceof T4aError ? { req: requestIdOf(line), request: fields } : parseRequest(fields);
}

export function parseRequest(fields: RequestFields): ParsedLine {
  const { cmd, req: rawReq, scope, as, host, traceparent, ...params } = fields;
  const req = envelopeShape.req.safeParse(rawReq);
  if (!req.success) {
    const error = refusal('invalid_field', `"req" is ${quote(rawReq)}: expected a string or a number.`, {
      field: 'req',
      hint: 'For example "req": 1.',
    });
    return { req: undefined, request: error };
  }
  const envelope = { scope, as, host };
  for (const field of ENVELOPE_FIELDS) {
    const error = envelope[field] === undefined ? undefined : wrongEnvelope(field, envelope[field]);
    if (error !== undefined) return { req: req.data, request: error };
  }
  const trace = traceparent === undefined ? {} : { traceparent: readTraceparent(traceparent) };
  return { req: req.data, ...(envelope as Envelope), ...trace, request: checkRequest(cmd, params) };
}

/** Fields that are refused if they are wrong. */
const ENVELOPE_FIELDS = ['scope', 'as', 'host'] as const;

/** Security: the value is not shown. A name with blanks may be a text in the wrong place. */
function wrongEnvelope(field: (typeof ENVELOPE_FIELDS)[number], value: unknown): T4aError | undefined {
  const { error } = envelopeShape[field].safeParse(value);
  if (error === undefined) return undefined;
  const why = lowerFirst(error.issues[0]?.message ?? '');
  return refusal('invalid_field', `"${field}" of the request is not valid: ${why}.`, {
    field,
    hint: `Correct "${field}", or leave it out.`,
  });
}

function checkRequest(cmd: unknown, params: Record<string, unknown>): CheckedRequest | T4aError {
  if (cmd === undefined) {
    return refusal('missing_cmd', 'The request has no "cmd".', { hint: `One of: ${COMMAND_NAMES.join(', ')}.` });
  }
  if (typeof cmd !== 'string' || !Object.hasOwn(COMMANDS, cmd)) {
    const closest = typeof cmd === 'string' ? nearestWords(cmd, COMMAND_NAMES)[0] : undefined;
    const shown = typeof cmd === 'string' ? shownName(cmd, closest) : undefined;
    const message = shown === undefined ? '"cmd" is no command.' : `Unknown command ${quote(shown)}.`;
    return refusal('unknown_cmd', message, {
      hint: closest === undefined ? `One of: ${COMMAND_NAMES.join(', ')}.` : `Did you mean "${closest}"?`,
      ...(closest === undefined ? {} : { closest }),
    });
  }
  const name = cmd as CommandName;
  const schema: z.ZodType = COMMANDS[name].params;
  const read = atHandle(name, params);
  if (read === undefined) {
    return refusal('invalid_field', `"at" of ${quote(name)} does not go with the moment that "id" names.`, {
      field: 'at',
      hint: 'Leave one of the two out.',
    });
  }
  const checked = schema.safeParse(read);
  if (!checked.success)
    return fieldError(
      { name, schema, beside: [...ENVELOPE_FIELDS, 'traceparent'], hint: `t4a ${name} --help` },
      checked.error,
      params,
    );
  return { cmd: name, params: checked.data } as CheckedRequest;
}

/** `ID@REV`, as looks name themselves: the terminal at this revision. */
const HANDLE = /^(.+)@(\d{1,15})$/s;

/** @returns undefined if two moments are named */
function atHandle(name: CommandName, params: Record<string, unknown>): Record<string, unknown> | undefined {
  const { id, at } = params;
  if (typeof id !== 'string' || !('at' in COMMANDS[name].params.shape)) return params;
  const [, terminal, rev] = HANDLE.exec(id) ?? [];
  if (terminal === undefined) return params;
  return at === undefined ? { ...params, id: terminal, at: Number(rev) } : undefined;
}
