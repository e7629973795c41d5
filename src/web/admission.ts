/**
 * What a page may ask for: the first of two doors. The daemon checks the reach of each request, by `restrict`; this one
 * refuses what names a file, and what a connection of one page has no use for. Pure.
 */
import { refusal, T4aError } from '../protocol/errors.js';
import { requestFields, type RequestFields } from '../protocol/request-line.js';

export interface PageRequest {
  readonly cmd: string;
  readonly req?: string | number | undefined;
  /** Whether a request waits for something: a `watch`, unless it is of a moment or has no time, and is answered at once. */
  readonly lasts?: boolean;
  /** Number of the request that it cancels. */
  readonly ends?: string | number | undefined;
}

/** Their reach admits them, and each takes a path. */
const WITH_PATHS: readonly string[] = ['open', 'record', 'trigger'];

/** Commands of the configuration: a page's own connection may do them, and takes nothing else. */
export const RULES = 'rules';

/** Fields about the machine that the daemon runs on: its files, the environment of programs, its processes. */
const MACHINE_FIELDS: readonly string[] = [
  'path',
  'file',
  'cwd',
  'env',
  'set_env',
  'inherit_env',
  'keep_agent_env',
  'stdin',
  'if_file',
  'record',
  'record_input',
  'activity',
  'tied',
  'as_long_as',
];

/** Bytes in base64, which go to a program as they are. */
const BYTE_FIELDS: readonly string[] = ['input_base64', 'text_base64'];

/** Texts that go to a program as they are, or as the keys of their characters. */
const TYPED: Readonly<Record<string, string>> = { send: 'input', type: 'text', answer: 'text', run: 'command' };

/** Control characters beside tab and line break: the keys that send them have names, which `press` takes. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

export interface AdmissionOptions {
  /** Raw bytes go to programs, not only keys, text, pastes and the mouse. */
  readonly allowsRaw?: boolean;
  /** Rules by which terminals have entries are shown and changed. */
  readonly allowsRules?: boolean;
}

/** @returns the request, or the error that answers it; undefined for what is no request */
export function admitRequest(
  message: string,
  { allowsRaw = false, allowsRules = false }: AdmissionOptions = {},
): { readonly request: PageRequest; readonly refusal?: T4aError } | undefined {
  const given = requestFields(message);
  if (given instanceof T4aError || typeof given['cmd'] !== 'string') return undefined;
  const fields = given as RequestFields & { readonly cmd: string };
  const { cmd, req } = fields;
  const request: PageRequest = {
    cmd,
    req: numberOf(req),
    lasts: cmd === 'watch' && fields['at'] === undefined && fields['timeout_ms'] !== 0,
    ends: cmd === 'cancel' ? numberOf(fields['of']) : undefined,
  };
  if (WITH_PATHS.includes(cmd)) return { request, refusal: notAllowed(`"${cmd}" names files, and pages name none.`) };
  if (cmd === RULES && !allowsRules) return { request, refusal: rulesRefusal() };
  const field = MACHINE_FIELDS.find((name) => Object.hasOwn(fields, name));
  if (field !== undefined) {
    return { request, refusal: notAllowed(`"${field}" of "${cmd}" is not taken from a page.`, field) };
  }
  const raw = allowsRaw ? undefined : rawField(fields);
  if (raw !== undefined) return { request, refusal: rawRefusal(cmd, raw) };
  if (cmd === 'events' && fields['shared'] !== true) {
    return { request, refusal: notAllowed('A page shares its connection: "events" needs "shared".', 'shared') };
  }
  return { request };
}

/** Numbers of requests are texts, too. */
function numberOf(value: unknown): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** The field with raw bytes, if one has some. */
function rawField(fields: Readonly<Record<string, unknown>> & { readonly cmd: string }): string | undefined {
  const bytes = BYTE_FIELDS.find((name) => Object.hasOwn(fields, name));
  if (bytes !== undefined) return bytes;
  const typed = Object.hasOwn(TYPED, fields.cmd) ? TYPED[fields.cmd] : undefined;
  const text = typed === undefined ? undefined : fields[typed];
  return typeof text === 'string' && CONTROL.test(text) ? typed : undefined;
}

function rulesRefusal(): T4aError {
  return refusal('not_allowed', `"${RULES}" is not taken from this page.`, {
    hint: 'Use the command line: t4a rules --help, or serve the page with: t4a web --allow-rules',
  });
}

function rawRefusal(cmd: string, field: string): T4aError {
  return refusal('not_allowed', `"${field}" of "${cmd}" has raw bytes, which are not taken from a page.`, {
    field,
    hint: 'Send keys by "press" and text by "type" or "paste", or serve the page with: t4a web --allow-raw',
  });
}

function notAllowed(message: string, field?: string): T4aError {
  return refusal('not_allowed', message, {
    ...(field === undefined ? {} : { field }),
    hint: 'Use the command line: t4a --help',
  });
}
